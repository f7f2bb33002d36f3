import type { GraphQLNamedType, GraphQLSchema } from 'graphql';

/** Extensions of a type or root field that a deployment renamed: its name in the code. */
export interface RenamedExtensions {
  readonly canonicalName?: string;
}

/** Extensions of a schema: its new names by coordinate, which uses the names in the code. */
export interface RenamedSchemaExtensions {
  readonly names?: ReadonlyMap<string, string>;
}

/** A type or field that a deployment can rename. */
interface Renameable {
  readonly name: string;
  readonly extensions: object;
}

/** Returns the name of a type or root field in the code, in global IDs and in settings, even if the deployment renamed it. */
export const getCanonicalName = ({ name, extensions }: Renameable): string => (extensions as RenamedExtensions).canonicalName ?? name;

/** Looks up a type by its name in the code. */
export function getTypeByCanonicalName(schema: GraphQLSchema, canonicalName: string): GraphQLNamedType | undefined {
  const { names } = schema.extensions as RenamedSchemaExtensions;
  const type = schema.getType(names?.get(canonicalName) ?? canonicalName);
  // A deployment may have given the name to another type.
  return type && getCanonicalName(type) === canonicalName ? type : undefined;
}
