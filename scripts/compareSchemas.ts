import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildASTSchema, type DocumentNode, type GraphQLSchema, isObjectType, Kind, print } from 'graphql';

/** A difference between two schemas. */
export interface SchemaChange {
  readonly level: CriticalityLevel;
  readonly message: string;
}

/** A schema as it is written, whatever directives it has. */
export const toSchema = (document: DocumentNode): GraphQLSchema => buildASTSchema(document, { assumeValidSDL: true });

/** What other subgraphs refer to, or share: the directives of a type that they rely on, as they are written. */
const reliedOn = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap(({ name, astNode }) =>
      (astNode?.directives ?? [])
        .filter((directive) => /^(key|shareable)$/.test(directive.name.value))
        .map((directive) => `${name} ${print(directive)}`),
    );

/** Everything that differs between an older schema and the one of now. */
export async function compareSchemas(old: DocumentNode, now: DocumentNode): Promise<SchemaChange[]> {
  const [before, after] = [toSchema(old), toSchema(now)];
  const kept = new Set(reliedOn(after));
  const gone = reliedOn(before).filter((each) => !kept.has(each));
  const changes = await diff(before, after);
  return [
    // For the inspector these are directives like any other.
    ...gone.map((each) => ({ level: CriticalityLevel.Breaking, message: `${each} is gone: other subgraphs rely on it.` })),
    ...changes.map(({ criticality, message }) => ({ level: criticality.level, message })),
  ];
}

/** Whether a schema is what a supergraph is composed from, not what clients see. */
export const isSubgraph = (document: DocumentNode): boolean => document.definitions.some(({ kind }) => kind === Kind.SCHEMA_EXTENSION);
