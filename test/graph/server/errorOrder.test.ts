import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Part, readParts } from '../../support/parts.ts';
import { type TestGraphOptions, useTestGraph } from '../../support/testGraph.ts';

const ENGINES = {
  'fast path, compiled': { FAST_PATH: 'true', COMPILE_AFTER: '1' },
  'fast path, interpreted': { FAST_PATH: 'true', COMPILE_AFTER: '0' },
  'Yoga, compiled': { FAST_PATH: 'false', COMPILE_AFTER: '1' },
  'Yoga, interpreted': { FAST_PATH: 'false', COMPILE_AFTER: '0' },
} satisfies Record<string, TestGraphOptions['env']>;

const CUSTOMER = 'Customer/GetCustomer';
const CONTACT = 'Contact/GetContact';
const EVENTS = 'Customer/ListCustomerTimelineEvents';
const OPERATIONS = [CUSTOMER, CONTACT, EVENTS];
const VARIABLES = { customer: demoId('customer 0'), contact: demoId('contact 0') };

const FIELDS = `
  last: customer(id: $customer) { timelineEvents(first: 1) { nodes { rawId } } }
  ...Contacts
  c: customer(id: $customer) { title }
  a: contact(id: $contact) { lastName }
`;
const FRAGMENT = 'fragment Contacts on Query { z: contact(id: $contact) { lastName } b: customer(id: $customer) { title } }';
const QUERY = `query ($customer: ID!, $contact: ID!) { ${FIELDS} } ${FRAGMENT}`;
const ORDER = ['last,timelineEvents', 'z', 'b', 'c', 'a'];

const ARRIVALS = [
  [CUSTOMER, CONTACT, EVENTS],
  [EVENTS, CUSTOMER, CONTACT],
  [CONTACT, EVENTS, CUSTOMER],
];

describe.each(Object.entries(ENGINES))('errors of a response (%s)', (_name, env) => {
  const testGraph = useTestGraph({}, undefined, { env });
  afterEach(() => testGraph.sandbox.faults.clear());

  /** Makes every operation fail and releases the responses one operation after another. */
  async function failInOrder<Result>(operations: readonly string[], execute: () => Promise<Result>): Promise<Result> {
    for (const operation of OPERATIONS) testGraph.sandbox.faults.add({ operation, status: 403, body: '{}' });
    const held = operations.map((operation) => testGraph.gate.hold(operation));
    const result = execute();
    await Promise.all(held.map(({ arrived }) => arrived));
    for (const { release, answered: received } of held) {
      release();
      await received;
    }
    return result;
  }

  it.each(ARRIVALS)('follow document order if responses arrive as %s, %s, %s', async (...operations) => {
    const { errors } = await failInOrder(operations, () => testGraph.execute(QUERY, VARIABLES));
    expect(errors?.map(({ path }) => path?.join())).toEqual(ORDER);
  });

  it('follow the order of list items and of the fields of each item', async () => {
    const ids = [demoId('customer 2'), demoId('customer 0'), demoId('customer 1')];
    for (const operation of [EVENTS, 'Order/ListOrders', 'Quote/ListQuotes'])
      testGraph.sandbox.faults.add({ operation, status: 403, body: '{}' });
    const { errors } = await testGraph.execute(
      'query ($ids: [ID!]!) { customers: nodes(ids: $ids) { ... on Customer { quotes { nodes { id } } timelineEvents { nodes { rawId } } orders { nodes { id } } } } }',
      { ids: ids.map((id) => toGlobalId('Customer', id)) },
    );
    const fields = ['quotes', 'timelineEvents', 'orders'];
    expect(errors?.map(({ path }) => path?.join())).toEqual(
      [0, 1, 2].flatMap((index) => fields.map((field) => `customers,${index},${field}`)),
    );
  });

  it.each(ARRIVALS)('follow document order in incremental results if responses arrive as %s, %s, %s', async (...operations) => {
    const query = `query ($customer: ID!, $contact: ID!) { __typename ... @defer { ${FIELDS} } } ${FRAGMENT}`;
    const parts = await failInOrder(operations, async () => {
      const response = await fetch(`${testGraph.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'multipart/mixed', authorization: 'Bearer demo-owner' },
        body: JSON.stringify({ query, variables: VARIABLES }),
      });
      const received: Part[] = [];
      for await (const part of readParts(response.body as ReadableStream<Uint8Array<ArrayBuffer>>)) received.push(part);
      return received;
    });
    const errors = parts.flatMap(({ incremental = [] }) => incremental.flatMap((each) => each.errors ?? []));
    expect(errors.map(({ path }) => String(path))).toEqual(ORDER);
  });
});
