import type { GraphQLNamedType, GraphQLSchema } from 'graphql';

/** In the extensions of a type or a root field: its name in this code, where a deployment gives it another one. */
export interface RenamedExtensions {
  readonly canonicalName?: string;
}

/** In the extensions of a schema: its new names, by coordinate in the names of this code. */
export interface RenamedSchemaExtensions {
  readonly names?: ReadonlyMap<string, string>;
}

/** A definition that a deployment may rename. */
interface Renameable {
  readonly name: string;
  readonly extensions: object;
}

/** The name of a type or a root field in this code, in global ids and in settings, whatever the deployment calls it. */
export const getCanonicalName = ({ name, extensions }: Renameable): string => (extensions as RenamedExtensions).canonicalName ?? name;

/** The type that this code knows by a name. */
export function getTypeByCanonicalName(schema: GraphQLSchema, canonicalName: string): GraphQLNamedType | undefined {
  const { names } = schema.extensions as RenamedSchemaExtensions;
  const found = schema.getType(names?.get(canonicalName) ?? canonicalName);
  // A deployment may call another type by that name.
  return found && getCanonicalName(found) === canonicalName ? found : undefined;
}
