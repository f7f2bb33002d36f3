import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildASTSchema, type DefinitionNode, type DocumentNode, type GraphQLSchema, isObjectType, Kind, print, visit } from 'graphql';
import { coordinateOf, deprecationProblems, hasEnded, isMember, membersOf } from './deprecations.ts';

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
const composedDirectives = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap(({ name, astNode }) =>
      (astNode?.directives ?? [])
        .filter((directive) => /^(key|shareable)$/.test(directive.name.value))
        .map((directive) => `${name} ${print(directive)}`),
    );

const nameOf = (definition: DefinitionNode): string => ('name' in definition && definition.name?.value) || '';

/** Names that a definition refers to. An interface refers to the objects that implement it. */
function referencesOf(definition: DefinitionNode, definitions: readonly DefinitionNode[]): string[] {
  const named: string[] = [];
  visit(definition, { [Kind.NAMED_TYPE]: ({ name }) => void named.push(name.value) });
  const implementations = definitions.filter(
    (each) => 'interfaces' in each && each.interfaces?.some(({ name }) => name.value === nameOf(definition)),
  );
  return [...named, ...implementations.map(nameOf)];
}

const isEntity = (definition: DefinitionNode) =>
  'directives' in definition && definition.directives?.some(({ name }) => name.value === 'key') === true;

/** Names of the types that clients can reach, from the root types and from entities, which other subgraphs refer to. */
function reachable(definitions: readonly DefinitionNode[]): ReadonlySet<string> {
  const found = new Set(['Query', 'Mutation', ...definitions.filter(isEntity).map(nameOf)]);
  // Iterating over a set includes the names that are added meanwhile.
  for (const name of found) {
    for (const definition of definitions.filter((each) => nameOf(each) === name)) {
      for (const next of referencesOf(definition, definitions)) found.add(next);
    }
  }
  return found;
}

/** Removes the members from an older schema that were removed after their last day, and the types that only these members referred to. */
function withoutExpired(old: DocumentNode, now: DocumentNode, today: Date): DocumentNode {
  const present = new Set(membersOf(now).map(({ coordinate }) => coordinate));
  const expired = membersOf(old).filter((member) => !present.has(member.coordinate) && hasEnded(member, today));
  if (expired.length === 0) return old;
  const gone = new Set(expired.map(({ coordinate }) => coordinate));
  const kept: DocumentNode = visit(old, {
    enter: (node, _key, _parent, _path, ancestors) => (isMember(node) && gone.has(coordinateOf(node, ancestors)) ? null : undefined),
  });
  const [before, after] = [reachable(old.definitions), reachable(kept.definitions)];
  return { ...kept, definitions: kept.definitions.filter((each) => after.has(nameOf(each)) || !before.has(nameOf(each))) };
}

/** Returns the changes since an older schema, and the deprecations that break a rule of docs/versioning.md. */
export async function compareSchemas(old: DocumentNode, now: DocumentNode, today = new Date()): Promise<SchemaChange[]> {
  const [before, after] = [toSchema(withoutExpired(old, now, today)), toSchema(now)];
  const kept = new Set(composedDirectives(after));
  const gone = composedDirectives(before).filter((each) => !kept.has(each));
  const changes = await diff(before, after);
  const breaking = (message: string) => ({ level: CriticalityLevel.Breaking, message });
  return [
    // The inspector treats them like any other directive.
    ...gone.map((each) => breaking(`${each} was removed, but other subgraphs can depend on it.`)),
    ...deprecationProblems(membersOf(old), membersOf(now), today).map(breaking),
    ...changes.map(({ criticality, message, path }) => ({ level: criticality.level, message, path })),
  ];
}

/** Whether a schema is the subgraph, and not the client schema. */
export const isSubgraph = (document: DocumentNode): boolean => document.definitions.some(({ kind }) => kind === Kind.SCHEMA_EXTENSION);
