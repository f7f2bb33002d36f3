import { type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { type GraphQLField, type GraphQLObjectType, getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { getFieldWeight } from '../../../src/schema/cost/fieldCalls.ts';
import { isPaged } from '../../../src/schema/cost/listSizes.ts';
import type { CostExtensions } from '../../../src/schema/kit/costExtensions.ts';
import { toCompositeId } from '../../../src/schema/kit/globalIds.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { getEntityOfType } from '../../../src/schema/kit/registry.ts';
import { Effect } from '../../../src/upstream/contract/generated/publicapi/v1/options_pb.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { createDocuments } from '../../support/documentFor.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph } = getGraph();

/** Input fields whose valid values the types don't specify. */
const ADDITIONAL_INPUT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  invoiceSend: { input: { invoiceId: toCompositeId('Invoice', ['o', 'c', '1']) } },
  customerFileUploadCreate: { input: { contentType: 'application/pdf' } },
};

/** Levels of nested objects to select below a payload. */
const DEPTH = 3;

const STRING_SAMPLES: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/currency/i, 'EUR'],
  [/country/i, 'NL'],
  [/url/i, 'https://example.com/'],
  [/color/i, '#112233'],
  [/timeZone/i, 'Europe/Amsterdam'],
];

function createSample(field: DescField): JsonValue {
  if (field.fieldKind === 'map') return { name: 'value' };
  const value = field.message ? createSampleRecord(field.message) : createScalar(field);
  return field.fieldKind === 'list' ? [value] : value;
}

function createScalar({ jsonName, enum: enumType, scalar: type }: DescField): JsonValue {
  if (enumType) return enumType.values[1]?.name ?? '';
  if (type === ScalarType.BOOL) return true;
  if (type !== ScalarType.STRING) return type === ScalarType.INT64 ? '1772442000' : 5;
  return STRING_SAMPLES.find(([pattern]) => pattern.test(jsonName))?.[1] ?? `a ${jsonName}`;
}

/** A record with a value in every field. */
const createSampleRecord = ({ fields }: DescMessage): JsonObject =>
  Object.fromEntries(fields.map((field) => [field.jsonName, createSample(field)]));

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));

/** Responds to writes with every field of the contract. The sandbox serves reads. */
const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const endpoint = byPath.get(request.path);
    if (!endpoint || endpoint.options.effect === Effect.READ) return usual(request);
    return { status: 200, headers: {}, body: JSON.stringify(createSampleRecord(endpoint.method.output)) };
  }),
});

type Field = GraphQLField<unknown, unknown>;

const isSelected = ({ args, type }: Field, depth: number) =>
  !args.some(isRequiredArgument) && (depth > 0 || !isCompositeType(getNamedType(type)));

/** Selects all fields of a type and of its nested objects. */
function selectAll(type: GraphQLObjectType, depth: number): string {
  const fields = Object.values(type.getFields()).filter((field) => isSelected(field, depth));
  const selectTarget = (field: Field) => {
    const target = getNamedType(field.type);
    if (!isCompositeType(target)) return '';
    return isObjectType(target) ? `{ ${selectAll(target, depth - 1)} }` : '{ __typename ... on Node { id } }';
  };
  return ['__typename', ...fields.map((field) => `${field.name} ${selectTarget(field)}`)].join(' ');
}

/** Whether mutations return objects of a type in part. */
const isReturnedPartial = (type: GraphQLObjectType) => Object.keys(getEntityOfType(type)?.knownFields ?? {}).length > 0;

/** Whether a field can require a read, so that it resolves to null for a key without read scopes. */
function canRequireRead(parent: GraphQLObjectType, field: Field): boolean {
  const { calls, sharedCall } = field.extensions as CostExtensions;
  const isRead = getFieldWeight(parent, field) > 0 || calls !== undefined || sharedCall !== undefined;
  return isRead || isReturnedPartial(parent) || READ_LATER.has(`${parent.name}.${field.name}`);
}

/** Fields that the upstream omits from the response of a mutation. */
const READ_LATER = new Set(['InventoryBalance.inbound']);

/** Whether the payload only links to the field's records, which aren't part of the response. */
const isLinked = (field: Field) => {
  const { isFetchedById, isReadByItem } = field.extensions as CostExtensions;
  return isFetchedById === true || isReadByItem === true || isPaged(field);
};

type Path = readonly (string | number)[];
const toKey = (path: Path) => JSON.stringify(path);

interface Results {
  /** The result for a key that can execute only the mutation. */
  readonly narrow: unknown;
  /** The result for a key with all scopes. */
  readonly full: unknown;
}

/** Reports fields that the narrow key lacks without reason. */
function* listMissing({ narrow, full }: Results, type: GraphQLObjectType, path: Path, failed: ReadonlySet<string>): Generator<string> {
  for (const field of Object.values(type.getFields())) {
    const [own, all] = [narrow, full].map((object) => (object as Record<string, unknown>)[field.name]);
    const fieldPath = [...path, field.name];
    const isExpected = type.name.endsWith('Payload') && !isLinked(field);
    if (own === undefined || (own === null && all === null && !isExpected)) continue;
    if (own === null) {
      if (isExpected) yield `${toKey(fieldPath)} is null in the payload`;
      else if (!failed.has(toKey(fieldPath))) yield `${toKey(fieldPath)} is null without an error of its own`;
      else if (!canRequireRead(type, field)) yield `${toKey(fieldPath)} failed, and was answered by the upstream`;
      continue;
    }
    const target = getNamedType(field.type);
    if (!isObjectType(target)) {
      // A partially known record is fetched for the full key. The tests of its mutations cover its known fields.
      const isPartial = isReturnedPartial(type);
      // For the full key, reading before the write shows that there is nothing to do.
      const isCompared = field.name === 'effect' && all === 'UNCHANGED';
      if (!isPartial && !isCompared && !isCompositeType(target) && JSON.stringify(own) !== JSON.stringify(all))
        yield `${toKey(fieldPath)} is another: ${JSON.stringify([own, all])}`;
      continue;
    }
    const [rows, allRows] = [own, all].map((value) => (Array.isArray(value) ? value : [value]));
    for (const [index, row] of (rows ?? []).entries()) {
      const itemPath = Array.isArray(own) ? [...fieldPath, index] : fieldPath;
      if (row !== null) yield* listMissing({ narrow: row, full: allRows?.[index] ?? {} }, target, itemPath, failed);
      else if (!failed.has(toKey(itemPath))) yield `${toKey(itemPath)} is null without an error of its own`;
    }
  }
}

const mutations = Object.values(graph.getMutationType()?.getFields() ?? {}).map((field) => {
  const operation = getOperation(field) as AnyOperation;
  return [field.name, operation] as const;
});

describe('key that can execute one mutation and read nothing', () => {
  it.each(mutations)('receives from %s everything that the upstream returned', async (name, operation) => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const payload = graph.getType(`${title}Payload`) as GraphQLObjectType;
    const [document] = createDocuments({ type: 'Mutation', field: name, operation }, ADDITIONAL_INPUT[name]);
    const query = `mutation ($input: ${title}Input!) { ${name}(input: $input) { __typename ... on ${title}Payload { ${selectAll(payload, DEPTH)} } ... on MutationError { code message } } }`;
    const input = document?.variables.input as Record<string, unknown>;
    const execute = (of: string) => {
      const own = 'idempotencyKey' in input ? { idempotencyKey: `${name} of ${of}` } : {};
      return testGraph.executeAs(of, query, { input: { ...input, ...own } });
    };
    const conditional = operation.conditionalScopes?.map(({ scope }) => scope) ?? [];
    const narrow = await execute(makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...operation.scopes, ...conditional] }));
    const full = await execute('demo-owner');
    expect(narrow.data?.[name], JSON.stringify(narrow.errors)).toMatchObject({ __typename: payload.name });
    const failed = new Set((narrow.errors ?? []).map(({ path = [] }) => toKey(path)));
    expect([...listMissing({ narrow: narrow.data[name], full: full.data[name] }, payload, [name], failed)]).toEqual([]);
  });
});
