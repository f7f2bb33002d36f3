import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { quotingIn } from '../../support/quoting.ts';
import { sendingBy } from '../../support/sendingBy.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** The bodies that were sent to the operations with a version, in order. */
const sent: { expectedVersion?: unknown }[] = [];

const testGraph = useTestGraph({}, undefined, {
  transport: sendingBy((request, usual) => {
    if (/UpdateQuote|CancelOrder/.test(request.path)) sent.push(JSON.parse(request.body));
    return usual(request);
  }),
});
const { lamp, createQuote, createOrder } = quotingIn(testGraph);

const FAILURES = `__typename
  ... on VersionConflictError { expectedVersion currentVersion current { ... on Quote { version } ... on Order { version } } }
  ... on ValidationError { issues { path message } }
  ... on MutationError { code }`;
const UPDATE = `mutation ($input: QuoteUpdateInput!) {
  quoteUpdate(input: $input) { ${FAILURES} ... on QuoteUpdatePayload { quote { version } effect } }
}`;
const CANCEL = `mutation ($input: OrderCancelInput!) {
  orderCancel(input: $input) { ${FAILURES} ... on OrderCancelPayload { order { version } } }
}`;

const updateInput = async (quoteId: string, expectedVersion: unknown) => ({
  quoteId,
  expectedVersion,
  lines: [{ productId: await lamp(), quantity: 1 }],
  discounts: [],
});

/** Texts that are the version of no record at version 1, though some read like one. */
const STRANGE = ['abc', '  7 ', '07', '7e0', '1e0', '0', '-1', '+2', '1.0', '1n', '0x2', 'v1/ä "q"', '\t1\u{1f600}', '9'.repeat(200)];

describe('a version', () => {
  it.each(STRANGE)('%j is sent as it is, and is a conflict when the quote has another', async (expectedVersion) => {
    const { rawId } = await createQuote();
    const before = sent.length;
    const [{ data }, calls] = await testGraph.recordCalls(async () =>
      testGraph.execute(UPDATE, { input: { ...(await updateInput(rawId, expectedVersion)) } }),
    );
    expect(sent.slice(before)).toMatchObject([{ expectedVersion }]);
    expect(calls.slice(-2)).toEqual(['Quote/UpdateQuote', 'Quote/GetQuote']);
    expect(data.quoteUpdate).toEqual({
      __typename: 'VersionConflictError',
      code: 'VERSION_CONFLICT',
      expectedVersion,
      currentVersion: '1',
      current: { version: '1' },
    });
  });

  it.each(STRANGE)('%j is sent as it is, and is a conflict when the order has another', async (expectedVersion) => {
    const orderId = await createOrder();
    const before = sent.length;
    const { data } = await testGraph.execute(CANCEL, { input: { orderId, expectedVersion, idempotencyKey: orderId } });
    expect(sent.slice(before)).toMatchObject([{ expectedVersion }]);
    expect(data.orderCancel).toEqual({
      __typename: 'VersionConflictError',
      code: 'VERSION_CONFLICT',
      expectedVersion,
      currentVersion: '1',
      current: { version: '1' },
    });
  });

  it.each(['1', 'v1', ' W/"3" ', 'Ünïcode\u{1f600}\u0007', 'x'.repeat(200)])(
    '%j that a record has comes back byte for byte',
    async (version) => {
      const quote = (of: string) => JSON.stringify({ quote: { id: 'q', version: of } });
      testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', status: 200, body: quote(version), times: 1 });
      const { data: read } = await testGraph.execute('{ quote(id: "q") { version } }');
      expect(read.quote).toEqual({ version });
      testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', status: 200, body: quote(`${version}+`), times: 1 });
      const { data } = await testGraph.execute(UPDATE, { input: await updateInput('q', read.quote.version) });
      expect(data.quoteUpdate).toEqual({ __typename: 'QuoteUpdatePayload', quote: { version: `${version}+` }, effect: 'DONE' });
      expect(sent.at(-1)?.expectedVersion).toBe(version);
    },
  );

  it('that is a whole number is taken as its text', async () => {
    const { rawId } = await createQuote();
    const { data } = await testGraph.execute(UPDATE, { input: await updateInput(rawId, 1) });
    expect([data.quoteUpdate, sent.at(-1)?.expectedVersion]).toEqual([expect.objectContaining({ quote: { version: '2' } }), '1']);
    const written = `mutation { orderCancel(input: { orderId: "${await createOrder()}", expectedVersion: 1, idempotencyKey: "one" }) { __typename } }`;
    expect((await testGraph.execute(written)).data).toEqual({ orderCancel: { __typename: 'OrderCancelPayload' } });
    expect(sent.at(-1)?.expectedVersion).toBe('1');
  });

  it.each(['', '   ', '\t\n\u00a0', 'x'.repeat(201), 1.5, 2 ** 53, true, ['1']])(
    '%j is refused, and nothing is sent',
    async (expectedVersion) => {
      const input = await updateInput('q', expectedVersion);
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
      expect([data, errors?.map(({ extensions }) => extensions.code), calls]).toEqual([undefined, ['BAD_USER_INPUT'], []]);
      expect(errors?.[0]?.message).toMatch(/Version must be .*not blank.*at most 200 characters/);
    },
  );

  it('that nobody understands is a problem of the input to a key that may not read the quote', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'quote:read') });
    const { rawId } = await createQuote();
    const { data, errors } = await testGraph.executeAs(key, UPDATE, { input: await updateInput(rawId, 'abc') });
    expect(errors).toBeUndefined();
    expect(data.quoteUpdate).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT' });
  });

  describe('that the upstream writes as a number', () => {
    const answered = (quote: object) => ({ status: 200, body: JSON.stringify({ quote: { id: 'q', ...quote } }), times: 1 });
    const read = (quote: object) => testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', ...answered(quote) });

    it('is the same version: a refusal for another reason is no conflict', async () => {
      const message = 'The product is not for sale.';
      testGraph.sandbox.faults.add({
        operation: 'Quote/UpdateQuote',
        status: 400,
        body: JSON.stringify({ code: 'invalid_argument', message }),
        times: 1,
      });
      read({ version: 7 });
      const { data } = await testGraph.execute(UPDATE, { input: await updateInput('q', '7') });
      expect(data.quoteUpdate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [{ path: [], message }] });
    });

    it('is the same version: a quote that had the lines before is no sign that they were set', async () => {
      const input = { ...(await updateInput('q', '7')), idempotencyKey: 'a number' };
      testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', cut: 'after', times: 1 });
      read({ version: 7, lineItems: input.lines });
      const { data } = await testGraph.execute(UPDATE, { input });
      expect(data.quoteUpdate).toEqual({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' });
    });
  });
});
