import { isObjectType, isUnionType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../sandbox/kernel/random.ts';
import { createGraph } from '../../../src/graph.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { SEED, scaleCases } from '../../support/seeded.ts';
import { type GraphResult, useTestGraph } from '../../support/testGraph.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';
import { createDenseWorld } from './denseWorld.ts';
import { countRows, findPaths, type ListDocument, ListWriter, listPaths, type Step } from './listDocuments.ts';

const { schema } = createGraph();

const writer = new ListWriter(schema, {
  accountingIntegrationId: `"${demoId('accounting connection 0')}"`,
  appointmentTypeId: `"${demoId('appointment type installation')}"`,
  day: '"2026-03-04"',
  id: `"${demoId('portfolio 0')}"`,
  name: '"budget"',
  scheduledBetween: '{ gte: "2026-01-01T00:00:00Z", lt: "2026-04-20T00:00:00Z" }',
  'Query.customersByIdentifier.by': '{ referenceNumber: "C-000001" }',
  'Query.inventoryReceipt.by': `{ id: "${demoId('receipt 0')}" }`,
});

/** Pages small enough for thousands of documents, and large enough for reading covering lists, which starts at ten records or fifteen owners. */
const SMALL_PAGES = [6, 4, 3];
const LARGE_PAGES = [20, 3, 2];

const UNLIMITED = { UPSTREAM_CALLS_PER_REQUEST: '100000', COST_LIMIT: '1000000' };

/** Lists with fewer owners or rows: a workspace has one journey, no list contains receipts, and the rows of the others refer to no records. */
const SHORT_LISTS = [
  'Customer.accountingIntegrations',
  'Customer.workOrderLocations',
  'InventoryReceipt.lines',
  'Journey.stages',
  'OrderCancellationImpact.blockers',
];

/** `documents`: how many of the 667 documents with lists of lists are executed. Those with large pages need several times as many calls. */
const modes = [
  { name: 'without covering lists', env: { ...UNLIMITED, LIST_BATCHING: 'off' }, pages: SMALL_PAGES, documents: scaleCases(100) },
  { name: 'with covering lists', env: UNLIMITED, pages: LARGE_PAGES, documents: scaleCases(30) },
] as const;

/** The objects that a step leads to from other objects. */
const followAll = (objects: readonly unknown[], { field, isPaged }: Step): unknown[] =>
  objects
    .map((object) => (object as Readonly<Record<string, unknown>> | null)?.[field.name])
    .flatMap((value) => (isPaged ? ((value as { readonly nodes?: unknown[] } | null)?.nodes ?? []) : (value ?? [])))
    .filter((object) => object !== null);

function getEntityUnion() {
  const union = schema.getType('_Entity');
  if (!isUnionType(union)) throw new Error('The graph has no entities.');
  return union;
}

/** Whether a response contains an object in a list. */
const hasListItems = (data: unknown) => /\[\{"/.test(JSON.stringify(data));

/** Picks up to `count` items, in random order. */
function sample<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.nextInteger(0, left.length - 1), 1)[0] as Item);
}

const describeCalls = (calls: readonly string[]) =>
  Object.entries(Object.groupBy(calls, (call) => call))
    .map(([name, each = []]) => `${each.length} ${name}`)
    .join(', ');

describe.each(modes)('cost of nested lists $name', ({ name, env, pages, documents: count }) => {
  const testGraph = useTestGraph({ world: createDenseWorld() }, undefined, { env });
  const random = new Random(SEED);

  /**
   * Executes a document, with a new key or a known one. Returns its result, and an excess of calls as a text. No document has a cursor, because a window that
   * starts after one can span two upstream pages.
   */
  async function execute({ source }: Pick<ListDocument, 'source'>) {
    const key = random.nextBoolean(0.2) ? makeKey(testGraph.sandbox.world) : 'demo-owner';
    const [result, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, source));
    const { predictedCalls } = result.cost ?? {};
    const isBounded = typeof predictedCalls === 'number' && calls.length <= predictedCalls;
    return { result, calls, excess: isBounded ? [] : [`${predictedCalls} < ${describeCalls(calls)}: ${source}`] };
  }

  /** Expects that no document needs more calls than predicted, and that almost all return rows. */
  async function checkAll(
    title: string,
    documents: readonly ListDocument[],
    hasRows: (data: GraphResult['data'], rows: readonly Step[]) => boolean,
  ) {
    const executed = [];
    for (const document of documents) {
      const { result, calls, excess } = await execute(document);
      executed.push({ calls: calls.length, excess, hasRows: hasRows(result.data, document.rows) });
    }
    const withRows = executed.filter((each) => each.hasRows).length;
    const calls = executed.reduce((sum, each) => sum + each.calls, 0);
    const excesses = executed.flatMap(({ excess }) => excess);
    console.info(`${title} ${name}: ${documents.length} documents, ${withRows} with rows, ${calls} calls, ${excesses.length} excesses`);
    expect(excesses).toEqual([]);
    expect(withRows).toBeGreaterThanOrEqual(documents.length * 0.95);
  }

  it('bounds the calls of every list, each list of its rows, and each field of those', { timeout: LONG_TEST_MS }, async () => {
    const documents = sample(writer.listDocuments(pages), count, random);
    await checkAll('list × list × field', documents, (data, rows) => countRows(data, rows) > 0);
  });

  it('bounds the calls of random deeper lists', { timeout: LONG_TEST_MS }, async () => {
    const query = schema.getQueryType();
    if (!query) throw new Error('The graph has no queries.');
    const documents = Array.from({ length: scaleCases(25) }, () => ({
      source: `{ ${writer.writeRandom(query, random.nextInteger(2, 4), random)} }`,
      rows: [],
    }));
    await checkAll('random', documents, hasListItems);
  });

  it('bounds the calls of objects by ID with their lists', { timeout: LONG_TEST_MS }, async () => {
    const documents: ListDocument[] = [];
    const all: string[] = [];
    for (const [type, path] of findPaths(schema)) {
      if (!isObjectType(type) || !type.getInterfaces().some((each) => each.name === 'Node')) continue;
      const { data } = await testGraph.execute(`{ ${writer.writePath(path, [6, 2, 1], 'id')} }`);
      const ids = path
        .reduce<unknown[]>((objects, step) => followAll(objects, step), [data])
        .map((object) => (object as { readonly id: string }).id);
      const representations = ids.slice(0, 6).map((id) => `{ __typename: "${type.name}", id: "${id}" }`);
      all.push(...representations.slice(0, 1));
      documents.push({ source: `{ nodes(ids: ${JSON.stringify(ids.slice(0, 6))}) { ${writer.selectLists(type)} } }`, rows: [] });
      documents.push({
        source: `{ _entities(representations: [${representations.join(' ')}]) { ${writer.selectLists(type)} } }`,
        rows: [],
      });
    }
    documents.push({ source: `{ _entities(representations: [${all.join(' ')}]) { ${writer.selectLeaves(getEntityUnion())} } }`, rows: [] });
    await checkAll('by ID', sample(documents, scaleCases(20), random), hasListItems);
  });
});

describe('world of nested lists', () => {
  const testGraph = useTestGraph({ world: createDenseWorld() }, undefined, { env: UNLIMITED });

  it('has three owners of three rows for each list', async () => {
    const short: string[] = [];
    for (const path of listPaths(schema).filter(({ length }) => length > 1)) {
      const list = path.at(-1) as Step;
      const { data } = await testGraph.execute(`{ ${writer.writePath(path, [20, 4, 3, 3], '__typename')} }`);
      const owners = path.slice(0, -1).reduce<unknown[]>((objects, step) => followAll(objects, step), [data]);
      if (owners.filter((owner) => countRows(owner, [list]) >= 3).length < 3) short.push(`${list.parent.name}.${list.field.name}`);
    }
    expect(short.toSorted()).toEqual(SHORT_LISTS);
  });
});
