import { describe, expect, it } from 'vitest';
import { UpstreamInvalidError } from '../../../src/failures/failures.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { ExecuteQuery, GetProduct, ListProducts, Me } from '../../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import type { UpstreamOptions } from '../../../src/upstream/options.ts';

/** A session with an upstream that returns these bodies. */
function sessionWith(bodies: readonly (readonly [operation: AnyOperation, body: string])[], options: Partial<UpstreamOptions> = {}) {
  const bodyOf = new Map(bodies.map(([{ path }, body]) => [path, body]));
  const transport = {
    send: async ({ path }: { readonly path: string }) => ({
      status: 200,
      headers: {},
      body: bodyOf.get(path) ?? '{"workspace":{"id":"w"}}',
    }),
    close: async () => {},
  };
  return createUpstream({ transport, timeoutMs: 10_000, callsPerRequest: 100, ...options }).openSession(
    createKeyCredential('a key'),
    'a request',
  );
}

const PRODUCT = { id: 'p', priceOnce: 5, priceYearly: null, countryPrices: [{ countryCode: 'NL', news: 1 }], news: 2 };
const PRODUCTS = [ListProducts, JSON.stringify({ products: [PRODUCT], hasMore: null })] as const;

describe('decoded response', () => {
  it('contains complete records, without unknown fields', async () => {
    const { products, hasMore, page } = await sessionWith([PRODUCTS]).call(ListProducts, {});
    expect([hasMore, page, products.length]).toEqual([false, 0, 1]);
    expect(products[0]).toMatchObject({ id: 'p', name: '', isActive: false, countryPrices: [{ countryCode: 'NL', priceOnceMinor: 0 }] });
    expect([products[0]?.priceYearly, products[0]?.minQuantity]).toEqual([undefined, undefined]);
    expect(JSON.stringify(products)).not.toContain('news');
  });

  it('fails if it’s nested deeper than the stack', async () => {
    const depth = 50_000;
    const filter = `${'{"related":{"filter":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
    const body = `{"result":{"normalizedQuery":{"filter":${filter}}}}`;
    const session = sessionWith([[ExecuteQuery, body]]);
    await expect(session.call(ExecuteQuery, {})).rejects.toThrow(UpstreamInvalidError);
  });

  it('contains no record if it’s null', async () => {
    expect(await sessionWith([[GetProduct, '{"product":null}']]).call(GetProduct, { id: 'p' })).toStrictEqual({ product: undefined });
  });
});

describe('scopes of a key', () => {
  const fetchScopes = async (me: object) => (await sessionWith([[Me, JSON.stringify(me)]]).access.getGrants()).scopes;

  it('stay unknown if the response to Me omits them, and are empty if it contains none', async () => {
    expect(await fetchScopes({ workspace: { id: 'w' }, apiKey: { id: 'k' } })).toBeNull();
    expect(await fetchScopes({ workspace: { id: 'w' }, apiKey: { id: 'k', scopes: [] } })).toEqual(new Set());
  });

  it('can be in a field that the contract doesn’t define', async () => {
    expect(await fetchScopes({ workspace: { id: 'w' }, key: { scopes: ['quote:read'] } })).toEqual(new Set(['quote:read']));
  });
});
