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
import { operationOf } from '../../../src/schema/kit/operations.ts';
import { declaredTags } from '../../../src/subgraph/directives.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { useWorld } from '../world.ts';
import { graph } from './graph.ts';
import { type Input, VARIANTS, validInput } from './inputs.ts';
import { DEMO, Records, type Workspace } from './records.ts';

/** A mutation of the graph, in one of the ways in which it can be asked for. */
export interface Mutation {
  readonly title: string;
  readonly field: string;
  readonly variant: string | undefined;
  readonly operation: AnyOperation;
  readonly input: GraphQLInputObjectType;
  readonly document: string;
  /** Takes no request without an idempotency key. */
  readonly mustHaveKey: boolean;
  /** Whether the key goes to the upstream. */
  readonly carriesKey: boolean;
  /** Whether the upstream itself recognises a repeat: then a repeat of what is done is sent to it. */
  readonly isKnownUpstream: boolean;
  /** Members of the payload that are told once: a repeat is answered null. */
  readonly toldOnce: readonly string[];
}

/** Members of a payload that are read without a further call: values, and the ids of records. */
function payloadSelection(type: GraphQLObjectType): string {
  const members = Object.values(type.getFields()).map(({ name, type: member, args }) => {
    const named = getNamedType(member);
    if (isLeafType(named)) return name;
    if (args.length > 0) return '';
    const ids = isObjectType(named) ? ['id', 'rawId'].filter((id) => id in named.getFields()) : [];
    return `${name} { __typename ${ids.join(' ')} }`;
  });
  return members.join(' ');
}

const FAILURE = `code message retry
  ... on ValidationError { issues { path code limit message } }
  ... on NotFoundError { missingId path }
  ... on ForbiddenError { reason missingScopes }
  ... on VersionConflictError { expectedVersion currentVersion current { __typename } }
  ... on OutcomeUnknownError { operation idempotencyKey }`;

function payloadOf({ name, type }: GraphQLField<unknown, unknown>): GraphQLObjectType {
  const result = getNamedType(type);
  const payload = isUnionType(result) && result.getTypes().find((member) => member.name.endsWith('Payload'));
  if (!payload) throw new Error(`${name} answers no union with a payload.`);
  return payload;
}

function documentOf(name: string, payload: GraphQLObjectType, input: string): string {
  return `mutation ($input: ${input}!) {
    ${name}(input: $input) { __typename ... on ${payload.name} { ${payloadSelection(payload)} } ... on MutationError { ${FAILURE} } }
  }`;
}

function mutationsOf(field: GraphQLField<unknown, unknown>): Mutation[] {
  const operation = operationOf(field);
  const input = getNamedType(field.args[0]?.type);
  if (!operation || !isInputObjectType(input)) throw new Error(`${field.name} must call an operation, and take an input.`);
  const key = input.getFields().idempotencyKey;
  const payload = payloadOf(field);
  const members = Object.values(payload.getFields());
  const shared = {
    field: field.name,
    operation,
    input,
    document: documentOf(field.name, payload, input.name),
    toldOnce: members.filter((member) => declaredTags(member).includes('secret')).map(({ name }) => name),
    mustHaveKey: key !== undefined && isRequiredInputField(key),
  };
  return [undefined, ...Object.keys(VARIANTS[field.name] ?? {})].map((variant) => {
    const carriesKey = operation.keyField !== undefined && (operation.keyWhen === undefined || variant !== undefined);
    const isKnownUpstream = carriesKey || operation.effect === 'SETTLED';
    return { ...shared, title: variant ? `${field.name} ${variant}` : field.name, variant, carriesKey, isKnownUpstream };
  });
}

/** Every mutation of the graph. */
export const MUTATIONS: readonly Mutation[] = Object.values(graph.getMutationType()?.getFields() ?? {}).flatMap(mutationsOf);

/** Every mutation of the graph once, whatever its variants, for `it.each`. */
export const EACH = MUTATIONS.filter(({ variant }) => variant === undefined).map((mutation) => [mutation.title, mutation] as const);

/** Every mutation in each of its variants, for `it.each`. */
export const EACH_VARIANT = MUTATIONS.map((mutation) => [mutation.title, mutation] as const);

/** An answer of a mutation: its payload, or the failure that it tells. */
// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
type Told = any;

/** Result of one request, with its effect on the upstream. */
export interface MutationResult {
  readonly told: Told;
  /** Errors beside the union, such as that of a variable which no type takes. */
  readonly errors: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[] | undefined;
  /** Calls that reached the upstream, in order. */
  readonly calls: readonly string[];
  /** Rows that the sandbox has written. */
  readonly writes: number;
}

/** Counts every row that is written, and takes back what is rolled back. An act that is done twice shows, even when it writes the same values. */
function countWrites({ store }: SandboxWorld): () => number {
  const tables = store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  store.exec('CREATE TABLE writes (rows INTEGER NOT NULL); INSERT INTO writes VALUES (0)');
  for (const { name } of tables)
    for (const change of ['INSERT', 'UPDATE', 'DELETE'])
      store.exec(`CREATE TRIGGER main.${change}_in_${name} AFTER ${change} ON ${name} BEGIN UPDATE writes SET rows = rows + 1; END`);
  return () => store.get<{ rows: number }>('SELECT rows FROM writes')?.rows ?? 0;
}

/** A world in which mutations are asked for, and in which the effects of each on the upstream are counted. */
export function useMutations() {
  const world = useWorld();
  let written = () => 0;
  beforeAll(() => {
    written = countWrites(world.sandbox.world);
  });
  const recordsOf = (workspace: Workspace = DEMO) => new Records({ url: world.sandbox.url, world: world.sandbox.world }, workspace);

  return Object.assign(world, {
    /** The records for an act in a workspace that nobody has asked for yet. */
    recordsOf,

    /** The input of an act that nobody has asked for yet. */
    newInput: ({ field, input, variant }: Mutation): Promise<Input> => validInput(field, input, variant, recordsOf()),

    ask: async ({ field, document }: Mutation, input: Input, key = 'demo-owner'): Promise<MutationResult> => {
      const before = written();
      const [{ data, errors }, calls] = await world.calls(() => world.graphAs(key, document, { input }));
      return { told: data?.[field] ?? null, errors, calls, writes: written() - before };
    },
  });
}
