import { afterEach, describe, expect, it } from 'vitest';
import { ISSUE_CODES } from '../../../src/failures/errorCodes.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const CUSTOMER = `customerId: "${demoId('customer 0')}"`;
const MAIN = demoId('location 0');
const PRODUCT = `productId: "${demoId('product 0')}"`;
const STOCK = `${PRODUCT}, locationId: "${demoId('location 0')}", idempotencyKey: "x"`;
const updateCustomFields = (values: string) => `customerCustomFieldsUpdate(input: { ${CUSTOMER}, customFields: [${values}] })`;
const createEvent = (type: string) => `customerTimelineEventCreate(input: { ${CUSTOMER}, eventType: "${type}", summary: "x" })`;
const BUDGET = '{ name: "budget", value: { text: "5" } }';

const EVENT = ['Customer/CreateCustomerEvent'];
const QUOTE = ['Quote/CreateQuote'];

/** Inputs that violate a rule, with the expected issue. If the rule is only assumed, the upstream validates it. */
const MUTATIONS: readonly (readonly [mutation: string, code: string, limit: number | null, path: string, sent: readonly string[]])[] = [
  [createEvent(''), 'BLANK', null, 'eventType', EVENT],
  [createEvent('x'.repeat(101)), 'TOO_LONG', 100, 'eventType', EVENT],
  [updateCustomFields('{ name: " ", value: { text: "5" } }'), 'BLANK', null, 'customFields.0.name', []],
  [updateCustomFields(`${BUDGET}, ${BUDGET}`), 'DUPLICATE', null, 'customFields.1.name', []],
  [updateCustomFields('{ name: "place", value: { address: { latitude: 1 } } }'), 'REQUIRED', null, 'customFields.0.value.address', []],
  [
    updateCustomFields('{ name: "place", value: { address: { latitude: -91, longitude: 1 } } }'),
    'OUT_OF_RANGE',
    -90,
    'customFields.0.value.address.latitude',
    [],
  ],
  [`quoteCreate(input: { ${CUSTOMER}, lines: [] })`, 'TOO_SHORT', 1, 'lines', QUOTE],
  [`quoteCreate(input: { ${CUSTOMER}, lines: [{ ${PRODUCT}, quantity: 0 }] })`, 'OUT_OF_RANGE', 1, 'lines.0.quantity', QUOTE],
  [`quoteCreate(input: { customerId: "${toGlobalId('Quote', 'x')}", lines: [] })`, 'NOT_ALLOWED', null, 'customerId', []],
  [`inventoryAdjust(input: { ${STOCK}, reason: "x", change: { quantityDelta: 0 } })`, 'NOT_ALLOWED', null, 'change.quantityDelta', []],
  [`inventoryAdjust(input: { ${STOCK}, reason: "x", change: { targetAvailable: -1 } })`, 'OUT_OF_RANGE', 0, 'change.targetAvailable', []],
  [
    `inventoryTransferStart(input: { sourceLocationId: "${MAIN}", destinationLocationId: "${MAIN}", lines: [{ ${PRODUCT}, quantity: 1 }], idempotencyKey: "x" })`,
    'SAME_LOCATION',
    null,
    'sourceLocationId',
    [],
  ],
  [`contactCreate(input: { lastName: "x", idempotencyKey: "${'x'.repeat(201)}" })`, 'TOO_LONG', 200, 'idempotencyKey', []],
];

const QUERIES: readonly (readonly [query: string, code: string, limit: number | null, path: string])[] = [
  ['customers(first: 101) { nodes { id } }', 'OUT_OF_RANGE', 100, 'first'],
  ['customers(first: 1, last: 1) { nodes { id } }', 'NOT_ALLOWED', null, 'last'],
  ['node(id: "raw") { id }', 'INVALID_FORMAT', null, 'id'],
  [`nodes(ids: [${'"x", '.repeat(101)}]) { id }`, 'TOO_LONG', 100, 'ids'],
  ['idempotentOperation(operation: "nothing", idempotencyKey: "x") { state }', 'UNKNOWN_NAME', null, 'operation'],
  ['customersByIdentifier(by: { email: " " }) { id }', 'BLANK', null, 'by.email'],
];

const createIssue = (code: string, limit: number | null, path: string) => ({
  path: path.split('.'),
  code,
  limit,
  message: expect.any(String),
});

describe('issues of invalid values', () => {
  it.each(MUTATIONS)('contain for %s the code %s and the limit %s', async (mutation, code, limit, path, sent) => {
    const source = `mutation { result: ${mutation} { ... on ValidationError { issues { path code limit message } } } }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source));
    expect([data?.result, errors, calls]).toEqual([{ issues: [createIssue(code, limit, path)] }, undefined, sent]);
  });

  it.each(QUERIES)('contain for %s the code %s in the extensions and the limit %s', async (query, code, limit, path) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${query} }`));
    expect([errors?.map(({ extensions }) => extensions.issues), calls]).toEqual([[[createIssue(code, limit, path)]], []]);
  });

  it('count code points like the upstream', async () => {
    const create = (length: number) =>
      testGraph.execute(
        'mutation ($key: String) { contactCreate(input: { lastName: "x", idempotencyKey: $key }) { __typename ... on ValidationError { issues { message } } } }',
        { key: '🙂'.repeat(length) },
      );
    expect((await create(200)).data.contactCreate).toEqual({ __typename: 'ContactCreatePayload' });
    const issues = [{ message: 'must have at most 200 characters, but has 201.' }];
    expect((await create(201)).data.contactCreate).toEqual({ __typename: 'ValidationError', issues });
  });

  it('have the code OTHER and the upstream’s message if only the upstream knows the rule', async () => {
    testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', status: 400, body: '{"code":"invalid_argument","message":"No."}' });
    const { data } = await testGraph.execute(
      'mutation { contactCreate(input: { lastName: "x" }) { ... on ValidationError { issues { path code limit message } } } }',
    );
    expect(data.contactCreate.issues).toEqual([{ path: [], code: 'OTHER', limit: null, message: 'No.' }]);
  });

  it('have tests for all codes', () => {
    const covered = [...MUTATIONS, ...QUERIES].map(([, code]) => code);
    const others = Object.keys(ISSUE_CODES).filter((code) => !covered.includes(code));
    // The first two are codes of SQL: see test/graph/analytics/sqlErrors.test.ts.
    expect(others).toEqual(['INVALID_SYNTAX', 'UNSUPPORTED', 'CANNOT_BE_CLEARED', 'OTHER']);
  });
});
