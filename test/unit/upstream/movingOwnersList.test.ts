import { expect, it } from 'vitest';
import { Random } from '../../../sandbox/kernel/random.ts';
import { loadOwnerRows } from '../../../src/loaders/covering/ownersList.ts';
import { Loaders } from '../../../src/loaders/loaders.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { ListInventoryBalances } from '../../../src/upstream/contract/generated/operations.ts';
import type { UpstreamRequest } from '../../../src/upstream/transport/transport.ts';
import { createClock } from '../../support/clock.ts';
import { SEED } from '../../support/seeded.ts';

const PRODUCTS = Array.from({ length: 100 }, (_, index) => `p${index}`);

interface Balance {
  readonly productId: string;
  readonly locationId: string;
}

const identify = ({ productId, locationId }: Partial<Balance>) => `${productId} ${locationId}`;

it('list whose rows change between pages returns each constant row once', async () => {
  const random = new Random(SEED);
  let now = 0;
  let made = 0;
  const newRow = (): Balance => ({ productId: random.pick(PRODUCTS), locationId: `l${made++}` });
  const rows: Balance[] = Array.from({ length: 600 }, newRow);
  let removed = new Set<string>();
  const createResponse = (json: object) => ({ status: 200, headers: {}, body: JSON.stringify(json) });
  const send = async ({ path, body }: UpstreamRequest) => {
    if (path.endsWith('/Me')) return createResponse({ workspace: { id: 'w' }, apiKey: { scopes: ['inventory:read'] } });
    for (let turns = random.nextInteger(0, 3); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
    if (random.nextBoolean(0.05)) rows.splice(random.nextInteger(0, rows.length), 0, newRow());
    if (random.nextBoolean(0.05)) for (const row of rows.splice(random.nextInteger(0, rows.length - 1), 1)) removed.add(identify(row));
    const { page, pageSize, productId } = JSON.parse(body);
    const matching = productId ? rows.filter((row) => row.productId === productId) : rows;
    const balances = matching.slice((page - 1) * pageSize, page * pageSize);
    return createResponse({ balances, page, pageSize, hasMore: matching.length > page * pageSize });
  };
  const upstream = createUpstream({
    transport: { send, close: async () => {} },
    timeoutMs: 10_000,
    callsPerRequest: 1_000,
    clock: createClock(() => now),
  });
  let covered = 0;
  for (let request = 0; request < 300; request += 1) {
    const session = upstream.openSession(createKeyCredential('a key'), 'a request');
    const loaders = new Loaders(session);
    const before = [...rows];
    removed = new Set();
    const lists = await Promise.all(
      PRODUCTS.map((productId) =>
        loadOwnerRows(ListInventoryBalances, { productId, locationId: '' }, 'productId', identify, session, loaders),
      ),
    );
    now += 60_000;
    if (lists.every((list) => !list)) continue;
    covered += 1;
    const loaded = lists.flatMap((list) => (list ?? []).map(identify));
    expect(new Set(loaded).size).toBe(loaded.length);
    const lost = before.map(identify).filter((row) => !removed.has(row) && !loaded.includes(row));
    expect(lost, `request ${request}`).toEqual([]);
  }
  // Ensures that both cases occur: lists that were used, and lists whose pages didn't overlap.
  expect([covered > 50, covered < 300]).toEqual([true, true]);
});
