import { operations } from '../../src/upstream/contract/generated/operations.ts';
import type { Plan } from '../kernel/plan.ts';
import { workspaceTable } from './workspace.ts';

/** Scopes that the contract assumes for operations without documented ones. The registry doesn't contain them. */
const ASSUMED_SCOPES = ['action_request:read', 'action_request:cancel', 'action_request:resend', 'member:remove'];

const ALL_SCOPES = [
  ...ASSUMED_SCOPES,
  ...new Set(operations.flatMap(({ scopes, conditionalScopes = [] }) => [...scopes, ...conditionalScopes.map(({ scope }) => scope)])),
];

const selectScopes = (test: (scope: string) => boolean) => ['me:read', ...ALL_SCOPES.filter((scope) => scope !== 'me:read' && test(scope))];

const SALES = /^(customer|contact|portfolio|datafield|journey|catalog|quote|order|payment|invoice|proforma|customer_\w+|portfolio_\w+):/;
const WAREHOUSE = /^(inventory\w*|catalog|order):/;

/** An API key of a demo workspace, with the member whose roles it uses. */
export interface DemoKey {
  readonly key: string;
  /** Description in the list of keys that is printed at startup. */
  readonly purpose: string;
  readonly scopes: readonly string[];
  readonly member: 'owner' | 'sales' | 'warehouse' | 'front desk' | 'regional planner' | 'subcontractor';
  readonly allowedCidrs?: readonly string[];
  readonly state?: 'expired' | 'revoked';
}

/** API keys of the demo workspace. They only give access to fictional data on this machine. */
export const DEMO_KEYS: readonly DemoKey[] = [
  { key: 'demo-owner', purpose: 'full access', scopes: ALL_SCOPES, member: 'owner' },
  {
    key: 'demo-sales',
    purpose: 'customers, catalog, quotes, orders, and billing',
    scopes: selectScopes((scope) => SALES.test(scope) && scope !== 'catalog:write'),
    member: 'sales',
  },
  {
    key: 'demo-warehouse',
    purpose: 'inventory; read-only access to catalog and orders',
    scopes: selectScopes((scope) => WAREHOUSE.test(scope) && scope !== 'catalog:write' && scope !== 'order:cancel'),
    member: 'warehouse',
  },
  {
    key: 'demo-reader',
    purpose: 'read-only access to everything',
    scopes: selectScopes((scope) => scope.endsWith(':read')),
    member: 'owner',
  },
  {
    key: 'demo-creator',
    purpose: 'can create records, but not read them',
    scopes: ALL_SCOPES.filter((scope) => scope.endsWith(':create')),
    member: 'owner',
  },
  {
    key: 'demo-restricted',
    purpose: 'all scopes, but its member can only read customers',
    scopes: ALL_SCOPES,
    member: 'front desk',
  },
  {
    key: 'demo-regional',
    purpose: 'all scopes, but its member only sees customers of the team Region north',
    scopes: ALL_SCOPES,
    member: 'regional planner',
  },
  {
    key: 'demo-subcontractor',
    purpose: 'all scopes, but its member only sees four data fields of customers, and the products of two folders',
    scopes: ALL_SCOPES,
    member: 'subcontractor',
  },
  { key: 'demo-expired', purpose: 'rejected: expired', scopes: ALL_SCOPES, member: 'owner', state: 'expired' },
  { key: 'demo-revoked', purpose: 'rejected: revoked', scopes: ALL_SCOPES, member: 'owner', state: 'revoked' },
  {
    key: 'demo-office',
    purpose: 'rejected: only allowed from 203.0.113.0/24',
    scopes: ALL_SCOPES,
    member: 'owner',
    allowedCidrs: ['203.0.113.0/24'],
  },
];

/** API key of a second, small workspace, for testing that workspaces are isolated. */
export const NEIGHBOUR_KEYS: readonly DemoKey[] = [
  { key: 'demo-neighbour', purpose: 'full access to another workspace', scopes: ALL_SCOPES, member: 'owner' },
];

/** Creates the workspace. */
export function seedWorkspace({ store, workspaceId }: Plan, name: string): void {
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
}
