import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CUSTOMER } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const FIELDS = `mutation ($input: CustomerCustomFieldsUpdateInput!) {
  result: customerCustomFieldsUpdate(input: $input) { __typename ... on ValidationError { issues { path code limit message } } }
}`;
const CREATE = `mutation ($input: CustomerCreateInput!) {
  result: customerCreate(input: $input) { __typename ... on ValidationError { issues { path code limit message } } }
}`;
const BUDGET = { name: 'budget', value: { text: '1' } };
const QUOTED = { name: '"a]\\', value: { text: '1' } };
const DAY = { gte: '2026-06-01T00:00:00Z', lt: '2026-06-02T00:00:00Z' };

/** A message of the upstream about a request, and the path of the issue. A null path: the input has no such value. */
const REJECTED: readonly (readonly [
  title: string,
  operation: string,
  message: string,
  path: string | null,
  query: string,
  variables?: object,
])[] = [
  ['the text of a list', 'Customer/SearchCustomers', 'query', 'query', '{ customers(query: "x") { nodes { id } } }'],
  ['the page of a list', 'Customer/SearchCustomers', 'page_size', null, '{ customers(query: "x", first: 1) { nodes { id } } }'],
  [
    'the filter of a list',
    'Inventory/ListInventoryMovements',
    'product_id',
    'filter.productId',
    '{ inventoryMovements(filter: { productId: "x" }) { nodes { kind } } }',
  ],
  [
    'a filter that is sent in another form',
    'Inventory/ListInventoryBackorders',
    'status',
    'filter.status',
    '{ inventoryBackorders(filter: { status: OPEN }) { nodes { id } } }',
  ],
  [
    'the filter of a list of a time range',
    'Appointment/ListAppointments',
    'agenda_id',
    'filter.agendaId',
    'query ($day: DateTimeRangeInput!) { appointments(scheduledBetween: $day, filter: { agendaId: "x" }) { nodes { id } } }',
    { day: DAY },
  ],
  [
    'the time range of a list',
    'Appointment/ListAppointments',
    'starts_before',
    'scheduledBetween.lt',
    'query ($day: DateTimeRangeInput!) { appointments(scheduledBetween: $day) { nodes { id } } }',
    { day: DAY },
  ],
  ['the parent of a list', 'Quote/ListQuotes', 'customer_id', null, `{ customer(id: "${CUSTOMER}") { quotes { nodes { id } } } }`],
  ['the ID of a lookup', 'Customer/GetCustomer', 'id', 'id', '{ customer(id: "x") { title } }'],
  ['the global ID of an object', 'Order/GetOrder', 'id', 'id', `{ node(id: "${toGlobalId('Order', 'x')}") { ... on Order { status } } }`],
  ['one of several IDs', 'Order/GetOrder', 'id', 'ids.0', '{ nodes(ids: ["x"], nodeType: ORDER) { ... on Order { status } } }'],
  [
    'the key of a reference',
    'Order/GetOrder',
    'id',
    'representations.0.rawId',
    '{ _entities(representations: [{ __typename: "Order", rawId: "x" }]) { ... on Order { status } } }',
  ],
  [
    'the ID in one of several keys',
    'Inventory/GetInventoryReceipt',
    'receipt_id',
    'by.id',
    '{ inventoryReceipt(by: { id: "x" }) { status } }',
  ],
  [
    'an argument of another name',
    'Customer/LookupCustomersByIdentifier',
    'identifier',
    'by.other',
    '{ customersByIdentifier(by: { other: "x" }) { id } }',
  ],
  [
    'an argument of a field of a record',
    'Invoice/GetInvoice',
    'integration_id',
    'accountingIntegrationId',
    `{ order(id: "${demoId('order 0')}") { invoice(accountingIntegrationId: "x") { id } } }`,
  ],
  [
    'a custom field',
    'Customer/PatchCustomerDataFields',
    'fields["budget"]',
    'customFields.1',
    FIELDS,
    {
      input: { customerId: CUSTOMER, customFields: [QUOTED, BUDGET] },
    },
  ],
  [
    'a custom field whose name has quotes',
    'Customer/PatchCustomerDataFields',
    String.raw`fields["\"a]\\"]`,
    'customFields.1',
    FIELDS,
    {
      input: { customerId: CUSTOMER, customFields: [BUDGET, QUOTED] },
    },
  ],
  [
    'a custom field of a new record',
    'Customer/CreateCustomer',
    'custom_fields["budget"]',
    'customFields.0',
    CREATE,
    {
      input: { title: 'x', customFields: [BUDGET] },
    },
  ],
  [
    'a custom field that isn’t in the input',
    'Customer/CreateCustomer',
    'custom_fields["other"]',
    null,
    CREATE,
    {
      input: { title: 'x', customFields: [BUDGET] },
    },
  ],
];

describe('request that the upstream rejects', () => {
  it.each(REJECTED.map((each) => [each[0], each] as const))(
    'has the path of the graph’s input in its issue: %s',
    async (_title, rejected) => {
      const [, operation, name, path, query, variables] = rejected;
      const message = `${name}: must be something else.`;
      testGraph.sandbox.faults.add({ operation, status: 400, body: JSON.stringify({ code: 'invalid_argument', message }) });
      const { data, errors } = await testGraph.execute(query, variables);
      const issues = errors ? errors[0]?.extensions.issues : data.result.issues;
      const located = { path: path?.split('.') ?? [], message: path === null ? message : 'must be something else.' };
      expect([issues, errors?.[0]?.message]).toEqual([
        [{ code: 'OTHER', limit: null, ...located }],
        errors && `${path === null ? '' : `${path} `}${located.message}`,
      ]);
    },
  );
});

it('reports a documented rule with the path of the graph’s input, without a call', async () => {
  const [{ errors }, calls] = await testGraph.recordCalls(() =>
    testGraph.execute(`{ inventoryReceipt(by: { idempotencyKey: "${'x'.repeat(201)}" }) { status } }`),
  );
  expect([errors?.[0]?.extensions.issues, calls]).toMatchObject([[{ path: ['by', 'idempotencyKey'], code: 'TOO_LONG' }], []]);
});
