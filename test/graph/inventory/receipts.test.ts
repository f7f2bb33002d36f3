import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey, MAIN, NOWHERE, VIRTUAL } from '../../sandbox/stock.ts';
import { createFutureDate, useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, mutateAs, newProduct, balance } = testGraph;

const GET = 'Inventory/GetInventoryReceipt';
const DRAFT = 'PUBLIC_INVENTORY_RECEIPT_STATUS_DRAFT';
const POSTED = 'PUBLIC_INVENTORY_RECEIPT_STATUS_POSTED';

/** A posted receipt with truncated text, and a draft with 64 lines. */
const WITH_LONG_TEXT = demoId('receipt 0');
const WITH_MANY_LINES = demoId('receipt 1');

const read = (by: object, selection: string) =>
  testGraph.recordCalls(() =>
    testGraph.execute(`query ($by: InventoryReceiptByInput!) { inventoryReceipt(by: $by) { ${selection} } }`, { by }),
  );

const createReceipt = async (more: object = {}, selection = 'receipt { id rawId }') => {
  const payload = await mutate('inventoryReceiptCreate', { locationId: MAIN, idempotencyKey: createIdempotencyKey(), ...more }, selection);
  return payload.receipt;
};

/** The error for a field of a payload's receipt that the key can't read. */
const expectedDenial = (mutation: string, field: string) => ({
  path: [mutation, 'receipt', field],
  message: expect.any(String),
  extensions: expect.objectContaining({ code: 'FORBIDDEN', missingScopes: ['inventory:read'] }),
  locations: expect.any(Array),
});

const compareByPath = (one: { path?: unknown }, other: { path?: unknown }) => (String(one.path) < String(other.path) ? -1 : 1);

const addLine = (receiptId: string, productId: string, more: object = {}) =>
  mutate(
    'inventoryReceiptLineAdd',
    { receiptId, productId, quantity: 3, idempotencyKey: createIdempotencyKey(), ...more },
    'line { id rawId quantity notes createdAt product { rawId } } receipt { id }',
  );

describe('Query.inventoryReceipt', () => {
  const WHOLE = 'status statusText lines { nodes { rawId quantity product { id } createdAt } pageInfo { hasNextPage endCursor } }';

  it('fetches a receipt and its first lines in one call', async () => {
    for (const id of [WITH_MANY_LINES, toGlobalId('InventoryReceipt', WITH_MANY_LINES)]) {
      const [{ data }, calls] = await read({ id }, WHOLE);
      expect(data.inventoryReceipt).toMatchObject({ status: 'DRAFT', statusText: DRAFT });
      expect(data.inventoryReceipt.lines.nodes).toHaveLength(25);
      expect(data.inventoryReceipt.lines.nodes[0]).toEqual({
        rawId: expect.any(String),
        quantity: expect.any(Number),
        product: { id: expect.any(String) },
        createdAt: expect.stringMatching(/Z$/),
      });
      expect(calls).toEqual([GET]);
    }
  });

  it('reports truncated text', async () => {
    const selection =
      'status postedAt reference notes isTextTruncated location { rawId } lines(first: 1) { nodes { notes isNotesTruncated } }';
    const [{ data }] = await read({ id: WITH_LONG_TEXT }, selection);
    const { reference, notes, lines, ...rest } = data.inventoryReceipt;
    expect(rest).toEqual({
      status: 'POSTED',
      postedAt: expect.stringMatching(/Z$/),
      isTextTruncated: true,
      location: { rawId: expect.any(String) },
    });
    expect([reference.length, notes.length, lines.nodes[0].notes.length, lines.nodes[0].isNotesTruncated]).toEqual([200, 2000, 1000, true]);
  });

  it('finds a draft by its idempotency key', async () => {
    const idempotencyKey = createIdempotencyKey();
    const created = await createReceipt({ idempotencyKey });
    const [{ data }, calls] = await read({ idempotencyKey }, 'id status postedAt');
    expect(data.inventoryReceipt).toEqual({ id: created.id, status: 'DRAFT', postedAt: null });
    expect(calls).toEqual([GET]);
  });

  it.each([
    ['ID', { id: NOWHERE }],
    ['idempotency key', { idempotencyKey: 'never used' }],
  ])('resolves to null for an unknown %s, even if only lines are selected', async (_title, by) => {
    for (const selection of ['rawId', 'status', 'lines { nodes { rawId } }']) {
      const [{ data, errors }, calls] = await read(by, selection);
      expect([data.inventoryReceipt, errors, calls]).toEqual([null, undefined, [GET]]);
    }
  });

  it.each([{ idempotencyKey: ' ' }, { idempotencyKey: 'x'.repeat(201) }])('rejects %j without an upstream call', async (by) => {
    const [{ data, errors }, calls] = await read(by, 'status');
    expect(data).toEqual({ inventoryReceipt: null });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['by', 'idempotencyKey'] }] });
    expect(calls).toEqual([]);
  });

  it.each([
    ['both', { id: WITH_MANY_LINES, idempotencyKey: 'key' }],
    ['neither', {}],
  ])('requires either an ID or an idempotency key, not %s', async (_title, by) => {
    const [{ status, data }, calls] = await read(by, 'status');
    expect([status, data, calls]).toEqual([400, undefined, []]);
  });

  it('returns BAD_USER_INPUT for a page beyond the upstream’s limit', async () => {
    const createCursor = (offset: number, endCursor: string) =>
      Buffer.from(Buffer.from(endCursor, 'base64url').toString().replace(/:\d+:/, `:${offset}:`)).toString('base64url');
    const [{ data }] = await read({ id: WITH_MANY_LINES }, 'lines { pageInfo { endCursor } }');
    const after = createCursor(10_000_000, data.inventoryReceipt.lines.pageInfo.endCursor);
    const [{ errors }, calls] = await read({ id: WITH_MANY_LINES }, `lines(first: 100, after: "${after}") { nodes { rawId } }`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['after'] }] });
    expect(calls).toEqual([GET]);
  });
});

describe('Mutation.inventoryReceiptCreate', () => {
  it('creates a draft without another call for its ID and status', async () => {
    const [receipt, calls] = await testGraph.recordCalls(() => createReceipt({}, 'receipt { __typename id rawId status statusText }'));
    expect(receipt).toMatchObject({ __typename: 'InventoryReceipt', status: 'DRAFT', statusText: DRAFT });
    expect(receipt.id).toBe(toGlobalId('InventoryReceipt', receipt.rawId));
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt']);
  });

  it('fetches the draft once if fields are selected that the upstream didn’t return', async () => {
    const selection = 'receipt { status reference notes location { rawId } createdAt postedAt lines { nodes { rawId } } }';
    const [receipt, calls] = await testGraph.recordCalls(() => createReceipt({ reference: 'PO-1', notes: 'Fragile' }, selection));
    expect(receipt).toEqual({
      status: 'DRAFT',
      reference: 'PO-1',
      notes: 'Fragile',
      location: { rawId: MAIN },
      createdAt: createFutureDate(0),
      postedAt: null,
      lines: { nodes: [] },
    });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt', GET]);
  });

  it('fetches the draft if the upstream omits its status', async () => {
    testGraph.sandbox.faults.add({
      operation: 'Inventory/CreateInventoryReceipt',
      body: JSON.stringify({ receiptId: WITH_MANY_LINES }),
      times: 1,
    });
    const [receipt, calls] = await testGraph.recordCalls(() => createReceipt({}, 'receipt { rawId status }'));
    expect(receipt).toEqual({ rawId: WITH_MANY_LINES, status: 'DRAFT' });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt', GET]);
  });

  it('returns ID and status to a key that can’t read receipts, and FORBIDDEN for other fields', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'inventory_receipt:create'] });
    const send = (selection: string) =>
      mutateAs(key, 'inventoryReceiptCreate', { locationId: MAIN, idempotencyKey: createIdempotencyKey() }, selection);
    expect(await send('receipt { id status }')).toEqual({
      __typename: 'InventoryReceiptCreatePayload',
      receipt: { id: expect.any(String), status: 'DRAFT' },
    });
    const [more, calls] = await testGraph.recordCalls(() => send('receipt { id status reference }'));
    expect(more).toEqual({
      __typename: 'InventoryReceiptCreatePayload',
      receipt: { id: expect.any(String), status: 'DRAFT', reference: null },
      errors: [expectedDenial('inventoryReceiptCreate', 'reference')],
    });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt']);
  });

  it('returns known fields to a key that can’t read receipts, and a separate error for each other field', async () => {
    const key = makeKey(testGraph.sandbox.world, {
      scopes: ['me:read', 'inventory_receipt:create', 'inventory_receipt:update', 'inventory_receipt:post'],
    });
    const selection = `receipt { __typename id rawId status statusText postedAt reference notes isTextTruncated createdAt
      location { rawId } lines { __typename } ... on InventoryReceipt { text: reference } ... on Node { id } }`;
    const send = (field: string, input: object) => testGraph.recordCalls(() => mutateAs(key, field, input, selection));
    const unreadable = ['reference', 'notes', 'isTextTruncated', 'createdAt', 'location', 'lines', 'text'];
    const nothing = Object.fromEntries(unreadable.map((name) => [name, null]));
    const listExpectedDenials = (field: string, ...more: string[]) => [...unreadable, ...more].map((name) => expectedDenial(field, name));
    const known = { __typename: 'InventoryReceipt', id: expect.any(String), rawId: expect.any(String) };

    const [created, makingCalls] = await send('inventoryReceiptCreate', {
      locationId: MAIN,
      reference: 'Kept',
      idempotencyKey: createIdempotencyKey(),
    });
    const receiptId = created.receipt.rawId;
    const draft = { status: 'DRAFT', statusText: 'PUBLIC_INVENTORY_RECEIPT_STATUS_DRAFT' };
    expect(created.receipt).toEqual({ ...known, ...nothing, ...draft, postedAt: null });
    expect(created.errors.toSorted(compareByPath)).toEqual(
      listExpectedDenials('inventoryReceiptCreate', 'postedAt').toSorted(compareByPath),
    );

    const [added] = await send('inventoryReceiptLineAdd', {
      receiptId,
      productId: await newProduct(),
      quantity: 2,
      idempotencyKey: createIdempotencyKey(),
    });
    expect(added.receipt).toEqual({ ...known, ...nothing, status: null, statusText: null, postedAt: null });
    expect(added.errors.toSorted(compareByPath)).toEqual(
      listExpectedDenials('inventoryReceiptLineAdd', 'postedAt', 'status', 'statusText').toSorted(compareByPath),
    );

    const [posted] = await send('inventoryReceiptPost', { receiptId, idempotencyKey: createIdempotencyKey() });
    const done = { status: 'POSTED', statusText: 'PUBLIC_INVENTORY_RECEIPT_STATUS_POSTED' };
    expect(posted.receipt).toMatchObject({ ...known, ...nothing, ...done, postedAt: expect.any(String) });
    expect(posted.errors.toSorted(compareByPath)).toEqual(listExpectedDenials('inventoryReceiptPost').toSorted(compareByPath));
    expect(makingCalls).toEqual(['Inventory/CreateInventoryReceipt']);
  });

  it('returns known fields if the draft can’t be fetched', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 500, times: 1 });
    const created = await createReceipt({}, 'receipt { rawId status reference }');
    expect(created).toMatchObject({ rawId: expect.any(String), status: 'DRAFT', reference: null });
  });

  it('returns NotFoundError for an unknown location and RejectedError for a location without stock', async () => {
    const createAt = (locationId: string) => mutate('inventoryReceiptCreate', { locationId, idempotencyKey: createIdempotencyKey() });
    expect(await createAt(NOWHERE)).toMatchObject({ __typename: 'NotFoundError' });
    expect(await createAt(VIRTUAL)).toMatchObject({ __typename: 'RejectedError' });
  });
});

describe('Mutation.inventoryReceiptLineAdd', () => {
  it('adds one line per idempotency key and rejects the key with other input', async () => {
    const [receipt, productId, idempotencyKey] = [await createReceipt(), await newProduct(), createIdempotencyKey()];
    const [first, calls] = await testGraph.recordCalls(() => addLine(receipt.id, toGlobalId('Product', productId), { idempotencyKey }));
    const line = { rawId: expect.any(String), quantity: 3, notes: null, createdAt: null, product: { rawId: productId } };
    expect(first).toMatchObject({ line, receipt: { id: receipt.id } });
    expect(calls).toEqual(['Inventory/AddInventoryReceiptLine']);
    expect((await addLine(receipt.rawId, productId, { idempotencyKey })).line).toEqual(first.line);
    const other = await addLine(receipt.rawId, productId, { idempotencyKey, quantity: 4 });
    expect(other.__typename).toBe('IdempotencyKeyReusedError');
    const [{ data }] = await read({ id: receipt.id }, 'lines { nodes { id quantity product { rawId } } }');
    expect(data.inventoryReceipt.lines.nodes).toEqual([{ id: first.line.id, quantity: 3, product: { rawId: productId } }]);
  });

  it('returns the receipt with the new line', async () => {
    const [receipt, productId] = [await createReceipt(), await newProduct()];
    const input = { receiptId: receipt.id, productId, quantity: 3, notes: 'Dented', idempotencyKey: createIdempotencyKey() };
    const [result, calls] = await testGraph.recordCalls(() =>
      mutate('inventoryReceiptLineAdd', input, 'line { id notes } receipt { status lines { nodes { id notes } } }'),
    );
    expect(result.line.notes).toBe('Dented');
    expect(result.receipt).toEqual({ status: 'DRAFT', lines: { nodes: [result.line] } });
    expect(calls).toEqual(['Inventory/AddInventoryReceiptLine', GET]);
  });

  it('returns TransitionBlockedError for a posted receipt', async () => {
    const result = await addLine(WITH_LONG_TEXT, await newProduct());
    expect(result).toMatchObject({ __typename: 'TransitionBlockedError', fromText: POSTED, blockers: [{ code: 'WRONG_STATUS' }] });
  });

  it('reports the invalid field without an upstream call', async () => {
    const cases = [
      [{ quantity: 0 }, ['quantity']],
      [{ quantity: -1 }, ['quantity']],
    ] as const;
    for (const [more, path] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => addLine(WITH_MANY_LINES, demoId('product 1'), more));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path }] });
      expect(calls).toEqual([]);
    }
  });
});

describe('Mutation.inventoryReceiptPost', () => {
  const post = (receiptId: string, selection = 'effect receipt { id status statusText postedAt }') =>
    mutate('inventoryReceiptPost', { receiptId, idempotencyKey: createIdempotencyKey() }, selection);

  it('adds the lines to stock once and reports UNCHANGED if the receipt is already posted', async () => {
    const [receipt, productId] = [await createReceipt(), await newProduct()];
    await addLine(receipt.id, productId);
    const [first, calls] = await testGraph.recordCalls(() => post(receipt.id));
    expect(first.receipt).toEqual({ id: receipt.id, status: 'POSTED', statusText: POSTED, postedAt: createFutureDate(0) });
    expect(calls).toEqual(['Inventory/GetInventoryReceipt', 'Inventory/ReceiveInventory']);
    testGraph.sandbox.now += 60;
    expect(await post(receipt.rawId)).toEqual({ ...first, effect: 'UNCHANGED' });
    testGraph.sandbox.now -= 60;
    expect(await balance(productId)).toEqual([3, 3, 0, 0]);
  });

  it('returns TransitionBlockedError for a receipt without lines', async () => {
    const { id } = await createReceipt();
    expect(await post(id)).toMatchObject({ __typename: 'TransitionBlockedError', fromText: DRAFT, blockers: [{ code: 'OTHER' }] });
  });
});
