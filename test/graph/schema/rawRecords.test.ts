import { type GraphQLObjectType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.ts';
import { DEFAULT_SUBGRAPH } from '../../../src/subgraph/options.ts';
import { printClientSchema } from '../../../src/subgraph/print.ts';
import { records } from '../../../src/upstream/contract/generated/messages.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { buildRecordsQuery, createRecordsQueryVariables, findTypedObjects } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createQuoting } from '../../support/quoting.ts';
import { RAW_RECORDS, useTestGraph } from '../../support/testGraph.ts';

const { schema: graph, sdl } = getGraph({ ...DEFAULT_SUBGRAPH, hasRawRecords: true });

const objects = Object.values(graph.getTypeMap()).filter(isObjectType);
const getRecordName = ({ extensions }: GraphQLObjectType) => (extensions as { readonly record?: string }).record;
const recordTypes = objects.filter((type) => getRecordName(type) !== undefined);
const withRawRecords = objects.filter((type) => 'upstreamRecord' in type.getFields());

/** A contract record and the records nested in it. */
function listNested(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const { message } of Object.values(records[name]?.fields ?? {}))
    if (message && message.name in records) listNested(message.name, found);
  return found;
}

/** Records without a type: an analytics query is returned as JSON. */
const RETURNED_AS_JSON = listNested('AnalyticsQuery');

/** Every object that the upstream has returned, as JSON. */
const returnedObjects = new Set<string>();

/** The object with fields that the graph doesn't know, or adds itself. */
const addUnknownFields = (value: object) => ({
  ...value,
  notYetKnown: { deep: [1] },
  isInboundUnknown: false,
  ...('unitPriceMinor' in value && { currency: 'XAU' }),
});

/** The value with unknown fields in every object. */
function addUnknownFieldsDeeply(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUnknownFieldsDeeply);
  if (typeof value !== 'object' || value === null) return value;
  const extended = addUnknownFields(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, addUnknownFieldsDeeply(member)])),
  );
  returnedObjects.add(JSON.stringify(extended));
  return extended;
}

const testGraph = useTestGraph({}, undefined, {
  ...RAW_RECORDS,
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    return { ...response, body: JSON.stringify(addUnknownFieldsDeeply(JSON.parse(response.body))) };
  }),
});
const { createOrder, lamp } = createQuoting(testGraph);

const SELECTION = '__typename upstreamRecord';

const REFUND = `mutation ($input: OrderCancelInput!) {
  orderCancel(input: $input) { ... on OrderCancelPayload { order { ${SELECTION} lines { ${SELECTION} } } refund { ${SELECTION} } } }
}`;

const ADJUST = `mutation ($input: InventoryAdjustInput!) {
  inventoryAdjust(input: $input) { ... on InventoryAdjustPayload { balance { ${SELECTION} inbound } } }
}`;

const ADD = `mutation ($input: CorrespondenceMessageAddInput!) {
  correspondenceMessageAdd(input: $input) { ... on CorrespondenceMessageAddPayload { correspondenceMessage { ${SELECTION} } } }
}`;

describe('upstreamRecord', () => {
  it('exists on every record type without sensitive data', () => {
    expect(recordTypes.length).toBeGreaterThan(30);
    const unexposed = recordTypes.filter((type) => String(type.getFields().upstreamRecord?.type) !== 'JSON');
    expect(unexposed.map(getRecordName)).toEqual(['CustomerFileUploadRecord', 'MemberInviteLinkRecord']);
  });

  it('covers every record of the contract', () => {
    expect(new Set(recordTypes.map(getRecordName))).toEqual(new Set(Object.keys(records).filter((name) => !RETURNED_AS_JSON.has(name))));
  });

  it('exists only if RAW_RECORDS is set', () => {
    expect(readConfig({}).RAW_RECORDS).toBe(false);
    const without = getGraph();
    for (const text of [without.sdl, printClientSchema(without.schema)]) expect(text).not.toContain('upstreamRecord');
    for (const text of [sdl, printClientSchema(graph)]) expect(text.match(/upstreamRecord: JSON\b/g)).toHaveLength(withRawRecords.length);
  });

  it('has the tag raw', () => {
    const fields = sdl.split('\n').filter((line) => line.includes('upstreamRecord: '));
    expect(fields.filter((line) => !line.endsWith('upstreamRecord: JSON @tag(name: "raw")'))).toEqual([]);
  });

  it('contains each record as returned by the upstream, with unknown fields and without the graph’s own', async () => {
    const read = await testGraph.execute(
      buildRecordsQuery((type) => (type === 'DiscountValue' ? 'kind' : SELECTION)),
      createRecordsQueryVariables(testGraph.sandbox),
    );
    expect(read.errors).toBeUndefined();
    const refunded = await testGraph.execute(REFUND, {
      input: {
        orderId: await createOrder(2_000),
        expectedVersion: '1',
        refund: { amount: { minorUnits: '700' } },
        idempotencyKey: 'upstreamRecord',
      },
    });
    const change = { quantityDelta: 5 };
    const adjusted = await testGraph.execute(ADJUST, {
      input: { productId: await lamp(), locationId: demoId('location 0'), reason: 'Count', change, idempotencyKey: 'upstreamRecord' },
    });
    const added = await testGraph.execute(ADD, {
      input: { customerId: demoId('customer 0'), body: 'Until Monday.', idempotencyKey: 'upstreamRecord' },
    });
    const records = [...findTypedObjects([read.data, refunded.data, adjusted.data, added.data])];
    expect(new Set(records.map(({ __typename }) => __typename))).toEqual(new Set(withRawRecords.map(({ name }) => name)));
    expect(records.filter(({ upstreamRecord }) => !returnedObjects.has(JSON.stringify(upstreamRecord)))).toEqual([]);
  });
});
