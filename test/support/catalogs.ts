import { productTable } from '../../sandbox/catalog/catalog.ts';
import { hashKey } from '../../sandbox/kernel/keys.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { ALL_SCOPES } from '../sandbox/makeKey.ts';

/** A catalog in its own workspace. Its products are listed by number. */
export interface Catalog {
  /** An API key with all permissions in the workspace. */
  readonly key: string;
  /** IDs of active products, which the list contains. */
  readonly listed: readonly string[];
  /** IDs of inactive products. */
  readonly hidden: readonly string[];
}

let createdCount = 0;

const createProductName = (index: number) => `Product ${String(index).padStart(6, '0')}`;

/** Adds a product to a catalog. */
export function addProduct({ store }: World, workspaceId: string, id: string, isActive: boolean, name: string): void {
  productTable.insert(store, {
    id,
    workspace_id: workspaceId,
    name,
    sku: id,
    description: '',
    folder_id: '',
    price_once: 100,
    price_monthly: null,
    price_yearly: null,
    currency: 'EUR',
    vat_rate: 0.21,
    is_active: Number(isActive),
    min_quantity: null,
    max_quantity: null,
    type: 1,
    has_infinite_stock: 0,
    created_at: 0,
    updated_at: 0,
  });
}

/** Creates a workspace with this many listed and unlisted products. */
export function makeCatalog(world: World, listed: number, hidden = 0): Catalog {
  createdCount += 1;
  const { store } = world;
  const id = `catalog-${createdCount}`;
  const [workspace] = store.all<Record<string, string>>('SELECT * FROM workspaces LIMIT 1');
  const [member] = store.all<Record<string, string>>(
    "SELECT members.* FROM api_keys JOIN members ON members.id = member_id WHERE api_keys.name = 'demo-owner'",
  );
  const products = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${id}-${kind}-${index}`);
  const catalog: Catalog = { key: `${id}-key`, listed: products('listed', listed), hidden: products('hidden', hidden) };
  store.transaction(() => {
    store.insert('workspaces', { ...workspace, id });
    store.insert('members', { ...member, id: `${id} member`, workspace_id: id });
    store.run('INSERT INTO member_roles SELECT :id, role_id FROM member_roles WHERE member_id = :owner', {
      id: `${id} member`,
      owner: member?.id ?? '',
    });
    store.insert('api_keys', {
      id: `${id} key`,
      hash: hashKey(catalog.key),
      name: catalog.key,
      member_id: `${id} member`,
      scopes: JSON.stringify(ALL_SCOPES),
      allowed_cidrs: '[]',
      expires_at: null,
      revoked_at: null,
    });
    for (const [index, product] of catalog.listed.entries()) addProduct(world, id, product, true, createProductName(index));
    for (const [index, product] of catalog.hidden.entries()) addProduct(world, id, product, false, createProductName(index));
  });
  return catalog;
}

/** Selects `count` evenly spaced IDs. */
export const selectEvenly = (ids: readonly string[], count: number): string[] =>
  Array.from(
    { length: Math.min(count, ids.length) },
    (_, index) => ids[Math.floor((index * ids.length) / Math.min(count, ids.length))] as string,
  );
