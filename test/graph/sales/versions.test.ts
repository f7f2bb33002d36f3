import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** Request bodies sent to the operations that accept a version, in order. */
const sentBodies: { expectedVersion?: unknown }[] = [];

const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls((request, usual) => {
    if (/UpdateQuote|CancelOrder/.test(request.path)) sentBodies.push(JSON.parse(request.body));
    return usual(request);
  }),
});
const { lamp, createQuote, createOrder } = createQuoting(testGraph);

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

/** Strings that don't match a record at version 1, although some look like it. */
const UNUSUAL_VERSIONS = [
  'abc',
  '  7 ',
  '07',
  '7e0',
  '1e0',
  '0',
  '-1',
  '+2',
  '1.0',
  '1n',
  '0x2',
  'v1/ä "q"',
  '\t1\u{1f600}',
  '9'.repeat(200),
];

describe('expectedVersion', () => {
  it.each(UNUSUAL_VERSIONS)(
    'sends %j unchanged and returns VersionConflictError if the quote has another version',
    async (expectedVersion) => {
      const { rawId } = await createQuote();
      const before = sentBodies.length;
      const [{ data }, calls] = await testGraph.recordCalls(async () =>
        testGraph.execute(UPDATE, { input: { ...(await updateInput(rawId, expectedVersion)) } }),
      );
      expect(sentBodies.slice(before)).toMatchObject([{ expectedVersion }]);
      expect(calls.slice(-2)).toEqual(['Quote/UpdateQuote', 'Quote/GetQuote']);
      expect(data.quoteUpdate).toEqual({
        __typename: 'VersionConflictError',
        code: 'VERSION_CONFLICT',
        expectedVersion,
        currentVersion: '1',
        current: { version: '1' },
      });
    },
  );

  it.each(UNUSUAL_VERSIONS)(
    'sends %j unchanged and returns VersionConflictError if the order has another version',
    async (expectedVersion) => {
      const orderId = await createOrder();
      const before = sentBodies.length;
      const { data } = await testGraph.execute(CANCEL, { input: { orderId, expectedVersion, idempotencyKey: orderId } });
      expect(sentBodies.slice(before)).toMatchObject([{ expectedVersion }]);
      expect(data.orderCancel).toEqual({
        __typename: 'VersionConflictError',
        code: 'VERSION_CONFLICT',
        expectedVersion,
        currentVersion: '1',
        current: { version: '1' },
      });
    },
  );

  it.each(['1', 'v1', ' W/"3" ', 'Ünïcode\u{1f600}\u0007', 'x'.repeat(200)])('preserves the version %j byte for byte', async (version) => {
    const quote = (of: string) => JSON.stringify({ quote: { id: 'q', version: of } });
    testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', status: 200, body: quote(version), times: 1 });
    const { data: read } = await testGraph.execute('{ quote(id: "q") { version } }');
    expect(read.quote).toEqual({ version });
    testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', status: 200, body: quote(`${version}+`), times: 1 });
    const { data } = await testGraph.execute(UPDATE, { input: await updateInput('q', read.quote.version) });
    expect(data.quoteUpdate).toEqual({ __typename: 'QuoteUpdatePayload', quote: { version: `${version}+` }, effect: 'DONE' });
    expect(sentBodies.at(-1)?.expectedVersion).toBe(version);
  });

  it('converts an integer to a string', async () => {
    const { rawId } = await createQuote();
    const { data } = await testGraph.execute(UPDATE, { input: await updateInput(rawId, 1) });
    expect([data.quoteUpdate, sentBodies.at(-1)?.expectedVersion]).toEqual([expect.objectContaining({ quote: { version: '2' } }), '1']);
    const written = `mutation { orderCancel(input: { orderId: "${await createOrder()}", expectedVersion: 1, idempotencyKey: "one" }) { __typename } }`;
    expect((await testGraph.execute(written)).data).toEqual({ orderCancel: { __typename: 'OrderCancelPayload' } });
    expect(sentBodies.at(-1)?.expectedVersion).toBe('1');
  });

  it.each(['', '   ', '\t\n\u00a0', 'x'.repeat(201), 1.5, 2 ** 53, true, ['1']])(
    'rejects %j without an upstream call',
    async (expectedVersion) => {
      const input = await updateInput('q', expectedVersion);
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
      expect([data, errors?.map(({ extensions }) => extensions.code), calls]).toEqual([undefined, ['BAD_USER_INPUT'], []]);
      expect(errors?.[0]?.message).toMatch(/Version must be .*not blank.*at most 200 characters/);
    },
  );

  it('returns ValidationError for an unknown version if the key can’t read the quote', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'quote:read') });
    const { rawId } = await createQuote();
    const { data, errors } = await testGraph.executeAs(key, UPDATE, { input: await updateInput(rawId, 'abc') });
    expect(errors).toBeUndefined();
    expect(data.quoteUpdate).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT' });
  });

  describe('numeric version from the upstream', () => {
    const toResponse = (quote: object) => ({ status: 200, body: JSON.stringify({ quote: { id: 'q', ...quote } }), times: 1 });
    const read = (quote: object) => testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', ...toResponse(quote) });

    it('reports no conflict if the upstream rejects the update for another reason', async () => {
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

    it('returns OutcomeUnknownError if the quote has the requested lines but the same version', async () => {
      const input = { ...(await updateInput('q', '7')), idempotencyKey: 'a number' };
      testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', cut: 'after', times: 1 });
      read({ version: 7, lineItems: input.lines });
      const { data } = await testGraph.execute(UPDATE, { input });
      expect(data.quoteUpdate).toEqual({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' });
    });
  });
});
