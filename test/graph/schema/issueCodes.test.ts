import { afterEach, describe, expect, it } from 'vitest';
import { ISSUE_CODES } from '../../../src/failures/errorCodes.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const CUSTOMER = `customerId: "${demoId('customer 0')}"`;
const PRODUCT = `productId: "${demoId('product 0')}"`;
const STOCK = `${PRODUCT}, locationId: "${demoId('location 0')}", idempotencyKey: "x"`;
const fields = (values: string) => `customerCustomFieldsUpdate(input: { ${CUSTOMER}, customFields: [${values}] })`;
const event = (type: string) => `customerTimelineEventCreate(input: { ${CUSTOMER}, eventType: "${type}", summary: "x" })`;
const BUDGET = '{ name: "budget", value: { text: "5" } }';

const EVENT = ['Customer/CreateCustomerEvent'];
const QUOTE = ['Quote/CreateQuote'];

/** The input that breaks a rule, and what is told of it. Where the rule is only assumed, the upstream is asked first. */
const MUTATIONS: readonly (readonly [mutation: string, code: string, limit: number | null, path: string, sent: readonly string[]])[] = [
  [event(''), 'BLANK', null, 'eventType', EVENT],
  [event('x'.repeat(101)), 'TOO_LONG', 100, 'eventType', EVENT],
  [fields('{ name: " ", value: { text: "5" } }'), 'BLANK', null, 'customFields.0.name', []],
  [fields(`${BUDGET}, ${BUDGET}`), 'DUPLICATE', null, 'customFields.1.name', []],
  [fields('{ name: "place", value: { address: { latitude: 1 } } }'), 'REQUIRED', null, 'customFields.0.value.address', []],
  [
    fields('{ name: "place", value: { address: { latitude: -91, longitude: 1 } } }'),
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

const issue = (code: string, limit: number | null, path: string) => ({ path: path.split('.'), code, limit, message: expect.any(String) });

describe('what is told of a value that breaks a rule', () => {
  it.each(MUTATIONS)('in %s is %s, with the limit %s', async (mutation, code, limit, path, sent) => {
    const source = `mutation { result: ${mutation} { ... on ValidationError { issues { path code limit message } } } }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source));
    expect([data?.result, errors, calls]).toEqual([{ issues: [issue(code, limit, path)] }, undefined, sent]);
  });

  it.each(QUERIES)('in %s is %s in the extensions, with the limit %s', async (query, code, limit, path) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${query} }`));
    expect([errors?.map(({ extensions }) => extensions.issues), calls]).toEqual([[[issue(code, limit, path)]], []]);
  });

  it('counts code points, as the upstream does', async () => {
    const create = (length: number) =>
      testGraph.execute(
        'mutation ($key: String) { contactCreate(input: { lastName: "x", idempotencyKey: $key }) { __typename ... on ValidationError { issues { message } } } }',
        { key: '🙂'.repeat(length) },
      );
    expect((await create(200)).data.contactCreate).toEqual({ __typename: 'ContactCreatePayload' });
    const issues = [{ message: 'must have at most 200 characters, but has 201.' }];
    expect((await create(201)).data.contactCreate).toEqual({ __typename: 'ValidationError', issues });
  });

  it('is OTHER when only the upstream knows the rule, which tells it in words', async () => {
    testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', status: 400, body: '{"code":"invalid_argument","message":"No."}' });
    const { data } = await testGraph.execute(
      'mutation { contactCreate(input: { lastName: "x" }) { ... on ValidationError { issues { path code limit message } } } }',
    );
    expect(data.contactCreate.issues).toEqual([{ path: [], code: 'OTHER', limit: null, message: 'No.' }]);
  });

  it('is one of the codes, all of which a test shows', () => {
    const shown = [...MUTATIONS, ...QUERIES].map(([, code]) => code);
    const others = Object.keys(ISSUE_CODES).filter((code) => !shown.includes(code));
    // The first two are codes of SQL: see test/graph/analytics/sqlErrors.test.ts.
    expect(others).toEqual(['INVALID_SYNTAX', 'UNSUPPORTED', 'CANNOT_BE_CLEARED', 'OTHER']);
  });
});
