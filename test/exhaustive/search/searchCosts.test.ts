import { beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../sandbox/kernel/random.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { CATALOG, createDocument, diversify, type Environment, getTraits, listRows, QUERY, SEARCHES } from '../../graph/search/searches.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { SEED, scaleCases } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createInvalidFilter, getSize, type RandomSearch, SearchGenerator } from './randomSearches.ts';

/** As `extensions.cost` counts an analytics query. */
const CALLS_PER_QUERY = 10;
/** Maximum number of analytics queries that the searches of an operation execute. */
const MAX_EXECUTIONS = 24;

/** No limit on the calls of a request, because the searches' own limits are tested. */
const UNLIMITED = { env: { UPSTREAM_CALLS_PER_REQUEST: '2000' } };

const count = (calls: readonly string[], operation: string) => calls.filter((call) => call === operation).length;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** What an operation cost. */
interface Sample {
  readonly searches: readonly RandomSearch[];
  /** Upstream calls, in order. */
  readonly calls: readonly string[];
  readonly predicted: number;
  /** Whether its key was new, so that the catalog was read and records were compared. */
  readonly isFirst: boolean;
  readonly errors: readonly unknown[];
  /** A cursor of the first search. */
  readonly cursor: string | null;
}

async function execute(testGraph: Environment, searches: readonly RandomSearch[], isFirst: boolean): Promise<Sample> {
  const { document, variables } = createDocument(searches);
  const key = isFirst ? makeKey(testGraph.sandbox.world) : 'demo-owner';
  const [{ data, errors = [], cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, variables));
  if (typeof cost?.predictedCalls !== 'number') throw new Error(`Not executed: ${JSON.stringify(errors)}`);
  const { predictedCalls: predicted } = cost;
  return { searches, calls, predicted, isFirst, errors, cursor: data?.s0?.pageInfo?.endCursor ?? null };
}

/** Executes random operations, each followed by other pages of a search with `followed` probability. A fifth uses a new key. */
async function executeSamples(testGraph: Environment, operations: number, followed: number, traits = SEARCHES): Promise<Sample[]> {
  const random = new Random(SEED);
  const generator = new SearchGenerator(testGraph.sandbox.world, random, traits);
  await execute(testGraph, generator.createWarmUps(), false);
  const samples: Sample[] = [];
  let pages: readonly RandomSearch[] | null = null;
  while (samples.length < operations) {
    const searches: readonly RandomSearch[] = pages ?? generator.createSearches();
    const sample = await execute(testGraph, searches, random.nextBoolean(0.2));
    samples.push(sample);
    const [first] = searches;
    pages = first && sample.cursor !== null && random.nextBoolean(followed) ? generator.createPages(first, sample.cursor) : null;
  }
  return samples;
}

/** Number of analytics queries that an operation is predicted to need. */
const countQueries = (searches: readonly RandomSearch[]) =>
  sum(searches.map(({ hasPage, hasCounts }) => Number(hasPage) + Number(hasCounts)));

/**
 * Maximum number of upstream calls of an operation: the executions of all searches, the predicted reads of records, a read for each row that should need none,
 * and the catalog. Such a row needs one if the index lacks its amount.
 */
function getBound({ searches, predicted }: Sample): number {
  const rows = searches.filter(({ hasPage, isCovered }) => hasPage && isCovered).map(getSize);
  return MAX_EXECUTIONS + (predicted - CALLS_PER_QUERY * countQueries(searches)) + sum(rows) + 1;
}

const describeSample = ({ searches, calls, predicted }: Sample) => JSON.stringify({ predicted, calls, searches });

function checkBounds(samples: readonly Sample[]): void {
  for (const sample of samples) {
    const { calls } = sample;
    expect(count(calls, QUERY), describeSample(sample)).toBeLessThanOrEqual(MAX_EXECUTIONS);
    expect(count(calls, CATALOG), describeSample(sample)).toBe(Number(sample.isFirst));
    expect(calls.length, describeSample(sample)).toBeLessThanOrEqual(getBound(sample));
  }
}

/** Expects at most one sample in twenty that costs more than predicted, apart from what is cached for its key. `queryCost` is the cost of a query. */
function checkPredictions(samples: readonly Sample[], queryCost: number): void {
  const exceeding = samples.filter((sample) => {
    const queries = count(sample.calls, QUERY);
    const records = sample.calls.length - queries - count(sample.calls, CATALOG);
    return queryCost * queries + records > sample.predicted;
  });
  expect(exceeding.length, exceeding.slice(0, 3).map(describeSample).join('\n')).toBeLessThanOrEqual(samples.length * 0.05);
}

/** Sort orders whose lists have one segment: all rows have a value, which is no enum. */
const UNSEGMENTED = new Set(['CREATED_AT', 'UPDATED_AT', 'STARTS_AT', 'ENDS_AT']);

const isUnsegmented = ({ searches }: Sample) =>
  searches.every(({ hasPage, args: { orderBy } }) => !hasPage || UNSEGMENTED.has(orderBy?.field ?? ''));

describe('random searches', () => {
  const testGraph = useTestGraph({}, undefined, UNLIMITED);
  beforeAll(() => diversify(testGraph.sandbox.world));

  it('never send more calls than their bound, and rarely more than predicted', async () => {
    const samples = await executeSamples(testGraph, scaleCases(100), 0.5);
    expect(samples.flatMap(({ errors }) => errors)).toEqual([]);
    checkBounds(samples);
    checkPredictions(samples, 1);
    // Where a page ends in another segment than it starts in, it needs more queries than predicted.
    checkPredictions(samples.filter(isUnsegmented), CALLS_PER_QUERY);
  });
});

/** Copies orders, and gives almost all the same timestamps. */
function tieOrders(world: World): void {
  const { store } = world;
  const orders = listRows(world, 'orders');
  for (let copy = 0; copy < 8; copy += 1)
    for (const { id, ...order } of orders) {
      const name = `copy ${copy} of ${id}`;
      store.insert('orders', { ...order, id: name, quote_id: name, reference_number: name });
    }
  store.run('UPDATE orders SET created_at = 1700000000, updated_at = 1700000000 WHERE rowid % 20 > 0');
}

describe('random searches of orders with the same timestamps', () => {
  const testGraph = useTestGraph({}, undefined, UNLIMITED);
  beforeAll(() => tieOrders(testGraph.sandbox.world));

  it('never send more calls than their bound', async () => {
    const samples = await executeSamples(testGraph, scaleCases(40), 0.9, [getTraits('orderSearch')]);
    expect(samples.flatMap(({ errors }) => errors)).toEqual([]);
    checkBounds(samples);
  });

  it('execute 24 queries in all, if eight pages need more', async () => {
    // Different filters, so that no two pages send equal queries.
    const pages = Array.from({ length: 8 }, (_, day) => ({ filter: { createdAt: { gte: `2020-01-0${day + 1}T00:00:00Z` } } }));
    const traits = getTraits('orderSearch');
    const order = { orderBy: { field: 'CREATED_AT', direction: 'ASC' } } as const;
    const first = createDocument(
      pages.map((args) => ({ traits, args: { ...args, ...order, first: 1 }, selection: 'pageInfo { endCursor }' })),
    );
    const { data } = await testGraph.execute(first.document, first.variables);
    // All but one of the orders with the same timestamps are behind the cursor, where a page before it starts.
    const toWindow = (index: number) => ({ last: 1, before: data[`s${index}`].pageInfo.endCursor });
    const last = createDocument(
      pages.map((args, index) => ({ traits, args: { ...args, ...order, ...toWindow(index) }, selection: 'nodes { id }' })),
    );
    const [{ errors = [] }, calls] = await testGraph.recordCalls(() => testGraph.execute(last.document, last.variables));
    expect(calls).toEqual(Array(MAX_EXECUTIONS).fill(QUERY));
    expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['QUERY_TOO_EXPENSIVE']));
  });
});

describe('invalid filters', () => {
  const testGraph = useTestGraph();

  it('send no upstream call', async () => {
    const random = new Random(SEED);
    const generator = new SearchGenerator(testGraph.sandbox.world, random);
    // Has cached nothing, so that reading the catalog would be a call.
    const key = makeKey(testGraph.sandbox.world);
    for (let index = 0; index < scaleCases(100); index += 1) {
      const traits = random.pick(SEARCHES);
      const filter = createInvalidFilter(traits, generator.createFilter(traits, 2), random);
      const { document, variables } = createDocument([{ traits, args: { filter }, selection: 'totalCount nodes { id }' }]);
      const [{ data, errors = [] }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, variables));
      expect([calls, data?.s0 ?? null, errors.length > 0], JSON.stringify([traits.name, filter])).toEqual([[], null, true]);
    }
  });
});
