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

const sandbox = () => testGraph.sandbox.world;
const pass = (seconds: number) => {
  clock += seconds * 1000;
};

/** Asks for products by reference. Answers what came, and how many pages and gets it took. */
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

/** The same, of products that are there. */
async function readAll(key: string, ids: readonly string[]): Promise<readonly [pages: number, gets: number]> {
  const { products, errors, plan } = await read(key, ids);
  expect(errors).toBeUndefined();
  expect(products?.map(({ rawId }) => rawId)).toEqual(ids);
  return plan;
}

/** A catalog of 300 products that its key has read, with ids of 60. */
async function knownCatalog(): Promise<Catalog & { readonly wanted: readonly string[] }> {
  const catalog = makeCatalog(sandbox(), 300);
  const wanted = selectEvenly(catalog.listed, 60);
  expect(await readAll(catalog.key, wanted)).toEqual([3, 1]);
  expect(await readAll(catalog.key, wanted)).toEqual([3, 0]);
  return { ...catalog, wanted };
}

describe('a batch of 60 listed products and 20 that are not', () => {
  it.each([
    // A list of one row: its page does not pay.
    { listed: 0, first: [1, 20], next: [0, 20] },
    { listed: 1, first: [1, 21], next: [0, 21] },
    { listed: 99, first: [1, 21], next: [1, 20] },
    { listed: 100, first: [1, 21], next: [1, 20] },
    { listed: 101, first: [2, 21], next: [2, 20] },
    // By the yield of the first page there could be a fourth one.
    { listed: 300, first: [4, 21], next: [3, 20] },
    // The first page holds none of them.
    { listed: 20_000, first: [1, 80], next: [0, 80] },
  ])('of a catalog that lists $listed takes the fewest calls', async ({ listed, first, next }) => {
    const catalog = makeCatalog(sandbox(), listed, 20);
    const wanted = [...selectEvenly(catalog.listed.slice(listed > 1_000 ? 100 : 0), 60), ...catalog.hidden];
    expect(await readAll(catalog.key, wanted)).toEqual(first);
    expect(await readAll(catalog.key, wanted)).toEqual(next);
  });
});

describe('a batch', () => {
  it('gets fewer than ten records by ID while the list is unknown, and fewer than three afterwards', async () => {
    const { key, listed } = makeCatalog(sandbox(), 30);
    expect(await readAll(key, listed.slice(0, 9))).toEqual([0, 9]);
    expect(await readAll(key, listed.slice(0, 10))).toEqual([1, 1]);
    expect(await readAll(key, listed.slice(0, 3))).toEqual([1, 0]);
    expect(await readAll(key, listed.slice(0, 2))).toEqual([0, 2]);
  });

  it('gets records by ID if the list has more pages than a third of them', async () => {
    const { key, listed } = await knownCatalog();
    expect(await readAll(key, selectEvenly(listed, 9))).toEqual([3, 0]);
    expect(await readAll(key, selectEvenly(listed, 8))).toEqual([0, 8]);
  });

  it('pauses the list for a minute after a page that contained fewer than three of its records', async () => {
    const { key, listed } = makeCatalog(sandbox(), 300);
    const wanted = [...listed.slice(0, 2), ...listed.slice(200, 210)];
    expect(await readAll(key, wanted)).toEqual([1, 11]);
    pass(59);
    expect(await readAll(key, listed.slice(0, 30))).toEqual([0, 30]);
    pass(1);
    expect(await readAll(key, listed.slice(0, 30))).toEqual([1, 0]);
  });

  it('reports the calls that it saved or wasted', async () => {
    const { key, wanted } = await knownCatalog();
    expect((await read(key, wanted)).cost).toMatchObject({ predictedCalls: 60, actualCalls: 3, savedCalls: 57 });
    const vain = makeCatalog(sandbox(), 100, 10);
    expect((await read(vain.key, vain.hidden)).cost).toMatchObject({ predictedCalls: 10, actualCalls: 11, savedCalls: -1 });
  });

  it('of another key learns for itself', async () => {
    await knownCatalog();
    const other = makeCatalog(sandbox(), 300);
    expect(await readAll(other.key, selectEvenly(other.listed, 9))).toEqual([0, 9]);
  });

  it('is learned anew after ten minutes', async () => {
    const { key, wanted } = await knownCatalog();
    pass(601);
    expect(await readAll(key, wanted)).toEqual([3, 1]);
  });

  it('calls nothing missing that a list leaves out, and asks once a batch for what is not there', async () => {
    const { key, wanted } = await knownCatalog();
    const { products, plan } = await read(key, [...wanted, 'nothing']);
    expect([products?.at(-1), plan]).toEqual([null, [3, 1]]);
  });

  it('asks for a page once that its document asks for itself', async () => {
    const { key, listed } = await knownCatalog();
    const of = listed.slice(100, 200).map((rawId) => ({ __typename: 'Product', rawId }));
    const query =
      'query ($of: [_Any!]!) { products(first: 100) { nodes { rawId } } _entities(representations: $of) { ... on Product { name } } }';
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, query, { of }));
    expect([errors, calls]).toEqual([undefined, [LIST, LIST, LIST]]);
  });

  it('shares its pages with a request of the same key that reads them', async () => {
    const { key, wanted, listed } = await knownCatalog();
    const held = testGraph.gate.hold(LIST);
    const [, calls] = await testGraph.recordCalls(async () => {
      const both = [readAll(key, wanted), readAll(key, listed.slice(0, 50))];
      await held.arrived;
      held.release();
      await Promise.all(both);
    });
    expect(calls).toEqual([LIST, LIST, LIST]);
  });
});

describe('a list', () => {
  /** The plan of a read while the list fails so, and of one after it. */
  const afterFault = async (fault: Omit<Fault, 'operation'>) => {
    const { key, wanted } = await knownCatalog();
    testGraph.sandbox.faults.add({ operation: LIST, ...fault });
    const during = await readAll(key, wanted);
    testGraph.sandbox.faults.clear();
    return { key, wanted, during, after: await readAll(key, wanted) };
  };

  it.each([
    ['that is refused rests while grants are held', { status: 403, body: '{"code":"permission_denied"}' }, 30],
    ['that fails rests for a minute', { status: 500 }, 60],
    ['that answers something else rests for a minute', { body: '{"products":[5]}' }, 60],
    ['that answers another page rests for a minute', { body: '{"page":7,"products":[]}' }, 60],
  ])('%s', async (_name, fault, seconds) => {
    const { key, wanted, during, after } = await afterFault(fault);
    expect([during, after]).toEqual([
      [3, 60],
      [0, 60],
    ]);
    pass(seconds - 1);
    expect(await readAll(key, wanted)).toEqual([0, 60]);
    pass(1);
    expect((await readAll(key, wanted))[0]).toBeGreaterThan(0);
  });

  it('that is refused when it is read first rests as well', async () => {
    const { key, listed } = makeCatalog(sandbox(), 30);
    testGraph.sandbox.faults.add({ operation: LIST, status: 403, body: '{"code":"permission_denied"}' });
    expect([await readAll(key, listed), await readAll(key, listed)]).toEqual([
      [1, 30],
      [0, 30],
    ]);
  });

  it('is not believed while no record could be compared', async () => {
    const { key, listed } = makeCatalog(sandbox(), 30);
    testGraph.sandbox.faults.add({ operation: GET, status: 404, times: 2 });
    expect((await read(key, listed)).plan).toEqual([1, 30]);
    pass(60);
    expect([await readAll(key, listed), warnings]).toEqual([[1, 1], []]);
  });

  it('serves by the pages that came', async () => {
    const { key, wanted } = await knownCatalog();
    testGraph.sandbox.faults.add({ operation: LIST, status: 500, times: 1 });
    expect(await readAll(key, wanted)).toEqual([3, 20]);
  });

  it('does not rest for the quota of its key', async () => {
    const { during, after } = await afterFault({ status: 429, retryAfter: 1, times: 1 });
    // The call that was refused is sent again.
    expect([during, after]).toEqual([
      [4, 0],
      [3, 0],
    ]);
  });

  it('is not read for a key that the upstream does not accept, nor is anything else', async () => {
    const { key, wanted } = await knownCatalog();
    testGraph.sandbox.faults.add({ operation: LIST, status: 401, body: '{"code":"unauthenticated"}' });
    const { plan, errors } = await read(key, wanted);
    expect([plan, errors?.length]).toEqual([[3, 0], 60]);
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['UNAUTHENTICATED']));
    testGraph.sandbox.faults.clear();
    pass(6);
    expect((await readAll(key, wanted))[0]).toBe(3);
  });

  it('that shows other records than gets rests for ten minutes, and is told of', async () => {
    const { key, listed } = makeCatalog(sandbox(), 30);
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

  it('is believed when only one record has changed since its page', async () => {
    const { key, listed } = makeCatalog(sandbox(), 30);
    testGraph.sandbox.faults.add({ operation: GET, times: 1, body: JSON.stringify({ product: { id: listed[0], name: 'changed' } }) });
    expect(await readAll(key, listed)).toEqual([1, 2]);
    expect(warnings).toEqual([]);
  });

  it('shows what its get refuses', async () => {
    const { key, wanted } = await knownCatalog();
    testGraph.sandbox.faults.add({ operation: GET, status: 403, body: '{"code":"permission_denied"}' });
    expect(await readAll(key, wanted)).toEqual([3, 0]);
  });
});

describe('a list that changes', () => {
  const workspaceOf = ({ key }: Catalog) => key.replace('-key', '');

  it('is read to its new end, and no further than that', async () => {
    const catalog = await knownCatalog();
    const added = Array.from({ length: 100 }, (_, index) => `${workspaceOf(catalog)}-more-${index}`);
    for (const id of added) addProduct(sandbox(), workspaceOf(catalog), id, true, `Z ${id}`);
    // By what the first three show there could be two more.
    expect(await readAll(catalog.key, [...catalog.wanted, ...added.slice(0, 40)])).toEqual([5, 0]);
    sandbox().store.run("DELETE FROM products WHERE workspace_id = :id AND name >= 'Product 000100'", { id: workspaceOf(catalog) });
    const left = catalog.listed.slice(0, 60);
    // The end is where it was, and behind the first page there is nothing.
    expect(await readAll(catalog.key, left)).toEqual([4, 0]);
    expect(await readAll(catalog.key, left)).toEqual([1, 0]);
  });

  it('keeps its shape when its key changes a record, and shows the change', async () => {
    const { key, wanted } = await knownCatalog();
    const [id] = wanted;
    const query = `mutation ($of: ID!) { productUpdate(input: { productId: $of, name: "Renamed" }) { ... on ProductUpdatePayload { product { name } } } }`;
    const { data } = await testGraph.executeAs(key, query, { of: id });
    expect(data.productUpdate.product.name).toBe('Renamed');
    const { products, plan } = await read(key, wanted);
    expect([products?.find(({ rawId }) => rawId === id)?.name, plan]).toEqual(['Renamed', [3, 0]]);
  });

  it('has its pages read anew after a change in the same document', async () => {
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

  it('answers records as they were at some moment of the request, while they move between pages', async () => {
    const catalog = await knownCatalog();
    const { key, wanted, listed } = catalog;
    const held = testGraph.gate.holdResponses(LIST);
    const reading = readAll(key, [...wanted, ...listed.slice(0, 5)]);
    await held.arrived;
    // The first page has been read: all that come after it move up by 50, and some to the end.
    const { store } = sandbox();
    store.run("UPDATE products SET name = 'Z ' || name WHERE workspace_id = :id AND name < 'Product 000050'", { id: workspaceOf(catalog) });
    held.release();
    const [, gets] = await reading;
    expect(gets).toBeLessThanOrEqual(wanted.length);
    const { products } = await read(key, wanted);
    expect(products?.[0]?.name).toMatch(/^Z /);
  });
});
