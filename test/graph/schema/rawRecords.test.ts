import { type GraphQLObjectType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.ts';
import { DEFAULT_SUBGRAPH } from '../../../src/subgraph/options.ts';
import { printClientSchema } from '../../../src/subgraph/print.ts';
import { records } from '../../../src/upstream/contract/generated/messages.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { buildRecordsQuery, findTypedObjects, recordsQueryVariables } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createQuoting } from '../../support/quoting.ts';
import { RAW_RECORDS, useTestGraph } from '../../support/testGraph.ts';

const { schema: graph, sdl } = getGraph({ ...DEFAULT_SUBGRAPH, hasRawRecords: true });

const objects = Object.values(graph.getTypeMap()).filter(isObjectType);
const recordOf = ({ extensions }: GraphQLObjectType) => (extensions as { readonly record?: string }).record;
const shown = objects.filter((type) => recordOf(type) !== undefined);
const withRawRecords = objects.filter((type) => 'upstreamRecord' in type.getFields());

/** Records of the contract that are parts of another one, itself included. */
function partsOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const { message } of Object.values(records[name]?.fields ?? {}))
    if (message && message.name in records) partsOf(message.name, found);
  return found;
}

/** Records that no type shows: a query is told as it was asked, as JSON. */
const TOLD_AS_JSON = partsOf('AnalyticsQuery');

/** Every object that the upstream has answered, as JSON. */
const answered = new Set<string>();

/** Members that the graph does not know, or knows only from itself. */
const news = (value: object) => ({
  ...value,
  notYetKnown: { deep: [1] },
  isInboundUnknown: false,
  ...('unitPriceMinor' in value && { currency: 'XAU' }),
});

/** The value with news in every object. */
function withNews(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNews);
  if (typeof value !== 'object' || value === null) return value;
  const made = news(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNews(member)])));
  answered.add(JSON.stringify(made));
  return made;
}

const testGraph = useTestGraph({}, undefined, {
  ...RAW_RECORDS,
  transport: interceptCalls(async (request, usual) => {
    const answer = await usual(request);
    return { ...answer, body: JSON.stringify(withNews(JSON.parse(answer.body))) };
  }),
});
const { createOrder, lamp } = createQuoting(testGraph);

const A = '__typename upstreamRecord';

const REFUND = `mutation ($input: OrderCancelInput!) {
  orderCancel(input: $input) { ... on OrderCancelPayload { order { ${A} lines { ${A} } } refund { ${A} } } }
}`;

const ADJUST = `mutation ($input: InventoryAdjustInput!) {
  inventoryAdjust(input: $input) { ... on InventoryAdjustPayload { balance { ${A} inbound } } }
}`;

const ADD = `mutation ($input: CorrespondenceMessageAddInput!) {
  correspondenceMessageAdd(input: $input) { ... on CorrespondenceMessageAddPayload { correspondenceMessage { ${A} } } }
}`;

describe('raw records', () => {
  it('are a field of every type that shows a record, unless something in it is sensitive', () => {
    expect(shown.length).toBeGreaterThan(30);
    const bare = shown.filter((type) => String(type.getFields().upstreamRecord?.type) !== 'JSON');
    expect(bare.map(recordOf)).toEqual(['CustomerFileUploadRecord', 'MemberInviteLinkRecord']);
  });

  it('can be read of every record in the contract', () => {
    expect(new Set(shown.map(recordOf))).toEqual(new Set(Object.keys(records).filter((name) => !TOLD_AS_JSON.has(name))));
  });

  it('are in the graph only where RAW_RECORDS wants them', () => {
    expect(readConfig({}).RAW_RECORDS).toBe(false);
    const without = getGraph();
    for (const text of [without.sdl, printClientSchema(without.schema)]) expect(text).not.toContain('upstreamRecord');
    for (const text of [sdl, printClientSchema(graph)]) expect(text.match(/upstreamRecord: JSON\b/g)).toHaveLength(withRawRecords.length);
  });

  it('are tagged raw', () => {
    const fields = sdl.split('\n').filter((line) => line.includes('upstreamRecord: '));
    expect(fields.filter((line) => !line.endsWith('upstreamRecord: JSON @tag(name: "raw")'))).toEqual([]);
  });

  it('show each record as the upstream answered it, with what nobody knows yet and without what the graph has added', async () => {
    const read = await testGraph.execute(
      buildRecordsQuery((type) => (type === 'DiscountValue' ? 'kind' : A)),
      recordsQueryVariables(testGraph.sandbox),
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
    expect(records.filter(({ upstreamRecord }) => !answered.has(JSON.stringify(upstreamRecord)))).toEqual([]);
  });
});
