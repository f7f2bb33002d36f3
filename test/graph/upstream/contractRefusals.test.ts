import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const CREATE = `mutation ($input: QuoteCreateInput!) {
  quoteCreate(input: $input) {
    ... on ValidationError { issues { path code limit message } }
    ... on QuoteCreatePayload { quote { rawId title } }
  }
}`;
const LONG = 'x'.repeat(201);
const LINE = { productId: demoId('product 0'), quantity: 1 };

const create = (input: object) =>
  testGraph.recordCalls(async () => {
    const { data } = await testGraph.execute(CREATE, { input: { customerId: demoId('customer 0'), lines: [LINE], ...input } });
    return data.quoteCreate;
  });

/** Makes the upstream reject the request as invalid with a message. */
const rejectWith = (message: string | null) =>
  testGraph.sandbox.faults.add({
    operation: 'Quote/CreateQuote',
    status: 400,
    body: JSON.stringify(message === null ? {} : { message: message }),
  });

const TOO_LONG = { path: ['title'], code: 'TOO_LONG', limit: 200, message: 'must have at most 200 characters, but has 201.' };
const NO_QUANTITY = { path: ['lines', '0', 'quantity'], code: 'OUT_OF_RANGE', limit: 1, message: 'must be greater than 0, but is 0.' };
const createOtherIssue = (message: string) => ({ path: [], code: 'OTHER', limit: null, message });

describe('request that violates an assumed rule', () => {
  it('succeeds if the upstream accepts it', async () => {
    const body = JSON.stringify({ quote: { id: 'q', title: LONG } });
    testGraph.sandbox.faults.add({ operation: 'Quote/CreateQuote', status: 200, body });
    const [result, calls] = await create({ title: LONG });
    expect([result, calls]).toEqual([{ quote: { rawId: 'q', title: LONG } }, ['Quote/CreateQuote']]);
  });

  it('fails after one call with the path, code, and limit of the rule', async () => {
    expect(await create({ title: LONG })).toEqual([{ issues: [TOO_LONG] }, ['Quote/CreateQuote']]);
  });

  it.each([
    ['returns no message', null, { title: LONG }, [TOO_LONG]],
    ['names the field', 'Title is too long.', { title: LONG }, [TOO_LONG]],
    ['names no field', 'The request is invalid.', { title: LONG }, [TOO_LONG, createOtherIssue('The request is invalid.')]],
    ['names another field', 'customerId: is closed.', { title: LONG }, [{ ...createOtherIssue('is closed.'), path: ['customerId'] }]],
    [
      'also names another field',
      'title and pricing_country are wrong.',
      { title: LONG },
      [TOO_LONG, createOtherIssue('title and pricing_country are wrong.')],
    ],
    ['names the list that contains the field', 'line_items[0] is wrong', { lines: [{ ...LINE, quantity: 0 }] }, [NO_QUANTITY]],
    ['names a field in the list', 'line_items[0].quantity', { title: LONG, lines: [{ ...LINE, quantity: 0 }] }, [NO_QUANTITY]],
    ['names a field whose rule is satisfied', 'The title is taken.', {}, [createOtherIssue('The title is taken.')]],
  ])('returns the matching issues if the upstream %s', async (_case, message, input, issues) => {
    rejectWith(message);
    expect(await create(input)).toEqual([{ issues }, ['Quote/CreateQuote']]);
  });
});

const BACKORDER = `mutation ($input: InventoryBackorderCreateInput!) {
  inventoryBackorderCreate(input: $input) { ... on ValidationError { issues { path } } }
}`;

describe('request that violates a documented rule', () => {
  it('fails without a call and reports only the documented rule', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(BACKORDER, {
        input: {
          destinationLocationId: demoId('location 0'),
          lines: [{ productId: demoId('product 0'), quantity: 0 }],
          expectedArrivalAt: '2099-01-01T00:00:00Z',
          reference: LONG,
          idempotencyKey: 'documented',
        },
      }),
    );
    expect([data.inventoryBackorderCreate, calls]).toEqual([{ issues: [{ path: ['lines', '0', 'quantity'] }] }, []]);
  });
});
