import { afterEach, describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CONFIRM_QUOTE, createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { lamp, createQuote } = createQuoting(testGraph);

const UPDATE = `mutation ($input: QuoteUpdateInput!) {
  quoteUpdate(input: $input) {
    __typename
    ... on QuoteUpdatePayload { quote { rawId version lines { quantity } discounts { name } totalOnce { minorUnits } } effect }
    ... on VersionConflictError { expectedVersion currentVersion current { ... on Quote { version lines { quantity } } } }
    ... on TransitionBlockedError { fromText blockers { code message } current { ... on Quote { rawId status } } }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path message }
    ... on MutationError { code }
  }
}`;

/** Sends no discounts unless the input specifies them. */
const update = (input: object) => testGraph.execute(UPDATE, { input: { discounts: [], ...input } });

const DISCARD = `mutation ($input: QuoteDiscardInput!) {
  quoteDiscard(input: $input) {
    __typename
    ... on QuoteDiscardPayload { quote { status statusText } effect }
    ... on TransitionBlockedError { fromText }
    ... on MutationError { code }
  }
}`;

const READ = 'query ($id: ID!) { quote(id: $id) { version status lines { quantity } } }';
const read = async (id: string) => (await testGraph.execute(READ, { id })).data.quote;

const listOrders = (quoteId: string) => testGraph.sandbox.world.store.all('SELECT id FROM orders WHERE quote_id = :quoteId', { quoteId });

describe('Mutation.quoteUpdate', () => {
  it('replaces all lines and discounts and returns the next version', async () => {
    const productId = await lamp();
    const quote = await createQuote({ lines: [{ productId, quantity: 2 }], discounts: [{ discountId: demoId('discount 0') }] });
    const input = { quoteId: quote.id, expectedVersion: quote.version, lines: [5, 1].map((quantity) => ({ productId, quantity })) };
    const [{ data }, calls] = await testGraph.recordCalls(() => update(input));
    expect(data.quoteUpdate.quote).toEqual({
      rawId: quote.rawId,
      version: '2',
      lines: [{ quantity: 5 }, { quantity: 1 }],
      discounts: [],
      totalOnce: { minorUnits: '6000' },
    });
    expect(calls).toEqual(['Quote/UpdateQuote']);
  });

  it('requires discounts, because omitting them would remove them all', async () => {
    const { id: quoteId } = await createQuote({ discounts: [{ discountId: demoId('discount 0') }] });
    const input = { quoteId, expectedVersion: '1', lines: [{ productId: await lamp(), quantity: 1 }] };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
    expect([data, errors?.[0]?.message]).toEqual([
      undefined,
      expect.stringContaining('"discounts" of required type "[QuoteDiscountInput!]!"'),
    ]);
    expect(calls).toEqual([]);
  });

  it('returns VersionConflictError with the current quote and changes nothing if the version has changed', async () => {
    const productId = await lamp();
    const { rawId: quoteId } = await createQuote({ lines: [{ productId, quantity: 2 }] });
    await update({ quoteId, expectedVersion: '1', lines: [{ productId, quantity: 3 }] });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      update({ quoteId, expectedVersion: '1', lines: [{ productId, quantity: 9 }] }),
    );
    expect(data.quoteUpdate).toEqual({
      __typename: 'VersionConflictError',
      code: 'VERSION_CONFLICT',
      expectedVersion: '1',
      currentVersion: '2',
      current: { version: '2', lines: [{ quantity: 3 }] },
    });
    expect(calls).toEqual(['Quote/UpdateQuote', 'Quote/GetQuote']);
    expect(await read(quoteId)).toEqual({ version: '2', status: 'CONCEPT', lines: [{ quantity: 3 }] });
  });

  it('returns VersionConflictError without the quote if the key can’t read quotes', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'quote:read') });
    const { rawId: quoteId } = await createQuote();
    const input = { quoteId, expectedVersion: '7', lines: [{ productId: await lamp(), quantity: 1 }], discounts: [] };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, UPDATE, { input }));
    expect([data.quoteUpdate, errors]).toEqual([
      { __typename: 'VersionConflictError', code: 'VERSION_CONFLICT', expectedVersion: '7', currentVersion: null, current: null },
      undefined,
    ]);
    expect(calls).toEqual(['Quote/UpdateQuote']);
  });

  it('replays the result for a repeated key even if the version has changed since', async () => {
    const { rawId: quoteId } = await createQuote();
    const input = { quoteId, expectedVersion: '1', lines: [{ productId: await lamp(), quantity: 4 }], idempotencyKey: 'update-once' };
    const first = await update(input);
    const [repeat, calls] = await testGraph.recordCalls(() => update(input));
    expect(repeat.data.quoteUpdate).toEqual({ ...first.data.quoteUpdate, effect: 'REPLAYED' });
    expect([(await read(quoteId)).version, calls]).toEqual(['2', ['Quote/GetQuote']]);
  });

  it('returns TransitionBlockedError with the status if the quote is confirmed', async () => {
    const { rawId: quoteId } = await createQuote();
    await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } });
    const { data } = await update({ quoteId, expectedVersion: '2', lines: [{ productId: await lamp(), quantity: 1 }] });
    expect(data.quoteUpdate).toMatchObject({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_QUOTE_STATUS_CONFIRMED',
      current: { rawId: quoteId, status: 'CONFIRMED' },
    });
    expect(data.quoteUpdate.blockers).toEqual([
      { code: 'WRONG_STATUS', message: expect.stringMatching(/^Only draft quotes can be updated, but Q-\d+ is confirmed\.$/) },
    ]);
  });

  it('prefers VersionConflictError to TransitionBlockedError if the version of a confirmed quote is stale', async () => {
    const { rawId: quoteId } = await createQuote();
    await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } });
    const { data } = await update({ quoteId, expectedVersion: '1', lines: [{ productId: await lamp(), quantity: 1 }] });
    expect(data.quoteUpdate).toMatchObject({ __typename: 'VersionConflictError', currentVersion: '2', current: { version: '2' } });
  });

  it('returns TransitionBlockedError without WRONG_STATUS if the status isn’t the blocker', async () => {
    const { rawId: quoteId } = await createQuote();
    testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', status: 409, body: '{"code":"failed_precondition","message":"No."}' });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      update({ quoteId, expectedVersion: '1', lines: [{ productId: demoId('product 0'), quantity: 1 }] }),
    );
    testGraph.sandbox.faults.clear();
    expect(data.quoteUpdate).toMatchObject({ __typename: 'TransitionBlockedError', current: { status: 'CONCEPT' } });
    expect(data.quoteUpdate.blockers).toEqual([{ code: 'OTHER', message: 'No.' }]);
    expect(calls).toEqual(['Quote/UpdateQuote', 'Quote/GetQuote']);
  });

  it('returns the ID of the missing record, whether it is the quote or another record', async () => {
    const { rawId: quoteId, version: expectedVersion } = await createQuote();
    const lines = [await lamp(), 'nothing'].map((productId) => ({ productId, quantity: 1 }));
    const [product, calls] = await testGraph.recordCalls(() => update({ quoteId, expectedVersion, lines }));
    expect(calls).toEqual(['Quote/UpdateQuote', 'Catalog/GetProduct']);
    expect(product.data.quoteUpdate).toMatchObject({
      __typename: 'NotFoundError',
      missingId: 'nothing',
      path: ['lines', '1', 'productId'],
      message: 'Product nothing not found.',
    });
    const quote = await update({ quoteId: 'gone', expectedVersion, lines });
    expect(quote.data.quoteUpdate).toMatchObject({
      __typename: 'NotFoundError',
      missingId: 'gone',
      path: ['quoteId'],
      message: 'Quote gone not found.',
    });
  });
});

describe('NotFoundError.missingId', () => {
  const fail = (message: string) =>
    testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', status: 404, body: JSON.stringify({ code: 'not_found', message }) });
  afterEach(() => testGraph.sandbox.faults.clear());

  it('resolves to null if the message contains no ID, several IDs, or the ID of an existing record', async () => {
    const { rawId: quoteId } = await createQuote();
    const [first, second] = [demoId('product 0'), demoId('product 1')];
    const lines = [first, second].map((productId) => ({ productId, quantity: 1 }));
    for (const message of ['Not found.', `Neither ${first} nor ${second}.`, `${first} not found.`, `x-${first} not found.`]) {
      fail(message);
      const { data } = await update({ quoteId, expectedVersion: '1', lines });
      expect(data.quoteUpdate, message).toEqual({ __typename: 'NotFoundError', missingId: null, path: [], code: 'NOT_FOUND', message });
      testGraph.sandbox.faults.clear();
    }
  });

  it('resolves without a lookup if the key can’t read the record', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'quote:update'] });
    const { rawId: quoteId } = await createQuote();
    const input = { quoteId, expectedVersion: '1', discounts: [], lines: [{ productId: 'nothing', quantity: 1 }] };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, UPDATE, { input }));
    expect(data.quoteUpdate).toMatchObject({ missingId: 'nothing', path: ['lines', '0', 'productId'] });
    expect(calls).toEqual(['Quote/UpdateQuote']);
  });
});

describe('Mutation.quoteDiscard', () => {
  it('discards a draft and reports UNCHANGED if it is already discarded', async () => {
    const { rawId: quoteId } = await createQuote();
    for (const effect of ['DONE', 'UNCHANGED']) {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(DISCARD, { input: { quoteId } }));
      expect(data.quoteDiscard).toMatchObject({ effect, quote: { status: 'DISCARDED', statusText: 'PUBLIC_QUOTE_STATUS_DISCARDED' } });
      expect(calls).toEqual(['Quote/GetQuote', 'Quote/DiscardQuote']);
    }
    expect((await read(quoteId)).version).toBe('2');
  });

  it('returns TransitionBlockedError for a confirmed quote', async () => {
    const { rawId: quoteId } = await createQuote();
    await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } });
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(DISCARD, { input: { quoteId } }));
    expect(data.quoteDiscard).toEqual({
      __typename: 'TransitionBlockedError',
      code: 'TRANSITION_BLOCKED',
      fromText: 'PUBLIC_QUOTE_STATUS_CONFIRMED',
    });
    expect(calls).toEqual(['Quote/GetQuote', 'Quote/DiscardQuote', 'Quote/GetQuote']);
    expect((await read(quoteId)).status).toBe('CONFIRMED');
  });
});

describe('Mutation.quoteConfirm', () => {
  it('returns the same order and reports UNCHANGED if it is repeated', async () => {
    const { rawId: quoteId } = await createQuote();
    const [first, calls] = await testGraph.recordCalls(() => testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } }));
    expect(first.data.quoteConfirm).toMatchObject({
      quote: { status: 'CONFIRMED', version: '2' },
      order: { status: 'OPEN', quote: { rawId: quoteId }, totalOnce: { minorUnits: '2000' } },
    });
    const repeat = await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } });
    expect(repeat.data.quoteConfirm).toEqual({ ...first.data.quoteConfirm, effect: 'UNCHANGED' });
    expect(calls).toEqual(['Quote/GetQuote', 'Quote/ConfirmQuote']);
    expect(listOrders(quoteId)).toHaveLength(1);
  });

  it('creates one order for 20 concurrent requests', async () => {
    const { rawId: quoteId } = await createQuote();
    const responses = await Promise.all(Array.from({ length: 20 }, () => testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } })));
    expect(new Set(responses.map(({ data }) => data.quoteConfirm.order.rawId)).size).toBe(1);
    expect(listOrders(quoteId)).toHaveLength(1);
  });

  it('retries after a lost response and creates one order', async () => {
    const { rawId: quoteId } = await createQuote();
    testGraph.sandbox.faults.add({ operation: 'Quote/ConfirmQuote', cut: 'after', times: 1 });
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } }));
    expect(data.quoteConfirm.__typename).toBe('QuoteConfirmPayload');
    expect(calls).toEqual(['Quote/GetQuote', 'Quote/ConfirmQuote', 'Quote/ConfirmQuote']);
    expect(listOrders(quoteId)).toHaveLength(1);
  });

  it('returns TransitionBlockedError for a discarded quote, without the status if the key can’t read it', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'quote:confirm'] });
    const { rawId: quoteId } = await createQuote();
    await testGraph.execute(DISCARD, { input: { quoteId } });
    const { data } = await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } });
    expect(data.quoteConfirm).toMatchObject({ __typename: 'TransitionBlockedError', fromText: 'PUBLIC_QUOTE_STATUS_DISCARDED' });
    const withoutReadScope = await testGraph.executeAs(key, CONFIRM_QUOTE, { input: { quoteId } });
    expect(withoutReadScope.data.quoteConfirm).toEqual({ ...data.quoteConfirm, fromText: null });
  });
});
