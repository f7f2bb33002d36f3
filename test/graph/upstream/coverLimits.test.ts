import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/upstream/transport/transport.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { makeCatalog, selectEvenly } from '../../support/catalogs.ts';
import { createClock } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { asking } from './asking.ts';

const LIST = 'Catalog/ListProducts';
const GET = 'Catalog/GetProduct';

const BY_REFERENCE = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { name } } }';

type Opened = ReturnType<typeof useTestGraph>;

/** Asks for products by reference. Answers the codes of what failed, and how many pages and gets it took. */
async function read(testGraph: Opened, key: string, ids: readonly string[]) {
  const of = ids.map((rawId) => ({ __typename: 'Product', rawId }));
  const [{ errors = [] }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, BY_REFERENCE, { of }));
  const count = (operation: string) => calls.filter((name) => name === operation).length;
  return { codes: errors.map(({ extensions }) => extensions.code), plan: [count(LIST), count(GET)] as const };
}

describe('few calls left to the request', () => {
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '30' } });

  it('are enough for pages, where they are not for gets', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 300);
    expect(await read(testGraph, key, selectEvenly(listed, 60))).toEqual({ codes: [], plan: [3, 1] });
  });
});

describe('exactly as many calls as records', () => {
  const CALLS = 30;
  const ONE = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { name } } }';
  /** Predicted to need twice the calls, since the records of each field count. */
  const TWICE =
    'query ($of: [_Any!]!) { a: _entities(representations: $of) { ... on Product { name } } b: _entities(representations: $of) { ... on Product { sku } } }';
  /** Further records of another list at the same time. */
  const WITH_CONTACTS =
    'query ($of: [_Any!]!, $contacts: [_Any!]!) { a: _entities(representations: $of) { ... on Product { name } } b: _entities(representations: $contacts) { ... on Contact { lastName } } }';
  const contacts = Array.from({ length: CALLS / 2 }, (_, index) => ({ __typename: 'Contact', rawId: `nobody ${index}` }));

  /** Requests products of which so many aren't listed, a few times each, so that the list is known then. Returns the codes of all errors. */
  async function failuresOf(testGraph: Opened, query: string, count: number): Promise<unknown[]> {
    const codes: unknown[] = [];
    for (let hidden = 0; hidden <= count; hidden += 5) {
      const { key, ...catalog } = makeCatalog(testGraph.sandbox.world, 300, count);
      const ids = [...catalog.hidden.slice(0, hidden), ...selectEvenly(catalog.listed, count - hidden)];
      const of = ids.map((rawId) => ({ __typename: 'Product', rawId }));
      for (let time = 0; time < 3; time += 1) {
        const { errors = [] } = await testGraph.executeAs(key, query, query === WITH_CONTACTS ? { of, contacts } : { of });
        codes.push(...errors.map(({ extensions }) => extensions.code));
      }
    }
    return codes;
  }

  describe('that the request may send', () => {
    const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: String(CALLS) } });

    it.each([
      ['one list', ONE, CALLS],
      ['a prediction that does not fit', TWICE, CALLS],
      ['two lists', WITH_CONTACTS, CALLS / 2],
    ])('are enough: %s', async (_name, query, count) => {
      expect(await failuresOf(testGraph, query, count)).toEqual([]);
    });
  });

  describe('that the key has left', () => {
    // One of them for `Me`.
    const testGraph = useTestGraph({ rateLimit: { limit: CALLS + 1, windowSeconds: 60 } }, undefined, {
      clock: createClock(() => START * 1000),
    });

    it('are enough', async () => {
      for (let hidden = 0; hidden <= CALLS; hidden += 5) {
        const { key, ...catalog } = makeCatalog(testGraph.sandbox.world, 300, CALLS);
        expect(
          await read(testGraph, key, [...catalog.hidden.slice(0, hidden), ...selectEvenly(catalog.listed, CALLS - hidden)]),
        ).toMatchObject({
          codes: [],
        });
      }
    });
  });
});

describe('a request that may make too few calls for its pages', () => {
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '2' } });

  it('says so, and puts no list to rest', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 300);
    const wanted = selectEvenly(listed, 60);
    const tooExpensive = (count: number) => Array.from({ length: count }, () => 'QUERY_TOO_EXPENSIVE');
    expect(await read(testGraph, key, wanted)).toEqual({ codes: tooExpensive(40), plan: [1, 1] });
    for (let time = 0; time < 2; time += 1) expect(await read(testGraph, key, wanted)).toEqual({ codes: tooExpensive(20), plan: [2, 0] });
  });
});

describe('a page that does not come in time', () => {
  let isLate = false;
  const testGraph = useTestGraph({}, undefined, {
    clock: createClock(() => START * 1000),
    transport: (usual) => ({
      ...usual,
      send: (request) => (isLate && request.path.endsWith(LIST) ? Promise.reject(new TransportError(true, true)) : usual.send(request)),
    }),
  });

  it('leaves its records to gets, and puts no list to rest', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 30);
    expect((await read(testGraph, key, listed)).plan).toEqual([1, 1]);
    isLate = true;
    expect(await read(testGraph, key, listed)).toEqual({ codes: [], plan: [0, 30] });
    isLate = false;
    expect((await read(testGraph, key, listed)).plan).toEqual([1, 0]);
  });
});

describe('a service that is left alone', () => {
  let now = START * 1000;
  const breaker = { threshold: 0.5, calls: 2, minCalls: 2, halfOpenAfterMs: 1_000 };
  const testGraph = useTestGraph({}, undefined, { clock: createClock(() => now), upstream: { breaker } });

  it('is asked for no page and for no record, and its list does not rest', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 30);
    expect((await read(testGraph, key, listed)).plan).toEqual([1, 1]);
    // Long enough for the page that succeeded to be no evidence anymore. Gets then fail for two keys, which blocks the service for all.
    now += 10_000;
    testGraph.sandbox.faults.add({ operation: GET, status: 500, times: 4 });
    for (const failing of [key, makeKey(testGraph.sandbox.world)]) await read(testGraph, failing, listed.slice(0, 2));
    const { codes, plan } = await read(testGraph, key, listed);
    expect([new Set(codes), codes.length, plan]).toEqual([new Set(['UPSTREAM_UNAVAILABLE']), 30, [0, 0]]);
    now += 1_000;
    expect(await read(testGraph, key, listed)).toEqual({ codes: [], plan: [1, 0] });
  });
});

describe('a caller who leaves', () => {
  const testGraph = useTestGraph();
  const ids = Array.from({ length: 20 }, (_, index) => demoId(`product ${index}`));
  const query = `{ ${ids.map((id, index) => `p${index}: product(id: "${id}") { name }`).join(' ')} }`;

  it('has nothing more asked for, and puts no list to rest', async () => {
    // The demo data has one product among them that is not listed.
    expect((await testGraph.recordCalls(() => testGraph.execute(query)))[1].toSorted()).toEqual([GET, GET, LIST]);
    const held = testGraph.gate.hold(LIST);
    const [, left] = await testGraph.recordCalls(async () => {
      const request = asking(testGraph.url, query);
      await held.arrived;
      await request.leave();
      await held.abandoned;
    });
    held.release();
    const [, after] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([left, after.toSorted()]).toEqual([[GET], [GET, LIST]]);
  });
});
