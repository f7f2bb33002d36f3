import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { MAIN, NOWHERE, newKey, VIRTUAL } from '../../sandbox/stock.ts';
import { inDays, useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, mutateAs, newProduct, balance } = testGraph;

const GET = 'Inventory/GetInventoryReceipt';
const DRAFT = 'PUBLIC_INVENTORY_RECEIPT_STATUS_DRAFT';
const POSTED = 'PUBLIC_INVENTORY_RECEIPT_STATUS_POSTED';

/** A posted one with texts that are cut off, and a draft with 64 lines. */
const LONG = demoId('receipt 0');
const MANY = demoId('receipt 1');

const read = (by: object, selection: string) =>
  testGraph.recordCalls(() =>
    testGraph.execute(`query ($by: InventoryReceiptByInput!) { inventoryReceipt(by: $by) { ${selection} } }`, { by }),
  );

const newReceipt = async (more: object = {}, selection = 'receipt { id rawId }') => {
  const payload = await mutate('inventoryReceiptCreate', { locationId: MAIN, idempotencyKey: newKey(), ...more }, selection);
  return payload.receipt;
};

/** The error of a field of a payload's receipt that a key may not read. */
const denied = (mutation: string, field: string) => ({
  path: [mutation, 'receipt', field],
  message: expect.any(String),
  extensions: expect.objectContaining({ code: 'FORBIDDEN', missingScopes: ['inventory:read'] }),
  locations: expect.any(Array),
});

const byPath = (one: { path?: unknown }, other: { path?: unknown }) => (String(one.path) < String(other.path) ? -1 : 1);

const addLine = (receiptId: string, productId: string, more: object = {}) =>
  mutate(
    'inventoryReceiptLineAdd',
    { receiptId, productId, quantity: 3, idempotencyKey: newKey(), ...more },
    'line { id rawId quantity notes createdAt product { rawId } } receipt { id }',
  );

describe('Query.inventoryReceipt', () => {
  const WHOLE = 'status statusText lines { nodes { rawId quantity product { id } createdAt } pageInfo { hasNextPage endCursor } }';

  it('reads a receipt with its first lines in one call', async () => {
    for (const id of [MANY, toGlobalId('InventoryReceipt', MANY)]) {
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

  it('says where a text is cut off', async () => {
    const selection =
      'status postedAt reference notes isTextTruncated location { rawId } lines(first: 1) { nodes { notes isNotesTruncated } }';
    const [{ data }] = await read({ id: LONG }, selection);
    const { reference, notes, lines, ...rest } = data.inventoryReceipt;
    expect(rest).toEqual({
      status: 'POSTED',
      postedAt: expect.stringMatching(/Z$/),
      isTextTruncated: true,
      location: { rawId: expect.any(String) },
    });
    expect([reference.length, notes.length, lines.nodes[0].notes.length, lines.nodes[0].isNotesTruncated]).toEqual([200, 2000, 1000, true]);
  });

  it('finds a draft by the key that it was made under', async () => {
    const idempotencyKey = newKey();
    const made = await newReceipt({ idempotencyKey });
    const [{ data }, calls] = await read({ idempotencyKey }, 'id status postedAt');
    expect(data.inventoryReceipt).toEqual({ id: made.id, status: 'DRAFT', postedAt: null });
    expect(calls).toEqual([GET]);
  });

  it.each([
    ['id', { id: NOWHERE }],
    ['key', { idempotencyKey: 'never used' }],
  ])('answers null when no receipt has the %s, also where only lines are asked for', async (_title, by) => {
    for (const selection of ['rawId', 'status', 'lines { nodes { rawId } }']) {
      const [{ data, errors }, calls] = await read(by, selection);
      expect([data.inventoryReceipt, errors, calls]).toEqual([null, undefined, [GET]]);
    }
  });

  it.each([
    [{ idempotencyKey: ' ' }, ['idempotencyKey']],
    [{ idempotencyKey: 'x'.repeat(201) }, ['idempotencyKey']],
  ])('refuses %j, and sends nothing', async (by, path) => {
    const [{ data, errors }, calls] = await read(by, 'status');
    expect(data).toEqual({ inventoryReceipt: null });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path }] });
    expect(calls).toEqual([]);
  });

  it.each([
    ['both', { id: MANY, idempotencyKey: 'key' }],
    ['neither', {}],
  ])('takes exactly one way to name it, not %s', async (_title, by) => {
    const [{ status, data }, calls] = await read(by, 'status');
    expect([status, data, calls]).toEqual([400, undefined, []]);
  });

  it('refuses a page that the upstream does not have', async () => {
    const cursorOf = (offset: number, endCursor: string) =>
      Buffer.from(Buffer.from(endCursor, 'base64url').toString().replace(/:\d+:/, `:${offset}:`)).toString('base64url');
    const [{ data }] = await read({ id: MANY }, 'lines { pageInfo { endCursor } }');
    const after = cursorOf(10_000_000, data.inventoryReceipt.lines.pageInfo.endCursor);
    const [{ errors }, calls] = await read({ id: MANY }, `lines(first: 100, after: "${after}") { nodes { rawId } }`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['after'] }] });
    expect(calls).toEqual([GET]);
  });
});

describe('Mutation.inventoryReceiptCreate', () => {
  it('makes a draft, and reads nothing for its id and status', async () => {
    const [receipt, calls] = await testGraph.recordCalls(() => newReceipt({}, 'receipt { __typename id rawId status statusText }'));
    expect(receipt).toMatchObject({ __typename: 'InventoryReceipt', status: 'DRAFT', statusText: DRAFT });
    expect(receipt.id).toBe(toGlobalId('InventoryReceipt', receipt.rawId));
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt']);
  });

  it('reads the draft, once, when more of it is asked for than the upstream tells', async () => {
    const selection = 'receipt { status reference notes location { rawId } createdAt postedAt lines { nodes { rawId } } }';
    const [receipt, calls] = await testGraph.recordCalls(() => newReceipt({ reference: 'PO-1', notes: 'Fragile' }, selection));
    expect(receipt).toEqual({
      status: 'DRAFT',
      reference: 'PO-1',
      notes: 'Fragile',
      location: { rawId: MAIN },
      createdAt: inDays(0),
      postedAt: null,
      lines: { nodes: [] },
    });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt', GET]);
  });

  it('reads the draft when the upstream leaves its status out', async () => {
    testGraph.sandbox.faults.add({ operation: 'Inventory/CreateInventoryReceipt', body: JSON.stringify({ receiptId: MANY }), times: 1 });
    const [receipt, calls] = await testGraph.recordCalls(() => newReceipt({}, 'receipt { rawId status }'));
    expect(receipt).toEqual({ rawId: MANY, status: 'DRAFT' });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt', GET]);
  });

  it('answers id and status to a key that may not read receipts, and says so when it asks for more', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'inventory_receipt:create'] });
    const ask = (selection: string) => mutateAs(key, 'inventoryReceiptCreate', { locationId: MAIN, idempotencyKey: newKey() }, selection);
    expect(await ask('receipt { id status }')).toEqual({
      __typename: 'InventoryReceiptCreatePayload',
      receipt: { id: expect.any(String), status: 'DRAFT' },
    });
    const [more, calls] = await testGraph.recordCalls(() => ask('receipt { id status reference }'));
    expect(more).toEqual({
      __typename: 'InventoryReceiptCreatePayload',
      receipt: { id: expect.any(String), status: 'DRAFT', reference: null },
      errors: [denied('inventoryReceiptCreate', 'reference')],
    });
    expect(calls).toEqual(['Inventory/CreateInventoryReceipt']);
  });

  it('keeps what was told for a key that may not read receipts, and each other field fails by itself', async () => {
    const key = makeKey(testGraph.sandbox.world, {
      scopes: ['me:read', 'inventory_receipt:create', 'inventory_receipt:update', 'inventory_receipt:post'],
    });
    const selection = `receipt { __typename id rawId status statusText postedAt reference notes isTextTruncated createdAt
      location { rawId } lines { __typename } ... on InventoryReceipt { text: reference } ... on Node { id } }`;
    const ask = (field: string, input: object) => testGraph.recordCalls(() => mutateAs(key, field, input, selection));
    const unread = ['reference', 'notes', 'isTextTruncated', 'createdAt', 'location', 'lines', 'text'];
    const nothing = Object.fromEntries(unread.map((name) => [name, null]));
    const failed = (field: string, ...more: string[]) => [...unread, ...more].map((name) => denied(field, name));
    const told = { __typename: 'InventoryReceipt', id: expect.any(String), rawId: expect.any(String) };

    const [made, makingCalls] = await ask('inventoryReceiptCreate', { locationId: MAIN, reference: 'Kept', idempotencyKey: newKey() });
    const receiptId = made.receipt.rawId;
    const draft = { status: 'DRAFT', statusText: 'PUBLIC_INVENTORY_RECEIPT_STATUS_DRAFT' };
    expect(made.receipt).toEqual({ ...told, ...nothing, ...draft, postedAt: null });
    expect(made.errors.toSorted(byPath)).toEqual(failed('inventoryReceiptCreate', 'postedAt').toSorted(byPath));

    const [added] = await ask('inventoryReceiptLineAdd', {
      receiptId,
      productId: await newProduct(),
      quantity: 2,
      idempotencyKey: newKey(),
    });
    expect(added.receipt).toEqual({ ...told, ...nothing, status: null, statusText: null, postedAt: null });
    expect(added.errors.toSorted(byPath)).toEqual(failed('inventoryReceiptLineAdd', 'postedAt', 'status', 'statusText').toSorted(byPath));

    const [posted] = await ask('inventoryReceiptPost', { receiptId, idempotencyKey: newKey() });
    const done = { status: 'POSTED', statusText: 'PUBLIC_INVENTORY_RECEIPT_STATUS_POSTED' };
    expect(posted.receipt).toMatchObject({ ...told, ...nothing, ...done, postedAt: expect.any(String) });
    expect(posted.errors.toSorted(byPath)).toEqual(failed('inventoryReceiptPost').toSorted(byPath));
    expect(makingCalls).toEqual(['Inventory/CreateInventoryReceipt']);
  });

  it('keeps what was told when the upstream cannot be asked for the rest', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 500, times: 1 });
    const made = await newReceipt({}, 'receipt { rawId status reference }');
    expect(made).toMatchObject({ rawId: expect.any(String), status: 'DRAFT', reference: null });
  });

  it('tells of a location that does not exist, and of one that holds no stock', async () => {
    const at = (locationId: string) => mutate('inventoryReceiptCreate', { locationId, idempotencyKey: newKey() });
    expect(await at(NOWHERE)).toMatchObject({ __typename: 'NotFoundError' });
    expect(await at(VIRTUAL)).toMatchObject({ __typename: 'RejectedError' });
  });
});

describe('Mutation.inventoryReceiptLineAdd', () => {
  it('adds one line however often the key is repeated, and none with other input', async () => {
    const [receipt, productId, idempotencyKey] = [await newReceipt(), await newProduct(), newKey()];
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

  it('answers the receipt as it is with the new line', async () => {
    const [receipt, productId] = [await newReceipt(), await newProduct()];
    const input = { receiptId: receipt.id, productId, quantity: 3, notes: 'Dented', idempotencyKey: newKey() };
    const [result, calls] = await testGraph.recordCalls(() =>
      mutate('inventoryReceiptLineAdd', input, 'line { id notes } receipt { status lines { nodes { id notes } } }'),
    );
    expect(result.line.notes).toBe('Dented');
    expect(result.receipt).toEqual({ status: 'DRAFT', lines: { nodes: [result.line] } });
    expect(calls).toEqual(['Inventory/AddInventoryReceiptLine', GET]);
  });

  it('is blocked once the receipt is posted', async () => {
    const result = await addLine(LONG, await newProduct());
    expect(result).toMatchObject({ __typename: 'TransitionBlockedError', fromText: POSTED, blockers: [{ code: 'WRONG_STATUS' }] });
  });

  it('names what breaks a rule, and sends nothing', async () => {
    const cases = [
      [{ quantity: 0 }, ['quantity']],
      [{ quantity: -1 }, ['quantity']],
    ] as const;
    for (const [more, path] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => addLine(MANY, demoId('product 1'), more));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path }] });
      expect(calls).toEqual([]);
    }
  });
});

describe('Mutation.inventoryReceiptPost', () => {
  const post = (receiptId: string, selection = 'effect receipt { id status statusText postedAt }') =>
    mutate('inventoryReceiptPost', { receiptId, idempotencyKey: newKey() }, selection);

  it('adds the lines to stock once, and reports UNCHANGED when it is already posted', async () => {
    const [receipt, productId] = [await newReceipt(), await newProduct()];
    await addLine(receipt.id, productId);
    const [first, calls] = await testGraph.recordCalls(() => post(receipt.id));
    expect(first.receipt).toEqual({ id: receipt.id, status: 'POSTED', statusText: POSTED, postedAt: inDays(0) });
    expect(calls).toEqual(['Inventory/GetInventoryReceipt', 'Inventory/ReceiveInventory']);
    testGraph.sandbox.now += 60;
    expect(await post(receipt.rawId)).toEqual({ ...first, effect: 'UNCHANGED' });
    testGraph.sandbox.now -= 60;
    expect(await balance(productId)).toEqual([3, 3, 0, 0]);
  });

  it('is sent again when the answer is lost, and posts once', async () => {
    const [receipt, productId] = [await newReceipt(), await newProduct()];
    await addLine(receipt.id, productId);
    testGraph.sandbox.faults.add({ operation: 'Inventory/ReceiveInventory', cut: 'after', times: 1 });
    const [result, calls] = await testGraph.recordCalls(() => post(receipt.id));
    expect(result.receipt.status).toBe('POSTED');
    expect(calls).toEqual(['Inventory/GetInventoryReceipt', 'Inventory/ReceiveInventory', 'Inventory/ReceiveInventory']);
    expect(result.effect).toBe('DONE');
    expect(await balance(productId)).toEqual([3, 3, 0, 0]);
  });

  it('is blocked while there is nothing to post', async () => {
    const { id } = await newReceipt();
    expect(await post(id)).toMatchObject({ __typename: 'TransitionBlockedError', fromText: DRAFT, blockers: [{ code: 'OTHER' }] });
  });
});
