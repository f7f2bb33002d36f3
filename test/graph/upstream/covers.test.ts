import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { addProduct, type Catalog, makeCatalog, selectEvenly } from '../../support/catalogs.ts';
import { createClock } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const LIST = 'Catalog/ListProducts';
const GET = 'Catalog/GetProduct';

const BY_REFERENCE = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { rawId name isActive } } }';

let clock = START * 1000;
const warnings: string[] = [];
const testGraph = useTestGraph({}, undefined, {
  clock: createClock(() => clock),
  env: { UPSTREAM_CALLS_PER_REQUEST: '400' },
  upstream: { onPartialRows: (list) => void warnings.push(list) },
});
afterEach(() => {
  testGraph.sandbox.faults.clear();
  warnings.length = 0;
});

const getWorld = () => testGraph.sandbox.world;
const pass = (seconds: number) => {
  clock += seconds * 1000;
};

/** Reads products by reference. Returns the result and the number of pages and gets. */
async function read(key: string, ids: readonly string[]) {
  const of = ids.map((rawId) => ({ __typename: 'Product', rawId }));
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, BY_REFERENCE, { of }));
  const count = (operation: string) => calls.filter((name) => name === operation).length;
  return {
    products: data?._entities as { rawId: string; name: string }[] | undefined,
    errors,
    cost,
    plan: [count(LIST), count(GET)] as const,
  };
}

/** Like `read`, but expects every product to exist. Returns only the number of pages and gets. */
async function readAll(key: string, ids: readonly string[]): Promise<readonly [pages: number, gets: number]> {
  const { products, errors, plan } = await read(key, ids);
  expect(errors).toBeUndefined();
  expect(products?.map(({ rawId }) => rawId)).toEqual(ids);
  return plan;
}

/** Creates a catalog of 300 products whose list is known for its key. Adds the IDs of 60 products. */
async function createKnownCatalog(): Promise<Catalog & { readonly ids: readonly string[] }> {
  const catalog = makeCatalog(getWorld(), 300);
  const ids = selectEvenly(catalog.listed, 60);
  expect(await readAll(catalog.key, ids)).toEqual([3, 1]);
  expect(await readAll(catalog.key, ids)).toEqual([3, 0]);
  return { ...catalog, ids };
}

describe('batch of 60 listed and 20 unlisted products', () => {
  it.each([
    // A list of one record: reading its page saves nothing.
    { listed: 0, first: [1, 20], next: [0, 20] },
    { listed: 1, first: [1, 21], next: [0, 21] },
    { listed: 99, first: [1, 21], next: [1, 20] },
    { listed: 100, first: [1, 21], next: [1, 20] },
    { listed: 101, first: [2, 21], next: [2, 20] },
    // Given the yield of the first page, a fourth page may pay off.
    { listed: 300, first: [4, 21], next: [3, 20] },
    // The first page contains none of them.
    { listed: 20_000, first: [1, 80], next: [0, 80] },
  ])('costs the fewest calls with $listed listed products', async ({ listed, first, next }) => {
    const catalog = makeCatalog(getWorld(), listed, 20);
    const ids = [...selectEvenly(catalog.listed.slice(listed > 1_000 ? 100 : 0), 60), ...catalog.hidden];
    expect(await readAll(catalog.key, ids)).toEqual(first);
    expect(await readAll(catalog.key, ids)).toEqual(next);
  });
});

describe('batch', () => {
  it('gets fewer than ten records by ID while the list is unknown, and fewer than three afterwards', async () => {
    const { key, listed } = makeCatalog(getWorld(), 30);
    expect(await readAll(key, listed.slice(0, 9))).toEqual([0, 9]);
    expect(await readAll(key, listed.slice(0, 10))).toEqual([1, 1]);
    expect(await readAll(key, listed.slice(0, 3))).toEqual([1, 0]);
    expect(await readAll(key, listed.slice(0, 2))).toEqual([0, 2]);
  });

  it('gets records by ID if the list has more pages than a third of them', async () => {
    const { key, listed } = await createKnownCatalog();
    expect(await readAll(key, selectEvenly(listed, 9))).toEqual([3, 0]);
    expect(await readAll(key, selectEvenly(listed, 8))).toEqual([0, 8]);
  });

  it('pauses the list for a minute after a page that contained fewer than three of its records', async () => {
    const { key, listed } = makeCatalog(getWorld(), 300);
    const ids = [...listed.slice(0, 2), ...listed.slice(200, 210)];
    expect(await readAll(key, ids)).toEqual([1, 11]);
    pass(59);
    expect(await readAll(key, listed.slice(0, 30))).toEqual([0, 30]);
    pass(1);
    expect(await readAll(key, listed.slice(0, 30))).toEqual([1, 0]);
  });

  it('reports the calls that it saved or wasted', async () => {
    const { key, ids } = await createKnownCatalog();
    expect((await read(key, ids)).cost).toMatchObject({ predictedCalls: 61, actualCalls: 3, savedCalls: 57 });
    const unlisted = makeCatalog(getWorld(), 100, 10);
    expect((await read(unlisted.key, unlisted.hidden)).cost).toMatchObject({ predictedCalls: 11, actualCalls: 11, savedCalls: -1 });
  });

  it('learns separately for each key', async () => {
    await createKnownCatalog();
    const other = makeCatalog(getWorld(), 300);
    expect(await readAll(other.key, selectEvenly(other.listed, 9))).toEqual([0, 9]);
  });

  it('learns again after ten minutes', async () => {
    const { key, ids } = await createKnownCatalog();
    pass(601);
    expect(await readAll(key, ids)).toEqual([3, 1]);
  });

  it('gets records by ID that the list omits, including missing ones', async () => {
    const { key, ids } = await createKnownCatalog();
    const { products, plan } = await read(key, [...ids, 'nothing']);
    expect([products?.at(-1), plan]).toEqual([null, [3, 1]]);
  });

  it('reuses a page that the document also selects', async () => {
    const { key, listed } = await createKnownCatalog();
    const of = listed.slice(100, 200).map((rawId) => ({ __typename: 'Product', rawId }));
    const query =
      'query ($of: [_Any!]!) { products(first: 100) { nodes { rawId } } _entities(representations: $of) { ... on Product { name } } }';
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, query, { of }));
    expect([errors, calls]).toEqual([undefined, [LIST, LIST, LIST]]);
  });

  it('shares its pages with concurrent requests of the key', async () => {
    const { key, ids, listed } = await createKnownCatalog();
    const held = testGraph.gate.hold(LIST);
    const [, calls] = await testGraph.recordCalls(async () => {
      const both = [readAll(key, ids), readAll(key, listed.slice(0, 50))];
      await held.arrived;
      held.release();
      await Promise.all(both);
    });
    expect(calls).toEqual([LIST, LIST, LIST]);
  });
});

describe('covering list', () => {
  /** The calls of a read while the list fails with the fault, and of the next read. */
  const readWithFault = async (fault: Omit<Fault, 'operation'>) => {
    const { key, ids } = await createKnownCatalog();
    testGraph.sandbox.faults.add({ operation: LIST, ...fault });
    const during = await readAll(key, ids);
    testGraph.sandbox.faults.clear();
    return { key, ids, during, after: await readAll(key, ids) };
  };

  it.each([
    ['is denied', { status: 403, body: '{"code":"permission_denied"}' }],
    ['fails', { status: 500 }],
    ['has a malformed response', { body: '{"products":[5]}' }],
    ['returns a wrong page', { body: '{"page":7,"products":[]}' }],
  ])('pauses for a minute if it %s', async (_name, fault) => {
    const { key, ids, during, after } = await readWithFault(fault);
    expect([during, after]).toEqual([
      [3, 60],
      [0, 60],
    ]);
    pass(59);
    expect(await readAll(key, ids)).toEqual([0, 60]);
    pass(1);
    expect((await readAll(key, ids))[0]).toBeGreaterThan(0);
  });

  it('pauses if its first read is denied', async () => {
    const { key, listed } = makeCatalog(getWorld(), 30);
    testGraph.sandbox.faults.add({ operation: LIST, status: 403, body: '{"code":"permission_denied"}' });
    expect([await readAll(key, listed), await readAll(key, listed)]).toEqual([
      [1, 30],
      [0, 30],
    ]);
  });

  it('remains untrusted until a record could be compared', async () => {
    const { key, listed } = makeCatalog(getWorld(), 30);
    testGraph.sandbox.faults.add({ operation: GET, status: 404, times: 2 });
    expect((await read(key, listed)).plan).toEqual([1, 30]);
    pass(60);
    expect([await readAll(key, listed), warnings]).toEqual([[1, 1], []]);
  });

  it('serves records of the successful pages', async () => {
    const { key, ids } = await createKnownCatalog();
    testGraph.sandbox.faults.add({ operation: LIST, status: 500, times: 1 });
    expect(await readAll(key, ids)).toEqual([3, 20]);
  });

  it('continues despite the rate limit of its key', async () => {
    const { during, after } = await readWithFault({ status: 429, retryAfter: 1, times: 1 });
    // The rejected call is retried.
    expect([during, after]).toEqual([
      [4, 0],
      [3, 0],
    ]);
  });

  it('stops for an invalid key, without gets of its records', async () => {
    const { key, ids } = await createKnownCatalog();
    testGraph.sandbox.faults.add({ operation: LIST, status: 401, body: '{"code":"unauthenticated"}' });
    const { plan, errors } = await read(key, ids);
    expect([plan, errors?.length]).toEqual([[3, 0], 60]);
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['UNAUTHENTICATED']));
    testGraph.sandbox.faults.clear();
    pass(6);
    expect((await readAll(key, ids))[0]).toBe(3);
  });

  it('pauses for ten minutes with a warning if its records differ from those of gets', async () => {
    const { key, listed } = makeCatalog(getWorld(), 30);
    const record = (id: string) => ({ id, name: 'partial' });
    testGraph.sandbox.faults.add({ operation: LIST, body: JSON.stringify({ products: listed.map(record), page: 1, pageSize: 100 }) });
    const { products, plan } = await read(key, listed);
    expect([plan, warnings]).toEqual([[1, 30], [LIST]]);
    expect(products?.map(({ name }) => name)).not.toContain('partial');
    testGraph.sandbox.faults.clear();
    pass(599);
    expect(await readAll(key, listed)).toEqual([0, 30]);
    pass(2);
    expect(await readAll(key, listed)).toEqual([1, 1]);
  });

  it('remains trusted although one record has changed since its page', async () => {
    const { key, listed } = makeCatalog(getWorld(), 30);
    testGraph.sandbox.faults.add({ operation: GET, times: 1, body: JSON.stringify({ product: { id: listed[0], name: 'changed' } }) });
    expect(await readAll(key, listed)).toEqual([1, 2]);
    expect(warnings).toEqual([]);
  });

  it('serves records whose gets are denied', async () => {
    const { key, ids } = await createKnownCatalog();
    testGraph.sandbox.faults.add({ operation: GET, status: 403, body: '{"code":"permission_denied"}' });
    expect(await readAll(key, ids)).toEqual([3, 0]);
  });
});

describe('changing list', () => {
  const getWorkspaceId = ({ key }: Catalog) => key.replace('-key', '');

  it('ends at its new last page', async () => {
    const catalog = await createKnownCatalog();
    const added = Array.from({ length: 100 }, (_, index) => `${getWorkspaceId(catalog)}-more-${index}`);
    for (const id of added) addProduct(getWorld(), getWorkspaceId(catalog), id, true, `Z ${id}`);
    // Given the yield of the first three pages, two more may pay off.
    expect(await readAll(catalog.key, [...catalog.ids, ...added.slice(0, 40)])).toEqual([5, 0]);
    getWorld().store.run("DELETE FROM products WHERE workspace_id = :id AND name >= 'Product 000100'", { id: getWorkspaceId(catalog) });
    const remaining = catalog.listed.slice(0, 60);
    // The expected end is outdated, but there are no records after the first page.
    expect(await readAll(catalog.key, remaining)).toEqual([4, 0]);
    expect(await readAll(catalog.key, remaining)).toEqual([1, 0]);
  });

  it('remains known after a mutation, whose change is visible', async () => {
    const { key, ids } = await createKnownCatalog();
    const [id] = ids;
    const query = `mutation ($of: ID!) { productUpdate(input: { productId: $of, name: "Renamed" }) { ... on ProductUpdatePayload { product { name } } } }`;
    const { data } = await testGraph.executeAs(key, query, { of: id });
    expect(data.productUpdate.product.name).toBe('Renamed');
    const { products, plan } = await read(key, ids);
    expect([products?.find(({ rawId }) => rawId === id)?.name, plan]).toEqual(['Renamed', [3, 0]]);
  });

  it('refreshes after a mutation in the same document', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => ({ productId: demoId(`product ${index + 8}`), quantity: 2 }));
    const quote = 'quoteCreate(input: $quote) { ... on QuoteCreatePayload { quote { lines { product { name } } } } }';
    const change = 'productUpdate(input: { productId: $id, name: "Twice" }) { __typename }';
    const variables = { quote: { customerId: demoId('customer 1'), lines }, id: lines[1]?.productId };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(`mutation ($quote: QuoteCreateInput!, $id: ID!) { before: ${quote} ${change} after: ${quote} }`, variables),
    );
    expect(errors).toBeUndefined();
    expect(
      [data.before, data.after].map(
        ({
          quote: {
            lines: [, line],
          },
        }) => line.product.name === 'Twice',
      ),
    ).toEqual([false, true]);
    expect(calls.filter((name) => name === LIST || name === GET)).toEqual([LIST, GET, LIST]);
  });

  it('returns records that were current during the request if they move between pages', async () => {
    const catalog = await createKnownCatalog();
    const { key, ids, listed } = catalog;
    const held = testGraph.gate.holdResponses(LIST);
    const reading = readAll(key, [...ids, ...listed.slice(0, 5)]);
    await held.arrived;
    // The first page has been read. All later products move up by 50, and some move to the end.
    const { store } = getWorld();
    store.run("UPDATE products SET name = 'Z ' || name WHERE workspace_id = :id AND name < 'Product 000050'", {
      id: getWorkspaceId(catalog),
    });
    held.release();
    const [, gets] = await reading;
    expect(gets).toBeLessThanOrEqual(ids.length);
    const { products } = await read(key, ids);
    expect(products?.[0]?.name).toMatch(/^Z /);
  });
});
