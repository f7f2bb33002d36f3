import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredInputField,
  isUnionType,
} from 'graphql';
import { beforeAll } from 'vitest';
import type { World as SandboxWorld } from '../../../sandbox/kernel/world.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { getDeclaredTags } from '../../../src/subgraph/directives.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { graph } from '../contract/graph.ts';
import { createValidInput, type Input, VARIANTS } from '../contract/inputs.ts';
import { type TestGraphOptions, useTestGraph } from '../testGraph.ts';
import { DEMO, Records, type Workspace } from './records.ts';

/** A mutation of the graph, with one of its variants. */
export interface Mutation {
  readonly title: string;
  readonly field: string;
  readonly variant: string | undefined;
  readonly operation: AnyOperation;
  readonly input: GraphQLInputObjectType;
  readonly document: string;
  /** Whether requests without an idempotency key are rejected. */
  readonly requiresKey: boolean;
  /** Whether the graph sends the key to the upstream. */
  readonly passesKeyUpstream: boolean;
  /** Whether the upstream deduplicates by key. If so, the graph also sends it retries of successful calls. */
  readonly isDeduplicatedUpstream: boolean;
  /** Payload fields that are only returned once. They're null in responses to retries. */
  readonly returnedOnce: readonly string[];
}

/** Selects the payload fields that need no other upstream call: scalars, and IDs of records. */
function createPayloadSelection(type: GraphQLObjectType): string {
  const members = Object.values(type.getFields()).map((field) => {
    const { name, args } = field;
    const named = getNamedType(field.type);
    if (isLeafType(named)) return name;
    if (args.length > 0 || getOperation(field)) return '';
    const known = named.name === 'RecordId' ? ['field', 'value'] : ['id', 'rawId'];
    const ids = isObjectType(named) ? known.filter((id) => id in named.getFields()) : [];
    return `${name} { __typename ${ids.join(' ')} }`;
  });
  return members.join(' ');
}

const FAILURE = `code message retry
  ... on ValidationError { issues { path code limit message } }
  ... on NotFoundError { missingId path }
  ... on ForbiddenError { reason missingScopes }
  ... on VersionConflictError { expectedVersion currentVersion current { __typename } }
  ... on OutcomeUnknownError { operation idempotencyKey candidates { __typename rawId } }`;

function findPayload({ name, type }: GraphQLField<unknown, unknown>): GraphQLObjectType {
  const result = getNamedType(type);
  const payload = isUnionType(result) && result.getTypes().find((member) => member.name.endsWith('Payload'));
  if (!payload) throw new Error(`${name} returns no union with a payload.`);
  return payload;
}

function buildDocument(name: string, payload: GraphQLObjectType, input: string): string {
  return `mutation ($input: ${input}!) {
    ${name}(input: $input) { __typename ... on ${payload.name} { ${createPayloadSelection(payload)} } ... on MutationError { ${FAILURE} } }
  }`;
}

function listVariants(field: GraphQLField<unknown, unknown>): Mutation[] {
  const operation = getOperation(field);
  const input = getNamedType(field.args[0]?.type);
  if (!operation || !isInputObjectType(input)) throw new Error(`${field.name} must call an operation, and take an input.`);
  const key = input.getFields().idempotencyKey;
  const payload = findPayload(field);
  const members = Object.values(payload.getFields());
  const shared = {
    field: field.name,
    operation,
    input,
    document: buildDocument(field.name, payload, input.name),
    returnedOnce: members.filter((member) => getDeclaredTags(member).includes('secret')).map(({ name }) => name),
    requiresKey: key !== undefined && isRequiredInputField(key),
  };
  return [undefined, ...Object.keys(VARIANTS[field.name] ?? {})].map((variant) => {
    const passesKeyUpstream = operation.keyField !== undefined && (operation.keyWhen === undefined || variant !== undefined);
    const isDeduplicatedUpstream = passesKeyUpstream || operation.effect === 'SETTLED';
    return { ...shared, title: variant ? `${field.name} ${variant}` : field.name, variant, passesKeyUpstream, isDeduplicatedUpstream };
  });
}

/** Every variant of every mutation of the graph. */
export const MUTATIONS: readonly Mutation[] = Object.values(graph.getMutationType()?.getFields() ?? {}).flatMap(listVariants);

/** Every mutation once, for `it.each`. */
export const EACH = MUTATIONS.filter(({ variant }) => variant === undefined).map((mutation) => [mutation.title, mutation] as const);

/** Every variant of every mutation, for `it.each`. */
export const EACH_VARIANT = MUTATIONS.map((mutation) => [mutation.title, mutation] as const);

/** Result of a mutation: its payload or its error. */
// biome-ignore lint/suspicious/noExplicitAny: tests compare responses
type Result = any;

/** Result of one request, with its effect on the upstream. */
export interface MutationResult {
  readonly result: Result;
  /** Top-level errors, such as those for variables of the wrong type. */
  readonly errors: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[] | undefined;
  /** Calls that reached the upstream, in order. */
  readonly calls: readonly string[];
  /** Number of rows that the sandbox has written. */
  readonly writes: number;
}

/** Counts all row changes, except those that are rolled back. Thus, a duplicate write counts even if it writes the same values. */
function countWrites({ store }: SandboxWorld): () => number {
  const tables = store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  store.exec('CREATE TABLE writes (rows INTEGER NOT NULL); INSERT INTO writes VALUES (0)');
  for (const { name } of tables)
    for (const change of ['INSERT', 'UPDATE', 'DELETE'])
      store.exec(`CREATE TRIGGER main.${change}_in_${name} AFTER ${change} ON ${name} BEGIN UPDATE writes SET rows = rows + 1; END`);
  return () => store.get<{ rows: number }>('SELECT rows FROM writes')?.rows ?? 0;
}

/** A world for sending mutations that counts the effects of each on the upstream. */
export function useMutations(graphOptions?: TestGraphOptions) {
  const testGraph = useTestGraph({}, undefined, graphOptions);
  let getWriteCount = () => 0;
  beforeAll(() => {
    getWriteCount = countWrites(testGraph.sandbox.world);
  });
  const createRecords = (workspace: Workspace = DEMO) =>
    new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }, workspace);

  return Object.assign(testGraph, {
    /** Creates the records for a new operation in a workspace. */
    recordsOf: createRecords,

    /** Creates the input of a new operation. */
    newInput: ({ field, input, variant }: Mutation): Promise<Input> => createValidInput(field, input, variant, createRecords()),

    ask: async ({ field, document }: Mutation, input: Input, key = 'demo-owner'): Promise<MutationResult> => {
      const before = getWriteCount();
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, { input }));
      return { result: data?.[field] ?? null, errors, calls, writes: getWriteCount() - before };
    },
  });
}
