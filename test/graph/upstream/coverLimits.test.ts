import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/upstream/transport/transport.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { makeCatalog, selectEvenly } from '../../support/catalogs.ts';
import { createClock } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { sendAbandonable } from './abandonableRequest.ts';

const LIST = 'Catalog/ListProducts';
const GET = 'Catalog/GetProduct';

const BY_REFERENCE = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { name } } }';

type OpenTestGraph = ReturnType<typeof useTestGraph>;

/** Reads products by reference. Returns the error codes and the number of pages and gets. */
async function read(testGraph: OpenTestGraph, key: string, ids: readonly string[]) {
  const of = ids.map((rawId) => ({ __typename: 'Product', rawId }));
  const [{ errors = [] }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, BY_REFERENCE, { of }));
  const count = (operation: string) => calls.filter((name) => name === operation).length;
  return { codes: errors.map(({ extensions }) => extensions.code), plan: [count(LIST), count(GET)] as const };
}

describe('few remaining calls of a request', () => {
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '30' } });

  it('suffice for pages if they don’t suffice for gets', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 300);
    expect(await read(testGraph, key, selectEvenly(listed, 60))).toEqual({ codes: [], plan: [3, 1] });
  });
});

describe('exactly as many calls as records', () => {
  const CALLS = 30;
  const ONE = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { name } } }';
  /** Predicted to need twice the calls, because each field counts its records. */
  const TWICE =
    'query ($of: [_Any!]!) { a: _entities(representations: $of) { ... on Product { name } } b: _entities(representations: $of) { ... on Product { sku } } }';
  /** Reads records of another list at the same time. */
  const WITH_CONTACTS =
    'query ($of: [_Any!]!, $contacts: [_Any!]!) { a: _entities(representations: $of) { ... on Product { name } } b: _entities(representations: $contacts) { ... on Contact { lastName } } }';
  const contacts = Array.from({ length: CALLS / 2 }, (_, index) => ({ __typename: 'Contact', rawId: `absent ${index}` }));

  /** Reads `count` products with an increasing number of unlisted ones. Repeats each read, so that the list is known. Returns the codes of all errors. */
  async function collectFailures(testGraph: OpenTestGraph, query: string, count: number): Promise<unknown[]> {
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

  describe('within the limit of the request', () => {
    const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: String(CALLS) } });

    it.each([
      ['one list', ONE, CALLS],
      ['a prediction above the limit', TWICE, CALLS],
      ['two lists', WITH_CONTACTS, CALLS / 2],
    ])('suffice for %s', async (_name, query, count) => {
      expect(await collectFailures(testGraph, query, count)).toEqual([]);
    });
  });

  describe('within the quota of the key', () => {
    // One call is for `Me`.
    const testGraph = useTestGraph({ rateLimit: { limit: CALLS + 1, windowSeconds: 60 } }, undefined, {
      clock: createClock(() => START * 1000),
    });

    it('suffice', async () => {
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

describe('request with too few calls for its pages', () => {
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '2' } });

  it('returns QUERY_TOO_EXPENSIVE and pauses no list', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 300);
    const ids = selectEvenly(listed, 60);
    const createTooExpensive = (count: number) => Array.from({ length: count }, () => 'QUERY_TOO_EXPENSIVE');
    expect(await read(testGraph, key, ids)).toEqual({ codes: createTooExpensive(40), plan: [1, 1] });
    for (let time = 0; time < 2; time += 1)
      expect(await read(testGraph, key, ids)).toEqual({ codes: createTooExpensive(20), plan: [2, 0] });
  });
});

describe('page that times out', () => {
  let isLate = false;
  const testGraph = useTestGraph({}, undefined, {
    clock: createClock(() => START * 1000),
    transport: (usual) => ({
      ...usual,
      send: (request) => (isLate && request.path.endsWith(LIST) ? Promise.reject(new TransportError(true, true)) : usual.send(request)),
    }),
  });

  it('causes gets of its records and pauses no list', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 30);
    expect((await read(testGraph, key, listed)).plan).toEqual([1, 1]);
    isLate = true;
    expect(await read(testGraph, key, listed)).toEqual({ codes: [], plan: [0, 30] });
    isLate = false;
    expect((await read(testGraph, key, listed)).plan).toEqual([1, 0]);
  });
});

describe('service with an open circuit breaker', () => {
  let now = START * 1000;
  const breaker = { threshold: 0.5, calls: 2, minCalls: 2, halfOpenAfterMs: 1_000 };
  const testGraph = useTestGraph({}, undefined, { clock: createClock(() => now), upstream: { breaker } });

  it('gets no calls, and its list isn’t paused', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 30);
    expect((await read(testGraph, key, listed)).plan).toEqual([1, 1]);
    // Long enough that the successful page has expired. Then gets fail for two keys, which opens the breaker for all.
    now += 10_000;
    testGraph.sandbox.faults.add({ operation: GET, status: 500, times: 4 });
    for (const failing of [key, makeKey(testGraph.sandbox.world)]) await read(testGraph, failing, listed.slice(0, 2));
    const { codes, plan } = await read(testGraph, key, listed);
    expect([new Set(codes), codes.length, plan]).toEqual([new Set(['UPSTREAM_UNAVAILABLE']), 30, [0, 0]]);
    now += 1_000;
    expect(await read(testGraph, key, listed)).toEqual({ codes: [], plan: [1, 0] });
  });
});

describe('client that disconnects', () => {
  const testGraph = useTestGraph();
  const ids = Array.from({ length: 20 }, (_, index) => demoId(`product ${index}`));
  const query = `{ ${ids.map((id, index) => `p${index}: product(id: "${id}") { name }`).join(' ')} }`;

  it('causes no further calls and pauses no list', async () => {
    // One of these products of the demo data isn't listed.
    expect((await testGraph.recordCalls(() => testGraph.execute(query)))[1].toSorted()).toEqual([GET, GET, LIST]);
    const held = testGraph.gate.hold(LIST);
    const [, abandonedCalls] = await testGraph.recordCalls(async () => {
      const request = sendAbandonable(testGraph.url, query);
      await held.arrived;
      await request.disconnect();
      await held.abandoned;
    });
    held.release();
    const [, after] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([abandonedCalls, after.toSorted()]).toEqual([[GET], [GET, LIST]]);
  });
});
