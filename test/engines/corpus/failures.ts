import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { DEMO_KEYS, NEIGHBOUR_KEYS } from '../../../sandbox/workspace/workspaceDemo.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Area, createCase, post } from './case.ts';

const CUSTOMER = demoId('customer 0');

/** Reads of several areas, some of which a key can be allowed to perform. */
const READS = `query ($customer: ID!, $order: ID!) {
  viewer { workspace { name } scopes apiKey { name } }
  customer(id: $customer) { title contact { lastName } quotes(first: 1) { nodes { referenceNumber } } customFields { name value text } }
  order(id: $order) { referenceNumber payments(first: 1) { nodes { status } } }
  products(first: 2) { nodes { name inventoryBalances(first: 1) { nodes { onHand } } } }
  members(first: 2) { nodes { displayName } }
}`;
const CREATE = 'mutation { contactCreate(input: { lastName: "Key" }) { __typename ... on MutationError { code message } } }';

const keys = [...DEMO_KEYS, ...NEIGHBOUR_KEYS].flatMap(({ key }) => [
  createCase(`reads as ${key}`, post(READS, { customer: CUSTOMER, order: demoId('order 0') }, key)),
  createCase(`mutation as ${key}`, post(CREATE, {}, key)),
]);

const createRejection = (status: number, code: string) => ({
  status,
  body: JSON.stringify({ code, message: `Refused as ${code}.`, details: [] }),
});

/** Upstream failures. Those with `times` stop before the graph stops retrying. */
const FAULTS: Readonly<Record<string, Omit<Fault, 'operation'>>> = {
  'fails once': { status: 503, times: 1 },
  fails: { status: 500 },
  'is unavailable': { status: 503, retryAfter: 1 },
  'is unavailable for long': { status: 503, retryAfter: 3_600 },
  'times out': { status: 504 },
  'limits the rate': { status: 429, retryAfter: 2 },
  'limits the rate for long': { status: 429, retryAfter: 3_600 },
  'denies access': createRejection(403, 'permission_denied'),
  'rejects the key': createRejection(401, 'unauthenticated'),
  'returns not found': createRejection(404, 'not_found'),
  'rejects the request': createRejection(400, 'invalid_argument'),
  'rejects a duplicate': createRejection(409, 'already_exists'),
  'rejects for an unknown reason': createRejection(422, 'strange'),
  'drops the connection': { cut: 'before' },
  'drops the connection once': { cut: 'before', times: 1 },
  'drops the connection after its work': { cut: 'after' },
  'sends invalid JSON': { body: '{' },
  'sends another type': { body: '[]' },
  'sends an empty object': { body: '{}' },
  'sends HTML': { body: '<p>Sorry</p>', contentType: 'text/html' },
};

/** A non-null read, a nullable one, a list, and one that depends on another. */
const STRUCK: readonly (readonly [string, string, string])[] = [
  ['record', 'Customer/GetCustomer', '{ customer(id: "$") { title contact { lastName } } viewer { workspace { name } } }'],
  [
    'list',
    'Customer/SearchCustomers',
    '{ customers(first: 2) { nodes { title contact { lastName } } } contacts(first: 1) { nodes { lastName } } }',
  ],
  ['nested list', 'Quote/ListQuotes', '{ customers(first: 2) { nodes { title quotes(first: 1) { nodes { referenceNumber } } } } }'],
  ['viewer', 'Workspace/Me', '{ viewer { workspace { name } } contacts(first: 1) { nodes { lastName } } }'],
  [
    'mutation',
    'Customer/CreateCustomer',
    'mutation { customerCreate(input: { title: "Struck", email: "struck@example.com" }) { __typename ... on CustomerCreatePayload { effect customer { title } } ... on MutationError { code message retry } } }',
  ],
  [
    'keyed mutation',
    'Contact/CreateContact',
    'mutation { contactCreate(input: { lastName: "Struck", idempotencyKey: "struck" }) { __typename ... on ContactCreatePayload { effect contact { lastName } } ... on MutationError { code message retry } } }',
  ],
  [
    'analytics',
    'AnalyticsService/ExecuteQuery',
    '{ analyticsQuery(query: { entity: ORDERS, select: { aggregate: { measures: [{ count: {} }] } } }) { __typename ... on AnalyticsResult { status } } }',
  ],
];

const faults = STRUCK.flatMap(([title, operation, query]) =>
  Object.entries(FAULTS).map(([fault, how]) =>
    createCase(`upstream ${fault}: ${title}`, post(query.replace('$', CUSTOMER)), [{ operation, ...how }]),
  ),
);

export const failures: readonly Area[] = [
  { name: 'keys', cases: keys },
  { name: 'faults', cases: faults },
];
