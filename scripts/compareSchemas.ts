import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildASTSchema, type DefinitionNode, type DocumentNode, type GraphQLSchema, isObjectType, Kind, print, visit } from 'graphql';
import { coordinateOf, deprecationProblems, hasEnded, isMember, membersOf } from './deprecations.ts';

/** A difference between two schemas. */
export interface SchemaChange {
  readonly level: CriticalityLevel;
  readonly message: string;
}

/** A schema as it is written, whatever directives it has. */
export const toSchema = (document: DocumentNode): GraphQLSchema => buildASTSchema(document, { assumeValidSDL: true });

/** The `@key` and `@shareable` directives of all object types, printed: other subgraphs rely on them. */
const reliedOn = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap(({ name, astNode }) =>
      (astNode?.directives ?? [])
        .filter((directive) => /^(key|shareable)$/.test(directive.name.value))
        .map((directive) => `${name} ${print(directive)}`),
    );

const nameOf = (definition: DefinitionNode): string => ('name' in definition && definition.name?.value) || '';

/** The names that a definition leads to. An interface leads to the objects that have it. */
function leadsTo(definition: DefinitionNode, definitions: readonly DefinitionNode[]): string[] {
  const named: string[] = [];
  visit(definition, { [Kind.NAMED_TYPE]: ({ name }) => void named.push(name.value) });
  const having = definitions.filter(
    (each) => 'interfaces' in each && each.interfaces?.some(({ name }) => name.value === nameOf(definition)),
  );
  return [...named, ...having.map(nameOf)];
}

const isEntity = (definition: DefinitionNode) =>
  'directives' in definition && definition.directives?.some(({ name }) => name.value === 'key') === true;

/** The names of the types that clients can come to: from the roots, and from entities, which other subgraphs refer to. */
function reachable(definitions: readonly DefinitionNode[]): ReadonlySet<string> {
  const found = new Set(['Query', 'Mutation', ...definitions.filter(isEntity).map(nameOf)]);
  // A set hands out what is added while it is gone through.
  for (const name of found) {
    for (const definition of definitions.filter((each) => nameOf(each) === name)) {
      for (const next of leadsTo(definition, definitions)) found.add(next);
    }
  }
  return found;
}

/** The older schema as far as it still binds: without members that are gone and whose time was over, and types that nothing else led to. */
function binding(old: DocumentNode, now: DocumentNode, today: Date): DocumentNode {
  const present = new Set(membersOf(now).map(({ coordinate }) => coordinate));
  const over = membersOf(old).filter((member) => !present.has(member.coordinate) && hasEnded(member, today));
  if (over.length === 0) return old;
  const gone = new Set(over.map(({ coordinate }) => coordinate));
  const kept: DocumentNode = visit(old, {
    enter: (node, _key, _parent, _path, ancestors) => (isMember(node) && gone.has(coordinateOf(node, ancestors)) ? null : undefined),
  });
  const [before, after] = [reachable(old.definitions), reachable(kept.definitions)];
  return { ...kept, definitions: kept.definitions.filter((each) => after.has(nameOf(each)) || !before.has(nameOf(each))) };
}

/** Everything that differs between an older schema and the one of now, and what is wrong with its deprecations. */
export async function compareSchemas(old: DocumentNode, now: DocumentNode, today = new Date()): Promise<SchemaChange[]> {
  const [before, after] = [toSchema(binding(old, now, today)), toSchema(now)];
  const kept = new Set(reliedOn(after));
  const gone = reliedOn(before).filter((each) => !kept.has(each));
  const changes = await diff(before, after);
  const breaking = (message: string) => ({ level: CriticalityLevel.Breaking, message });
  return [
    // For the inspector these are directives like any other.
    ...gone.map((each) => breaking(`${each} was removed, but other subgraphs can depend on it.`)),
    ...deprecationProblems(membersOf(old), membersOf(now), today).map(breaking),
    ...changes.map(({ criticality, message }) => ({ level: criticality.level, message })),
  ];
}

/** Whether a schema is what a supergraph is composed from, not what clients see. */
export const isSubgraph = (document: DocumentNode): boolean => document.definitions.some(({ kind }) => kind === Kind.SCHEMA_EXTENSION);
