import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { START } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const QUERY = 'AnalyticsService/ExecuteQuery';
const GET = 'Order/GetOrder';
const TEN_MINUTES_MS = 600_000;

const SEARCH = '{ orderSearch(first: 4) { nodes { id referenceNumber } } }';

/** Changes the reference numbers of index rows, by their position. */
let changeNumber = (number: string, _row: number) => number;
/** Changes the response to a get. */
let changeRecord = (response: UpstreamResponse) => response;

interface Cell {
  readonly text?: string;
}

const staleIndex = interceptCalls(async (request, usual) => {
  const response = await usual(request);
  if (request.path.endsWith('/GetOrder')) return changeRecord(response);
  if (!request.body.includes('"entity":"orders"') || response.status !== 200) return response;
  const { result } = JSON.parse(response.body);
  const column = result.columns.findIndex(({ id }: { id: string }) => id === 'reference_number');
  const rows = result.rows.map(({ cells }: { cells: Cell[] }, row: number) => ({
    cells: cells.map((cell, index) => (index === column && cell.text ? { ...cell, text: changeNumber(cell.text, row) } : cell)),
  }));
  return { ...response, body: JSON.stringify({ result: { ...result, rows } }) };
});

const clock = new TestClock(0, START * 1000);
const log: { readonly msg: string; readonly index?: string }[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(JSON.parse(line)) });
const testGraph = useTestGraph({}, undefined, { transport: staleIndex, clock, logger });

beforeEach(() => {
  changeNumber = (number) => number;
  changeRecord = (response) => response;
  log.length = 0;
  // Ends the validity of earlier comparisons.
  clock.now += TEN_MINUTES_MS;
});

/** Searches orders. Returns the reference numbers, the calls except those for the catalog, and their cost. */
async function search(document = SEARCH, key = 'demo-owner') {
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document));
  const nodes: readonly { referenceNumber: string }[] = data?.orderSearch?.nodes ?? [];
  const numbers = nodes.map(({ referenceNumber }) => referenceNumber);
  return { numbers, errors, cost, calls: calls.filter((name) => name !== 'AnalyticsService/ListCatalog') };
}

describe('search', () => {
  it('compares rows with one record, once per key and ten minutes', async () => {
    const { numbers, calls, cost } = await search();
    expect(calls).toEqual([QUERY, GET]);
    expect(cost).toMatchObject({ predictedCalls: 10, actualCalls: expect.any(Number) });
    clock.now += TEN_MINUTES_MS - 1;
    expect(await search()).toMatchObject({ numbers, calls: [QUERY] });
    expect((await search(SEARCH, 'demo-reader')).calls).toEqual([QUERY, GET]);
    clock.now += 1;
    expect((await search()).calls).toEqual([QUERY, GET]);
    expect(log).toEqual([]);
  });

  it('reads records for ten minutes, with a warning, if two rows differ', async () => {
    const { numbers } = await search();
    clock.now += TEN_MINUTES_MS;
    changeNumber = (number) => `${number} (old)`;
    expect(await search()).toMatchObject({ numbers, calls: [QUERY, GET, GET, GET, GET], errors: undefined });
    const warning = { index: 'orders', msg: 'index rows differ from records, searches read records for 10 minutes' };
    expect(log).toEqual([expect.objectContaining(warning)]);
    // The other searches of the key aren't affected.
    const [, calls] = await testGraph.recordCalls(() => testGraph.execute('{ quoteSearch(first: 4) { nodes { referenceNumber } } }'));
    expect(calls).toEqual([QUERY, 'Quote/GetQuote']);
    clock.now += TEN_MINUTES_MS - 1;
    expect(await search()).toMatchObject({ numbers, calls: [QUERY, GET, GET, GET, GET] });
    changeNumber = (number) => number;
    clock.now += 1;
    expect(await search()).toMatchObject({ numbers, calls: [QUERY, GET] });
    expect(log).toHaveLength(1);
  });

  it('uses rows of which only one of two differs, because its record may have changed between the calls', async () => {
    changeNumber = (number, row) => (row === 0 ? `${number} (old)` : number);
    const { numbers, calls } = await search();
    expect(calls).toEqual([QUERY, GET, GET]);
    expect(numbers[0]).toMatch(/ \(old\)$/);
    expect((await search()).calls).toEqual([QUERY]);
    expect(log).toEqual([]);
  });

  it.each([
    ['is missing', 404, 'not_found'],
    ['can’t be read', 500, 'internal'],
  ])('uses rows if a record %s, and doesn’t compare them again', async (_state, status, code) => {
    changeRecord = (response) => ({ ...response, status, body: JSON.stringify({ code, message: 'No.' }) });
    changeNumber = (number) => `${number} (old)`;
    const { numbers, errors } = await search();
    expect(errors).toBeUndefined();
    expect(numbers).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/ \(old\)$/)));
    expect((await search()).calls).toEqual([QUERY]);
  });

  it('compares rows once for all searches of an operation', async () => {
    changeNumber = (number) => `${number} (old)`;
    const { data } = await testGraph.execute(
      '{ one: orderSearch(first: 3) { nodes { referenceNumber } } other: orderSearch(last: 3) { nodes { referenceNumber } } }',
    );
    const numbers = [...data.one.nodes, ...data.other.nodes].map(({ referenceNumber }) => referenceNumber);
    expect(numbers.filter((number) => number.endsWith('(old)'))).toEqual([]);
    expect(log).toHaveLength(1);
  });

  it('compares nothing on a page with one row, or if it reads records anyway', async () => {
    expect((await search('{ orderSearch(first: 1) { nodes { referenceNumber } } }')).calls).toEqual([QUERY]);
    expect((await search('{ orderSearch(first: 2) { nodes { lines { id } } } }')).calls).toEqual([QUERY, GET, GET]);
    expect((await search()).calls).toEqual([QUERY, GET]);
  });
});

describe('search near a limit', () => {
  const limited = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '3' } });

  it('compares nothing if the request may need its calls', async () => {
    // With the catalog, one call is left.
    const [{ errors }, calls] = await limited.recordCalls(() => limited.execute(SEARCH));
    expect(errors).toBeUndefined();
    expect(calls).toEqual(['AnalyticsService/ListCatalog', QUERY]);
    // The catalog is cached.
    expect((await limited.recordCalls(() => limited.execute(SEARCH)))[1]).toEqual([QUERY, GET]);
  });

  const metered = useTestGraph({ rateLimit: { limit: 12, windowSeconds: 60 } });

  it('compares nothing if the quota of the key lacks calls', async () => {
    const [{ errors, cost }, calls] = await metered.recordCalls(() => metered.execute(SEARCH));
    expect(errors).toBeUndefined();
    expect(calls).toEqual(['AnalyticsService/ListCatalog', QUERY]);
    expect(cost?.quota?.remaining).toBeGreaterThan(2);
  });
});

describe('SEARCH_ROWS=records', () => {
  const byRecord = useTestGraph({}, undefined, { env: { SEARCH_ROWS: 'records' } });

  it('reads the record of every row, and includes that in the cost', async () => {
    const [{ data, errors, cost }, calls] = await byRecord.recordCalls(() => byRecord.execute(SEARCH));
    expect(errors).toBeUndefined();
    expect(data.orderSearch.nodes).toHaveLength(4);
    expect(calls).toEqual(['AnalyticsService/ListCatalog', QUERY, GET, GET, GET, GET]);
    expect(cost?.predictedCalls).toBe(14);
  });
});
