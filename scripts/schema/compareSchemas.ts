import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildASTSchema, type DefinitionNode, type DocumentNode, type GraphQLSchema, isObjectType, Kind, print, visit } from 'graphql';
import { findDeprecationProblems, getCoordinate, hasExpired, isMember, listMembers } from './deprecations.ts';

/** A difference between two schemas. */
export interface SchemaChange {
  readonly level: CriticalityLevel;
  readonly message: string;
  /** Coordinate of the changed element, such as `Order.status`. */
  readonly path?: string | undefined;
}

/** Builds a schema from SDL. Directives can be undefined, as in a subgraph. */
export const toSchema = (document: DocumentNode): GraphQLSchema => buildASTSchema(document, { assumeValidSDL: true });

/** Prints the `@key` and `@shareable` directives of all object types, which other subgraphs depend on. */
const printComposedDirectives = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap(({ name, astNode }) =>
      (astNode?.directives ?? [])
        .filter((directive) => /^(key|shareable)$/.test(directive.name.value))
        .map((directive) => `${name} ${print(directive)}`),
    );

const getDefinitionName = (definition: DefinitionNode): string => ('name' in definition && definition.name?.value) || '';

/** Names that a definition refers to. An interface refers to the objects that implement it. */
function findReferences(definition: DefinitionNode, definitions: readonly DefinitionNode[]): string[] {
  const named: string[] = [];
  visit(definition, { [Kind.NAMED_TYPE]: ({ name }) => void named.push(name.value) });
  const implementations = definitions.filter(
    (each) => 'interfaces' in each && each.interfaces?.some(({ name }) => name.value === getDefinitionName(definition)),
  );
  return [...named, ...implementations.map(getDefinitionName)];
}

const isEntity = (definition: DefinitionNode) =>
  'directives' in definition && definition.directives?.some(({ name }) => name.value === 'key') === true;

/** Names of the types that clients can reach, from the root types and from entities, which other subgraphs refer to. */
function findReachableTypes(definitions: readonly DefinitionNode[]): ReadonlySet<string> {
  const found = new Set(['Query', 'Mutation', ...definitions.filter(isEntity).map(getDefinitionName)]);
  // Iterating over a set includes names that are added during the iteration.
  for (const name of found) {
    for (const definition of definitions.filter((each) => getDefinitionName(each) === name)) {
      for (const next of findReferences(definition, definitions)) found.add(next);
    }
  }
  return found;
}

/** Removes members from the older schema that were removed after their announced date, and the types that only these members referred to. */
function removeExpired(old: DocumentNode, now: DocumentNode, today: Date): DocumentNode {
  const present = new Set(listMembers(now).map(({ coordinate }) => coordinate));
  const expired = listMembers(old).filter((member) => !present.has(member.coordinate) && hasExpired(member, today));
  if (expired.length === 0) return old;
  const removed = new Set(expired.map(({ coordinate }) => coordinate));
  const remaining: DocumentNode = visit(old, {
    enter: (node, _key, _parent, _path, ancestors) => (isMember(node) && removed.has(getCoordinate(node, ancestors)) ? null : undefined),
  });
  const [before, after] = [findReachableTypes(old.definitions), findReachableTypes(remaining.definitions)];
  return {
    ...remaining,
    definitions: remaining.definitions.filter((each) => after.has(getDefinitionName(each)) || !before.has(getDefinitionName(each))),
  };
}

/** Returns the changes since an older schema, and the deprecations that break a rule of docs/versioning.md. */
export async function compareSchemas(old: DocumentNode, now: DocumentNode, today = new Date()): Promise<SchemaChange[]> {
  const [before, after] = [toSchema(removeExpired(old, now, today)), toSchema(now)];
  const remaining = new Set(printComposedDirectives(after));
  const removed = printComposedDirectives(before).filter((each) => !remaining.has(each));
  const changes = await diff(before, after);
  const breaking = (message: string) => ({ level: CriticalityLevel.Breaking, message });
  return [
    // The inspector treats these like any other directive.
    ...removed.map((each) => breaking(`${each} was removed, but other subgraphs can depend on it.`)),
    ...findDeprecationProblems(listMembers(old), listMembers(now), today).map(breaking),
    ...changes.map(({ criticality, message, path }) => ({ level: criticality.level, message, path })),
  ];
}

/** Whether a schema is the subgraph schema rather than the client schema. */
export const isSubgraph = (document: DocumentNode): boolean => document.definitions.some(({ kind }) => kind === Kind.SCHEMA_EXTENSION);
