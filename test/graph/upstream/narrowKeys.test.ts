import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { type GraphQLField, type GraphQLObjectType, getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { getFieldWeight, isPaged } from '../../../src/schema/cost/cost.ts';
import type { CostExtensions } from '../../../src/schema/kit/costExtensions.ts';
import { toCompositeId } from '../../../src/schema/kit/globalIds.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import type { KnownFields } from '../../../src/schema/kit/registry.ts';
import { Effect } from '../../../src/upstream/contract/generated/publicapi/v1/options_pb.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { documentsFor } from '../../support/documentFor.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph } = getGraph();

/** Members of inputs that the types do not tell. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  invoiceSend: { input: { invoiceId: toCompositeId('Invoice', ['o', 'c', '1']) } },
  customerFileUploadCreate: { input: { contentType: 'application/pdf' } },
};

/** Levels of objects below a payload that are asked for. */
const DEPTH = 3;

const TEXTS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/currency/i, 'EUR'],
  [/country/i, 'NL'],
  [/url/i, 'https://example.com/'],
  [/color/i, '#112233'],
  [/timeZone/i, 'Europe/Amsterdam'],
];

function sample(field: DescField): JsonValue {
  if (field.fieldKind === 'map') return { name: 'value' };
  const value = field.message ? sampleOf(field.message) : scalar(field);
  return field.fieldKind === 'list' ? [value] : value;
}

function scalar({ jsonName, enum: words, scalar: type }: DescField): JsonValue {
  if (words) return words.values[1]?.name ?? '';
  if (type === ScalarType.BOOL) return true;
  if (type !== ScalarType.STRING) return type === ScalarType.INT64 ? '1772442000' : 5;
  return TEXTS.find(([pattern]) => pattern.test(jsonName))?.[1] ?? `a ${jsonName}`;
}

/** A record with a value in every member. */
const sampleOf = ({ fields }: DescMessage): JsonObject => Object.fromEntries(fields.map((field) => [field.jsonName, sample(field)]));

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));

/** Every change is answered with all that its contract has; reads go to the sandbox. */
const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const endpoint = byPath.get(request.path);
    if (!endpoint || endpoint.options.effect === Effect.READ) return usual(request);
    return { status: 200, headers: {}, body: JSON.stringify(sampleOf(endpoint.method.output)) };
  }),
});

type Field = GraphQLField<unknown, unknown>;

const isAsked = ({ args, type }: Field, depth: number) =>
  !args.some(isRequiredArgument) && (depth > 0 || !isCompositeType(getNamedType(type)));

/** All fields of a type, and of the objects below it. */
function everything(type: GraphQLObjectType, depth: number): string {
  const fields = Object.values(type.getFields()).filter((field) => isAsked(field, depth));
  const inner = (field: Field) => {
    const target = getNamedType(field.type);
    if (!isCompositeType(target)) return '';
    return isObjectType(target) ? `{ ${everything(target, depth - 1)} }` : '{ __typename ... on Node { id } }';
  };
  return ['__typename', ...fields.map((field) => `${field.name} ${inner(field)}`)].join(' ');
}

/** Whether a field may have to be read, so that a key which may not read is answered null for it. */
function mayBeRead(parent: GraphQLObjectType, field: Field): boolean {
  const { calls, sharedCall } = field.extensions as CostExtensions;
  const { told } = parent.extensions as { readonly told?: KnownFields };
  const isRead = getFieldWeight(parent, field) > 0 || calls !== undefined || sharedCall !== undefined;
  return isRead || told !== undefined || READ_LATER.has(`${parent.name}.${field.name}`);
}

/** Fields that the upstream leaves out of the answer of a mutation. */
const READ_LATER = new Set(['InventoryBalance.inbound']);

/** Whether a payload only leads to it: it is no part of the answer. */
const isLedTo = (field: Field) => (field.extensions as CostExtensions).isFetchedById === true || isPaged(field);

type Path = readonly (string | number)[];
const key = (path: Path) => JSON.stringify(path);

interface Answers {
  /** Of a key that may do the mutation and nothing else. */
  readonly narrow: unknown;
  /** Of a key that may do everything. */
  readonly full: unknown;
}

/** Fields that the narrow key misses and need not miss. */
function* missed({ narrow, full }: Answers, type: GraphQLObjectType, path: Path, failed: ReadonlySet<string>): Generator<string> {
  for (const field of Object.values(type.getFields())) {
    const [own, all] = [narrow, full].map((object) => (object as Record<string, unknown>)[field.name]);
    const here = [...path, field.name];
    const isPromised = type.name.endsWith('Payload') && !isLedTo(field);
    if (own === undefined || (own === null && all === null && !isPromised)) continue;
    if (own === null) {
      if (isPromised) yield `${key(here)} is null in the payload`;
      else if (!failed.has(key(here))) yield `${key(here)} is null without an error of its own`;
      else if (!mayBeRead(type, field)) yield `${key(here)} failed, and was answered by the upstream`;
      continue;
    }
    const target = getNamedType(field.type);
    if (!isObjectType(target)) {
      // A record that is told in part is read for the full key: what is told of it is in the tests of its mutations.
      const isPartial = 'knownFields' in type.extensions;
      // Reading before a step tells that there was nothing to do.
      const isCompared = field.name === 'effect' && all === 'UNCHANGED';
      if (!isPartial && !isCompared && !isCompositeType(target) && JSON.stringify(own) !== JSON.stringify(all))
        yield `${key(here)} is another: ${JSON.stringify([own, all])}`;
      continue;
    }
    const [rows, allRows] = [own, all].map((value) => (Array.isArray(value) ? value : [value]));
    for (const [index, row] of (rows ?? []).entries()) {
      const place = Array.isArray(own) ? [...here, index] : here;
      if (row !== null) yield* missed({ narrow: row, full: allRows?.[index] ?? {} }, target, place, failed);
      else if (!failed.has(key(place))) yield `${key(place)} is null without an error of its own`;
    }
  }
}

const mutations = Object.values(graph.getMutationType()?.getFields() ?? {}).map((field) => {
  const operation = getOperation(field) as AnyOperation;
  return [field.name, operation] as const;
});

describe('a key that may do one thing and read nothing', () => {
  it.each(mutations)('gets from %s all that the upstream answered', async (name, operation) => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const payload = graph.getType(`${title}Payload`) as GraphQLObjectType;
    const [document] = documentsFor({ type: 'Mutation', field: name, operation }, GIVEN[name]);
    const query = `mutation ($input: ${title}Input!) { ${name}(input: $input) { __typename ... on ${title}Payload { ${everything(payload, DEPTH)} } ... on MutationError { code message } } }`;
    const input = document?.variables.input as Record<string, unknown>;
    const ask = (of: string) => {
      const own = 'idempotencyKey' in input ? { idempotencyKey: `${name} of ${of}` } : {};
      return testGraph.executeAs(of, query, { input: { ...input, ...own } });
    };
    const conditional = operation.conditionalScopes?.map(({ scope }) => scope) ?? [];
    const narrow = await ask(makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...operation.scopes, ...conditional] }));
    const full = await ask('demo-owner');
    expect(narrow.data?.[name], JSON.stringify(narrow.errors)).toMatchObject({ __typename: payload.name });
    const failed = new Set((narrow.errors ?? []).map(({ path = [] }) => key(path)));
    expect([...missed({ narrow: narrow.data[name], full: full.data[name] }, payload, [name], failed)]).toEqual([]);
  });
});
