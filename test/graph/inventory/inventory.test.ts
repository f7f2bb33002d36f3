import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { BUNDLE, createIdempotencyKey, DEPOT, MAIN, NOWHERE, SHELF, VAN } from '../../sandbox/stock.ts';
import { useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, mutateAs, newProduct, newOrder, balance } = testGraph;

const BALANCES = 'Inventory/ListInventoryBalances';
const MOVEMENTS = 'Inventory/ListInventoryMovements';
const LOCATIONS = 'Inventory/SearchInventoryLocations';

const toLocationId = (rawId: string) => toGlobalId('InventoryLocation', rawId);

describe('stock', () => {
  it('reflects receipts, moves, reservations, consumption, and returns', async () => {
    const productId = await newProduct();
    const receipt = await mutate('inventoryReceiptCreate', { locationId: MAIN, idempotencyKey: createIdempotencyKey() }, 'receipt { id }');
    const receiptId = receipt.receipt.id;
    await mutate('inventoryReceiptLineAdd', { receiptId, productId, quantity: 10, idempotencyKey: createIdempotencyKey() });
    expect(await balance(productId)).toBeUndefined();
    await mutate('inventoryReceiptPost', { receiptId, idempotencyKey: `post ${receiptId}` });
    expect(await balance(productId)).toEqual([10, 10, 0, 0]);

    const moveInput = { destinationLocationId: toLocationId(VAN), lines: [{ productId, sourceLocationId: MAIN, quantity: 4 }] };
    await mutate('inventoryMove', { ...moveInput, idempotencyKey: createIdempotencyKey() });
    expect([await balance(productId), await balance(productId, VAN)]).toEqual([
      [6, 6, 0, 0],
      [4, 4, 0, 0],
    ]);

    const order = await newOrder(productId, 3);
    const reservationInput = { orderId: order.id, orderLineId: order.lineId, locationId: VAN, quantity: 3 };
    const reserved = await mutate(
      'orderReservationCreate',
      { ...reservationInput, idempotencyKey: createIdempotencyKey() },
      'reservation { rawId status }',
    );
    expect(reserved.reservation.status).toBe('ACTIVE');
    expect(await balance(productId, VAN)).toEqual([4, 1, 3, 0]);

    await mutate('orderReservationConsume', { reservationId: reserved.reservation.rawId, idempotencyKey: createIdempotencyKey() });
    expect(await balance(productId, VAN)).toEqual([1, 1, 0, 0]);

    const returnInput = { orderId: order.rawId, orderLineId: order.lineId, locationId: SHELF, quantity: 1, reason: 'Not needed' };
    await mutate('inventoryReturn', { ...returnInput, idempotencyKey: createIdempotencyKey() });
    expect(await balance(productId, SHELF)).toEqual([1, 1, 0, 0]);

    const { data } = await testGraph.execute(
      `query ($id: ID!, $orderId: ID!) {
        product(id: $id) { inventoryMovements { nodes { kind quantityDelta location { rawId } order { rawId } } } }
        order(id: $orderId) { inventorySummary { ordered reserved consumed returned outstanding } }
      }`,
      { id: productId, orderId: order.id },
    );
    const movementRows = data.product.inventoryMovements.nodes.map((node: Record<string, { rawId: string } | null>) => [
      node.kind,
      Number(node.quantityDelta),
      node.location?.rawId,
      node.order?.rawId ?? null,
    ]);
    expect(movementRows).toEqual([
      ['RETURN', 1, SHELF, order.rawId],
      ['CONSUMPTION', -3, VAN, order.rawId],
      ['MOVE', 4, VAN, null],
      ['MOVE', -4, MAIN, null],
      ['RECEIPT', 10, MAIN, null],
    ]);
    expect(data.order.inventorySummary).toEqual({ ordered: 3, reserved: 0, consumed: 3, returned: 1, outstanding: 0 });
  });

  it('fetches the balances of an order’s products once per product, and no locations', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) {
          order(id: $id) { lines { product { rawId inventoryBalances { nodes { onHand location { id } product { rawId } } } } } }
        }`,
        { id: demoId('order 0') },
      ),
    );
    const { lines } = data.order;
    const products = new Set(lines.map(({ product }: { product: { rawId: string } }) => product.rawId));
    expect(calls).toEqual(['Order/GetOrder', ...Array(products.size).fill(BALANCES)]);
    for (const { product } of lines) {
      expect(product.inventoryBalances.nodes[0]).toEqual({
        onHand: expect.any(Number),
        location: { id: expect.any(String) },
        product: { rawId: product.rawId },
      });
    }
  });
});

describe('Query.inventoryLocation', () => {
  const READ = 'query ($id: ID!) { inventoryLocation(id: $id) { id rawId name code kind isActive } }';

  it('looks up a location by global or raw ID through the list of locations', async () => {
    const expected = { id: toLocationId(VAN), rawId: VAN, name: 'Service van 1', code: 'V-01', kind: 'VEHICLE', isActive: true };
    for (const id of [VAN, toLocationId(VAN)]) {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ, { id }));
      expect(data.inventoryLocation).toEqual(expected);
      expect(calls).toEqual([LOCATIONS]);
    }
  });

  it('lists balances and movements by ID without fetching the location', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) {
          inventoryLocation(id: $id) {
            id
            inventoryBalances(first: 2) { nodes { location { rawId } product { id } } }
            inventoryMovements(first: 2) { nodes { location { rawId } occurredAt } }
          }
        }`,
        { id: VAN },
      ),
    );
    expect([...calls].sort()).toEqual([BALANCES, MOVEMENTS]);
    const { inventoryBalances: balances, inventoryMovements: movements } = data.inventoryLocation;
    for (const node of [...balances.nodes, ...movements.nodes]) expect(node.location.rawId).toBe(VAN);
    expect([balances.nodes.length, movements.nodes.length]).toEqual([2, 2]);
  });

  it('resolves as a federation entity', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($of: [_Any!]!) { _entities(representations: $of) { ... on InventoryLocation { id name } } }', {
        of: [
          { __typename: 'InventoryLocation', rawId: VAN },
          { __typename: 'InventoryLocation', id: toLocationId(MAIN) },
        ],
      }),
    );
    expect(data._entities.map(({ name }: { name: string }) => name)).toEqual(['Service van 1', 'Main warehouse']);
    expect(calls).toEqual([LOCATIONS]);
  });
});

describe('Query.inventoryLocations', () => {
  it('searches by text without further calls', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ inventoryLocations(query: "depot") { nodes { name isActive } } }'),
    );
    expect(data.inventoryLocations.nodes).toEqual([
      { name: 'North depot', isActive: true },
      { name: 'Old depot', isActive: false },
    ]);
    expect(calls).toEqual([LOCATIONS]);
  });
});

describe('Query.inventoryBalances', () => {
  const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String, $locationId: ID) {
    inventoryBalances(first: $first, after: $after, last: $last, before: $before, filter: { locationId: $locationId }) {
      nodes { product { rawId } location { rawId } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;

  it('accepts global and raw location IDs and rejects cursors from another filter', async () => {
    const raw = await testGraph.execute(PAGE, { first: 3, locationId: VAN });
    const global = await testGraph.execute(PAGE, { first: 3, locationId: toLocationId(VAN) });
    expect(raw.data).toEqual(global.data);
    expect(raw.data.inventoryBalances.nodes).toHaveLength(3);
    for (const node of raw.data.inventoryBalances.nodes) expect(node.location.rawId).toBe(VAN);
    const { endCursor } = raw.data.inventoryBalances.pageInfo;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(PAGE, { after: endCursor, locationId: MAIN }));
    expect(errors?.[0]?.extensions.code).toBe('INVALID_CURSOR');
    expect(calls).toEqual([]);
  });

  it('rejects a blank ID and the ID of another type without an upstream call', async () => {
    for (const locationId of [' ', toGlobalId('Product', VAN)]) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(PAGE, { locationId }));
      expect(data).toEqual({ inventoryBalances: null });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['filter', 'locationId'] }] });
      expect(calls).toEqual([]);
    }
  });
});

describe('Query.inventoryMovements', () => {
  const READ = `query ($filter: InventoryMovementFilterInput) {
    inventoryMovements(filter: $filter) { nodes { rawId operationId kind product { rawId } location { rawId } reason reference } }
  }`;

  it('finds the movements of one move by operationId', async () => {
    const productId = await newProduct(5);
    const lines = [{ productId, sourceLocationId: MAIN, quantity: 2 }];
    const input = { destinationLocationId: DEPOT, lines, reference: 'M-1', notes: 'For Monday', idempotencyKey: createIdempotencyKey() };
    const { operationId } = await mutate('inventoryMove', input, 'operationId');
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ, { filter: { operationId } }));
    const shared = { operationId, kind: 'MOVE', product: { rawId: productId }, reason: 'For Monday', reference: 'M-1' };
    expect(data.inventoryMovements.nodes).toEqual([
      { rawId: expect.any(String), ...shared, location: { rawId: DEPOT } },
      { rawId: expect.any(String), ...shared, location: { rawId: MAIN } },
    ]);
    expect(calls).toEqual([MOVEMENTS]);
  });

  it('applies all conditions of the filter', async () => {
    const productId = await newProduct(5);
    const input = { productId, locationId: MAIN, reason: 'Broken', change: { quantityDelta: -1 }, idempotencyKey: createIdempotencyKey() };
    await mutate('inventoryAdjust', input);
    const filter = { productId: toGlobalId('Product', productId), locationId: toLocationId(MAIN), kind: 'ADJUSTMENT' };
    const { data } = await testGraph.execute(READ, { filter });
    expect(data.inventoryMovements.nodes.map(({ reason }: { reason: string }) => reason)).toEqual(['Broken', 'Setup']);
    const none = await testGraph.execute(READ, { filter: { ...filter, kind: 'MOVE' } });
    expect(none.data.inventoryMovements.nodes).toEqual([]);
  });
});

describe('inventory lists of a location and a product', () => {
  const LISTS = `query ($location: ID!, $product: ID!, $balances: InventoryBalanceFilterInput, $movements: InventoryMovementFilterInput) {
    inventoryLocation(id: $location) { inventoryBalances(filter: $balances) { nodes { onHand } } inventoryMovements(filter: $movements) { nodes { kind } } }
    product(id: $product) { inventoryBalances(filter: $balances) { nodes { onHand } } inventoryMovements(filter: $movements) { nodes { kind } } }
  }`;
  const listKinds = (nodes: { kind: string }[]) => nodes.map(({ kind }) => kind);

  it('applies the filter of the root list, which can repeat the ID of the owner', async () => {
    const productId = await newProduct(5);
    const input = { productId, locationId: MAIN, reason: 'Broken', change: { quantityDelta: -1 }, idempotencyKey: createIdempotencyKey() };
    await mutate('inventoryAdjust', input);
    const where = { productId: toGlobalId('Product', productId), locationId: MAIN };
    const variables = { location: MAIN, product: productId, balances: where, movements: { ...where, kind: 'ADJUSTMENT' } };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LISTS, variables));
    expect(errors).toBeUndefined();
    expect(data.inventoryLocation.inventoryBalances.nodes).toEqual([{ onHand: 4 }]);
    expect(data.product.inventoryBalances).toEqual(data.inventoryLocation.inventoryBalances);
    expect(listKinds(data.inventoryLocation.inventoryMovements.nodes)).toEqual(['ADJUSTMENT', 'ADJUSTMENT']);
    expect(data.product.inventoryMovements).toEqual(data.inventoryLocation.inventoryMovements);
    // The location and the product share their calls.
    expect([...calls].sort()).toEqual([BALANCES, MOVEMENTS]);
  });

  it('rejects a filter for a record other than the owner without an upstream call', async () => {
    const other = { locationId: VAN, productId: NOWHERE };
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(LISTS, { location: MAIN, product: demoId('product 0'), balances: other, movements: other }),
    );
    const issues = errors?.map(({ path, extensions }) => [path?.join('.'), (extensions.issues as { path: string[] }[])[0]?.path]);
    expect(issues?.sort()).toEqual([
      ['inventoryLocation.inventoryBalances', ['filter', 'locationId']],
      ['inventoryLocation.inventoryMovements', ['filter', 'locationId']],
      ['product.inventoryBalances', ['filter', 'productId']],
      ['product.inventoryMovements', ['filter', 'productId']],
    ]);
    expect(calls).toEqual([]);
  });

  it('rejects a blank operationId without an upstream call', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ inventoryMovements(filter: { operationId: " " }) { nodes { kind } } }'),
    );
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['filter', 'operationId'] }] } }]);
    expect(calls).toEqual([]);
  });
});

describe('Mutation.inventoryLocationCreate', () => {
  it('creates one location per idempotency key', async () => {
    const input = { name: 'Shed', code: 'S-1', kind: 'WAREHOUSE', idempotencyKey: createIdempotencyKey() };
    const createLocation = () => mutate('inventoryLocationCreate', input, 'location { rawId name code kind isActive } effect');
    const first = await createLocation();
    const [again, calls] = await testGraph.recordCalls(createLocation);
    expect(first.location).toEqual({ rawId: expect.any(String), name: 'Shed', code: 'S-1', kind: 'WAREHOUSE', isActive: true });
    expect([again.location, again.effect, calls]).toEqual([first.location, 'REPLAYED', ['Inventory/SearchInventoryLocations']]);
    const { data } = await testGraph.execute('{ inventoryLocations(query: "Shed") { nodes { name } } }');
    expect(data.inventoryLocations.nodes).toHaveLength(1);
  });
});

describe('Mutation.inventoryAdjust', () => {
  const BALANCE = 'balance { onHand available reserved product { rawId } location { id } } effect';
  const adjust = (productId: string, change: object, more: object = {}) =>
    mutate(
      'inventoryAdjust',
      { productId, locationId: MAIN, reason: 'Counted', change, idempotencyKey: createIdempotencyKey(), ...more },
      BALANCE,
    );

  it('changes the stock by a quantity or to an available quantity', async () => {
    const productId = await newProduct(5);
    const order = await newOrder(productId, 2);
    await mutate('orderStockAllocate', { orderId: order.id, idempotencyKey: createIdempotencyKey() });
    const ids = { product: { rawId: productId }, location: { id: toLocationId(MAIN) } };
    const [changed, calls] = await testGraph.recordCalls(() => adjust(toGlobalId('Product', productId), { quantityDelta: -1 }));
    expect(changed.balance).toEqual({ onHand: 4, available: 2, reserved: 2, ...ids });
    expect(calls).toEqual(['Inventory/AdjustInventory']);
    const set = await adjust(productId, { targetAvailable: 9 });
    expect(set.balance).toEqual({ onHand: 11, available: 9, reserved: 2, ...ids });
  });

  it('fetches inbound again, because the upstream’s response omits it', async () => {
    const productId = await newProduct(1);
    const lines = [{ productId, quantity: 8 }];
    const expected = {
      destinationLocationId: MAIN,
      lines,
      expectedArrivalAt: '2027-01-01T00:00:00Z',
      idempotencyKey: createIdempotencyKey(),
    };
    await mutate('inventoryBackorderCreate', expected);
    const input = () => ({
      productId,
      locationId: MAIN,
      reason: 'Lost',
      change: { quantityDelta: -1 },
      idempotencyKey: createIdempotencyKey(),
    });
    await mutate('inventoryAdjust', { ...input(), change: { quantityDelta: 5 } });
    const [result, calls] = await testGraph.recordCalls(() => mutate('inventoryAdjust', input(), 'balance { onHand inbound }'));
    expect(result.balance).toEqual({ onHand: 5, inbound: 8 });
    expect(calls).toEqual(['Inventory/AdjustInventory', BALANCES]);

    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'inventory:adjust'] });
    const withoutReadScope = await mutateAs(key, 'inventoryAdjust', input(), 'balance { onHand inbound }');
    expect(withoutReadScope.balance).toEqual({ onHand: 4, inbound: null });
    expect(withoutReadScope.errors).toMatchObject([{ path: ['inventoryAdjust', 'balance', 'inbound'], extensions: { code: 'FORBIDDEN' } }]);
  });

  it('reports the invalid field without an upstream call', async () => {
    const cases = [
      [{ change: { quantityDelta: 0 } }, ['change', 'quantityDelta']],
      [{ change: { targetAvailable: -1 } }, ['change', 'targetAvailable']],
      [{ locationId: 'not-a-uuid' }, ['locationId']],
    ] as const;
    for (const [more, path] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => adjust(BUNDLE, { quantityDelta: 1 }, more));
      expect(result).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [{ path }] });
      expect(calls).toEqual([]);
    }
  });

  it.each([
    ['both', { quantityDelta: 1, targetAvailable: 1 }],
    ['neither', {}],
    ['null', { quantityDelta: null }],
  ])('requires exactly one kind of change, not %s', async (_title, change) => {
    const input = { productId: BUNDLE, locationId: MAIN, reason: 'Counted', change, idempotencyKey: createIdempotencyKey() };
    const [{ status, data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('mutation ($input: InventoryAdjustInput!) { inventoryAdjust(input: $input) { __typename } }', { input }),
    );
    expect([status, data, errors?.[0]?.extensions.code, calls]).toEqual([400, undefined, 'BAD_USER_INPUT', []]);
  });
});

describe('Mutation.inventoryMove', () => {
  const move = (productId: string, quantity: number, more: object = {}) =>
    mutate(
      'inventoryMove',
      {
        destinationLocationId: VAN,
        lines: [{ productId, sourceLocationId: MAIN, quantity }],
        idempotencyKey: createIdempotencyKey(),
        ...more,
      },
      'operationId',
    );

  it.each(['{}', '{"operationId":""}'])('returns OutcomeUnknownError if the upstream returns no operationId: %s', async (body) => {
    testGraph.sandbox.faults.add({ operation: 'Inventory/MoveInventory', body, times: 1 });
    expect(await move(await newProduct(5), 2)).toMatchObject({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' });
  });

  it('returns TransitionBlockedError without moving any line if stock is insufficient', async () => {
    const [productId, other] = [await newProduct(5), await newProduct(1)];
    const lines = [
      { productId, sourceLocationId: MAIN, quantity: 2 },
      { productId: other, sourceLocationId: toLocationId(MAIN), quantity: 2 },
    ];
    expect(await move(productId, 2, { lines })).toMatchObject({
      __typename: 'TransitionBlockedError',
      code: 'TRANSITION_BLOCKED',
      fromText: null,
    });
    expect(await balance(productId)).toEqual([5, 5, 0, 0]);
  });

  it('reports the invalid field without an upstream call', async () => {
    const line = { productId: BUNDLE, sourceLocationId: MAIN, quantity: 1 };
    const cases = [
      [{ lines: [line, { ...line, quantity: 0 }] }, ['lines', '1', 'quantity']],
      [{ lines: [] }, ['lines']],
    ] as const;
    for (const [more, path] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => move(BUNDLE, 1, more));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path }] });
      expect(calls).toEqual([]);
    }
  });
});
