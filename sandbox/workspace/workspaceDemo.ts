import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { actorTable, hashOfKey, keyTable, type Permission } from '../kernel/keys.ts';
import type { Plan } from '../kernel/plan.ts';
import { workspaceTable } from './workspace.ts';

const ALL_PERMISSIONS: readonly Permission[] = [
  'customers:read',
  'customers:write',
  'orders:read',
  'orders:write',
  'settings:read',
  'settings:write',
  'inventory:read',
  'inventory:write',
  'audit:read',
];

const ALL_SCOPES = [
  ...new Set(operations.flatMap(({ scopes, conditionalScopes = [] }) => [...scopes, ...conditionalScopes.map(({ scope }) => scope)])),
];

const scopesThat = (test: (scope: string) => boolean) => ['me:read', ...ALL_SCOPES.filter((scope) => scope !== 'me:read' && test(scope))];

const SALES = /^(customer|contact|portfolio|datafield|journey|catalog|quote|order|payment|invoice|proforma|customer_\w+|portfolio_\w+):/;
const WAREHOUSE = /^(inventory\w*|catalog|order):/;

interface DemoKey {
  readonly key: string;
  /** A line for the list that is printed at start. */
  readonly purpose: string;
  readonly scopes: readonly string[];
  readonly permissions: readonly Permission[];
  readonly allowedCidrs?: readonly string[];
  readonly state?: 'expired' | 'revoked';
}

/** The keys of the demo workspace. They open made-up data on this machine and nothing else. */
export const DEMO_KEYS: readonly DemoKey[] = [
  { key: 'demo-owner', purpose: 'everything', scopes: ALL_SCOPES, permissions: ALL_PERMISSIONS },
  {
    key: 'demo-sales',
    purpose: 'customers, catalog, quotes, orders and billing',
    scopes: scopesThat((scope) => SALES.test(scope) && scope !== 'catalog:write'),
    permissions: ['customers:read', 'customers:write', 'orders:read', 'orders:write', 'settings:read', 'audit:read'],
  },
  {
    key: 'demo-warehouse',
    purpose: 'inventory; reads catalog and orders',
    scopes: scopesThat((scope) => WAREHOUSE.test(scope) && scope !== 'catalog:write' && scope !== 'order:cancel'),
    permissions: ['orders:read', 'inventory:read', 'inventory:write'],
  },
  {
    key: 'demo-reader',
    purpose: 'reads everything, changes nothing',
    scopes: scopesThat((scope) => scope.endsWith(':read')),
    permissions: ALL_PERMISSIONS,
  },
  {
    key: 'demo-creator',
    purpose: 'creates, and may not read back',
    scopes: ALL_SCOPES.filter((scope) => scope.endsWith(':create')),
    permissions: ALL_PERMISSIONS,
  },
  {
    key: 'demo-restricted',
    purpose: 'all scopes, but its account may only read customers',
    scopes: ALL_SCOPES,
    permissions: ['customers:read'],
  },
  { key: 'demo-expired', purpose: 'refused: expired', scopes: ALL_SCOPES, permissions: ALL_PERMISSIONS, state: 'expired' },
  { key: 'demo-revoked', purpose: 'refused: revoked', scopes: ALL_SCOPES, permissions: ALL_PERMISSIONS, state: 'revoked' },
  {
    key: 'demo-office',
    purpose: 'refused: only from 203.0.113.0/24',
    scopes: ALL_SCOPES,
    permissions: ALL_PERMISSIONS,
    allowedCidrs: ['203.0.113.0/24'],
  },
];

/** The key of a second, small workspace: what one sees, the other must not. */
export const NEIGHBOUR_KEYS: readonly DemoKey[] = [
  { key: 'demo-neighbour', purpose: 'everything, in another workspace', scopes: ALL_SCOPES, permissions: ALL_PERMISSIONS },
];

/** Makes the workspace itself and the keys that open it. */
export function seedWorkspace(plan: Plan, name: string, keys: readonly DemoKey[]): void {
  const { store, workspaceId, now } = plan;
  workspaceTable.insert(store, {
    id: workspaceId,
    name,
    time_zone: 'Europe/Amsterdam',
    currency: 'EUR',
    country_code: 'NL',
    legal_name: `${name} B.V.`,
    registration_number: '00112233',
    vat_number: 'NL001122334B01',
    email: 'hello@example.com',
    phone: '+31205550100',
    website_url: 'https://www.example.com',
    street: 'Havenkade',
    house_number: '12',
    zipcode: '1011 AB',
    city: 'Amsterdam',
    portal_url: 'https://portal.example.com',
  });
  for (const { key, scopes, permissions, allowedCidrs = [], state } of keys) {
    const actorId = plan.id(`actor ${key}`);
    actorTable.insert(store, { id: actorId, workspace_id: workspaceId, name: key, permissions: JSON.stringify(permissions) });
    keyTable.insert(store, {
      id: plan.id(`key ${key}`),
      hash: hashOfKey(key),
      name: key,
      actor_id: actorId,
      scopes: JSON.stringify(scopes),
      allowed_cidrs: JSON.stringify(allowedCidrs),
      expires_at: state === 'expired' ? now - 3_600 : null,
      revoked_at: state === 'revoked' ? now - 3_600 : null,
    });
  }
}
