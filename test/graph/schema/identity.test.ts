import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { decodeGlobalId, toCompositeId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { getEntityByName } from '../../../src/schema/kit/registry.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey, MAIN, SHELF, VAN } from '../../sandbox/stock.ts';
import { buildRecordsQuery, createRecordsQueryVariables, findTypedObjects } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createFutureDate, useStockGraph } from '../../support/stockGraph.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph } = getGraph();

const objects = Object.values(graph.getTypeMap()).filter(isObjectType);
const isRecord = ({ name, extensions }: (typeof objects)[number]) => 'record' in extensions || getEntityByName(name) !== undefined;
const getNames = (fields: readonly (typeof objects)[number][]) => fields.map(({ name }) => name);

/** Records without a raw ID of their own, identified by several IDs. */
const JOINT = ['Invoice', 'InventoryBalance', 'OrderStockDemand'];

/** Types whose raw IDs are unique only within their parent. */
const OWNERS: Readonly<Record<string, string>> = {
  InventoryBackorderLine: 'InventoryBackorder',
  InventoryReceiptLine: 'InventoryReceipt',
  InventoryTransferLine: 'InventoryTransfer',
  OrderLine: 'Order',
  QuoteLine: 'Quote',
  WorkOrderLocation: 'Customer',
  WorkOrderTask: 'WorkOrder',
};

const testGraph = useStockGraph();
const { mutate, newProduct, newOrder } = testGraph;

describe('ID', () => {
  it('exists on every type with an upstream ID, and only on types of records', () => {
    const withRawId = objects.filter((type) => 'rawId' in type.getFields());
    expect(withRawId.length).toBeGreaterThan(30);
    expect(getNames(withRawId.filter((type) => String(type.getFields().id?.type) !== 'ID!'))).toEqual([]);
    const withId = objects.filter((type) => 'id' in type.getFields());
    expect(getNames(withId.filter((type) => !isRecord(type))).filter((name) => name !== 'NotFoundError')).toEqual([]);
    expect(getNames(withId.filter((type) => isRecord(type) && !('rawId' in type.getFields())))).toEqual(JOINT);
  });

  it('contains the type, the parent’s raw ID, and the raw ID', async () => {
    const selectRawId = (type: string) => ('rawId' in (objects.find(({ name }) => name === type)?.getFields() ?? {}) ? 'rawId' : '');
    const selectIds = (type: string) => {
      const fields = objects.find(({ name }) => name === type)?.getFields() ?? {};
      return `__typename ${'id' in fields ? 'id' : ''} ${selectRawId(type)}`;
    };
    const variables = createRecordsQueryVariables(testGraph.sandbox);
    const { data, errors } = await testGraph.execute(buildRecordsQuery(selectIds), variables);
    expect(errors).toBeUndefined();
    const records = [...findTypedObjects(data)].filter(({ id }) => id !== undefined);
    const expected = getNames(objects.filter((type) => 'id' in type.getFields())).filter(
      (name) => !['CorrespondenceMessage', 'CustomerFileUpload', 'NotFoundError'].includes(name),
    );
    expect([...new Set(records.map(({ __typename }) => __typename))].sort()).toEqual(expected.sort());
    const owned = { Order: variables.order, Quote: variables.quote, InventoryReceipt: variables.receipt };
    for (const { __typename: typename, id, rawId } of records) {
      const decoded = decodeGlobalId(String(id));
      expect(decoded?.typename).toBe(typename);
      const owner = OWNERS[typename];
      if (JOINT.includes(typename)) expect(decoded?.id).toMatch(/^[\w-]{36}\/[\w-]{36}(\/\d+)?$/);
      else if (owner && owner in owned) expect(decoded?.id).toBe(`${owned[owner as keyof typeof owned]}/${rawId}`);
      else expect(decoded?.id.replace(owner ? /^[\w-]{36}\// : '', '')).toBe(rawId);
    }
  });

  it('contains the parent’s ID for the lines of backorders and transfers', async () => {
    const { data } = await testGraph.execute(`{
      inventoryBackorders(first: 1) { nodes { rawId lines { id rawId } } }
      inventoryTransfers(first: 1) { nodes { rawId lines { id rawId } } }
    }`);
    for (const [list, type] of [
      ['inventoryBackorders', 'InventoryBackorderLine'],
      ['inventoryTransfers', 'InventoryTransferLine'],
    ] as const) {
      const [{ rawId, lines }] = data[list].nodes;
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line.id).toBe(toCompositeId(type, [rawId, line.rawId]));
    }
  });

  it('identifies inventory balances and stock demand consistently across fields', async () => {
    const productId = await newProduct(3);
    const order = await newOrder(productId, 5);
    const input = { productId, locationId: MAIN, reason: 'Count', change: { quantityDelta: 1 }, idempotencyKey: createIdempotencyKey() };
    const { balance } = await mutate('inventoryAdjust', input, 'balance { id available }');
    const allocated = await mutate(
      'orderStockAllocate',
      { orderId: order.id, idempotencyKey: createIdempotencyKey() },
      'shortages { id outstanding } order { stockDemand { nodes { id } } }',
    );
    const { data } = await testGraph.execute(
      `query ($id: ID!) {
        product(id: $id) { inventoryBalances { nodes { id } } }
        inventoryLocation(id: "${MAIN}") { inventoryBalances(filter: { productId: $id }) { nodes { id } } }
      }`,
      { id: productId },
    );
    expect(balance).toEqual({ id: toCompositeId('InventoryBalance', [productId, MAIN]), available: 4 });
    for (const { nodes } of [data.product.inventoryBalances, data.inventoryLocation.inventoryBalances])
      expect(nodes).toEqual([{ id: balance.id }]);
    expect(allocated.shortages).toEqual([{ id: toCompositeId('OrderStockDemand', [order.rawId, order.lineId]), outstanding: 1 }]);
    expect(allocated.order.stockDemand.nodes).toEqual([{ id: allocated.shortages[0].id }]);
  });

  it('escapes slashes of raw IDs', () => {
    const ids = [
      ['a/b', 'c'],
      ['a', 'b/c'],
      ['a%2Fb', 'c'],
    ].map((parts) => toCompositeId('OrderLine', parts));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('record without an ID in the upstream response', () => {
  const omit = (name: string) => (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, member) => (key === name ? undefined : member)));
  const broken = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      const transform = /ListCustomerComments$|ReleaseReservation$/.test(request.path) ? omit('id') : (value: unknown) => value;
      return { ...response, body: JSON.stringify(transform(JSON.parse(response.body))) };
    }),
  });

  it('fails only the selected ID fields', async () => {
    const read = (selection: string) =>
      broken.execute(`query ($id: ID!) { customer(id: $id) { comments(first: 1) { nodes { ${selection} } } } }`, {
        id: demoId('customer 0'),
      });
    for (const field of ['id', 'rawId']) {
      const { data, errors } = await read(field);
      expect(data.customer.comments).toBeNull();
      expect(errors).toMatchObject([
        {
          message: expect.stringContaining('a CustomerComment has no id'),
          path: ['customer', 'comments', 'nodes', 0, field],
          extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
        },
      ]);
    }
    expect((await read('body')).data.customer.comments.nodes).toEqual([{ body: expect.any(String) }]);
  });

  it('causes OutcomeUnknownError as the result of a mutation', async () => {
    const { data } = await broken.execute(
      `mutation ($input: OrderReservationReleaseInput!) { orderReservationRelease(input: $input) { __typename } }`,
      { input: { reservationId: (await openReservation(broken)).rawId, idempotencyKey: createIdempotencyKey() } },
    );
    expect(data.orderReservationRelease.__typename).toBe('OutcomeUnknownError');
  });
});

async function openReservation({ execute: query }: Pick<typeof testGraph, 'execute'>) {
  const { data } = await query(`{ order(id: "${demoId('order 0')}") { reservations { nodes { id rawId status } } } }`);
  return data.order.reservations.nodes.find(({ status }: { status: string }) => status === 'ACTIVE');
}

describe('ID in an input', () => {
  const FORMS = [
    ['global', (type: string, rawId: string) => toGlobalId(type, rawId)],
    ['raw', (_type: string, rawId: string) => rawId],
  ] as const;

  it.each(FORMS)('accepts %s IDs of every record', async (_form, formatId) => {
    const productId = await newProduct(9);
    const [order, other] = [await newOrder(productId, 4), await newOrder(productId, 1)];
    const line = ({ rawId, lineId }: typeof order) => (formatId === FORMS[0][1] ? toCompositeId('OrderLine', [rawId, lineId]) : lineId);
    const base = { orderId: formatId('Order', order.rawId), orderLineId: line(order), locationId: formatId('InventoryLocation', MAIN) };
    const reserve = (more: object) =>
      mutate(
        'orderReservationCreate',
        { ...base, ...more, idempotencyKey: createIdempotencyKey() },
        'reservation { rawId orderLine { rawId } } order { rawId }',
      );

    const { reservation } = await reserve({ quantity: 2 });
    expect(reservation.orderLine.rawId).toBe(order.lineId);
    const consumed = await mutate(
      'orderReservationConsume',
      { reservationId: formatId('OrderReservation', reservation.rawId), idempotencyKey: createIdempotencyKey() },
      'reservation { status } order { rawId }',
    );
    expect(consumed).toMatchObject({ reservation: { status: 'CONSUMED' }, order: { rawId: order.rawId } });
    const returned = { ...base, locationId: SHELF, quantity: 1, reason: 'Too many', idempotencyKey: createIdempotencyKey() };
    expect(await mutate('inventoryReturn', returned, 'order { rawId }')).toMatchObject({ order: { rawId: order.rawId } });
    const second = await reserve({ quantity: 1 });
    const released = { reservationId: formatId('OrderReservation', second.reservation.rawId), idempotencyKey: createIdempotencyKey() };
    expect(await mutate('orderReservationRelease', released, 'reservation { status }')).toMatchObject({
      reservation: { status: 'RELEASED' },
    });
    const elsewhere = await reserve({ orderLineId: line(other), quantity: 1 });
    expect(elsewhere.__typename).toBe(formatId === FORMS[0][1] ? 'ValidationError' : 'NotFoundError');

    const lines = [{ productId, quantity: 1 }];
    const started = await mutate(
      'inventoryTransferStart',
      { sourceLocationId: MAIN, destinationLocationId: VAN, lines, idempotencyKey: createIdempotencyKey() },
      'transfer { rawId }',
    );
    const completed = { transferId: formatId('InventoryTransfer', started.transfer.rawId), idempotencyKey: createIdempotencyKey() };
    expect(await mutate('inventoryTransferComplete', completed, 'transfer { status }')).toMatchObject({
      transfer: { status: 'COMPLETED' },
    });

    const announced = {
      destinationLocationId: MAIN,
      lines,
      expectedArrivalAt: createFutureDate(3),
      idempotencyKey: createIdempotencyKey(),
    };
    const { backorder } = await mutate('inventoryBackorderCreate', announced, 'backorder { rawId }');
    const eta = { backorderId: formatId('InventoryBackorder', backorder.rawId), expectedArrivalAt: createFutureDate(5) };
    expect(await mutate('inventoryBackorderReschedule', eta, 'backorder { expectedArrivalAt }')).toMatchObject({
      backorder: { expectedArrivalAt: createFutureDate(5) },
    });

    const identifier = { productId, kind: 'SUPPLIER', value: `${_form} id` };
    const added = await mutate('productIdentifierCreate', identifier, 'identifier { id rawId }');
    const identifierId = formatId('ProductIdentifier', added.identifier.rawId);
    expect(await mutate('productIdentifierDelete', { identifierId }, 'deletedIdentifierId')).toMatchObject({
      deletedIdentifierId: added.identifier.id,
    });

    const customerId = demoId('customer 0');
    const uploadPayload = await mutate(
      'customerFileUploadCreate',
      { customerId, kind: 'DOCUMENT', fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: '1' },
      'upload { id url method headers { name value } } customer { rawId }',
    );
    const { url, method, headers } = uploadPayload.upload;
    await fetch(url, { method, headers: headers.map(({ name, value }: { name: string; value: string }) => [name, value]), body: 'x' });
    const uploaded = { uploadId: uploadPayload.upload.id };
    const { file, customer } = await mutate('customerFileUploadComplete', uploaded, 'file { rawId } customer { rawId }');
    expect([uploadPayload.customer, customer]).toEqual([{ rawId: customerId }, { rawId: customerId }]);
    const comment = { customerId, body: 'See the file.', attachmentIds: [formatId('CustomerFile', file.rawId)] };
    expect(await mutate('customerCommentCreate', comment, 'comment { attachments { rawId } } customer { rawId }')).toMatchObject({
      comment: { attachments: [{ rawId: file.rawId }] },
      customer: { rawId: customerId },
    });
    const event = { customerId: formatId('Customer', customerId), eventType: 'called', summary: 'Called.' };
    expect(await mutate('customerTimelineEventCreate', event, 'customer { rawId }')).toMatchObject({ customer: { rawId: customerId } });
    const placed = { customerId, statusId: formatId('JourneyStatus', demoId('status 1')) };
    expect(await mutate('customerJourneyStatusSet', placed, 'customer { journeyStatus { id } }')).toMatchObject({
      customer: { journeyStatus: { id: toGlobalId('JourneyStatus', demoId('status 1')) } },
    });
  });

  const WRONG = toGlobalId('Customer', demoId('customer 0'));
  const LINE = toCompositeId('OrderLine', [demoId('order 1'), 'a line']);
  const STOCK = { orderId: demoId('order 0'), locationId: MAIN, quantity: 1, idempotencyKey: 'wrong' };

  it.each([
    [
      'orderReservationCreate',
      { ...STOCK, orderLineId: LINE },
      ['orderLineId'],
      'must be the ID of an OrderLine that belongs to the Order in `orderId`, but belongs to another.',
    ],
    [
      'inventoryReturn',
      { ...STOCK, orderLineId: LINE, reason: 'x' },
      ['orderLineId'],
      'must be the ID of an OrderLine that belongs to the Order in `orderId`, but belongs to another.',
    ],
    ['orderReservationCreate', { ...STOCK, orderLineId: toGlobalId('OrderLine', 'x') }, ['orderLineId'], 'must be an OrderLine ID.'],
    ['customerFileUploadComplete', { uploadId: WRONG }, ['uploadId'], 'must be an upload `id` returned by `customerFileUploadCreate`.'],
    ['customerCommentCreate', { customerId: WRONG, body: 'x', attachmentIds: ['x', WRONG] }, ['attachmentIds', '1'], 'CustomerFile'],
  ] as const)(
    'causes ValidationError of %s with its path if it belongs to another record, without a call: %j',
    async (name, input, path, message) => {
      const [result, calls] = await testGraph.recordCalls(() => mutate(name, input));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path, message: expect.stringContaining(message) }] });
      expect(calls).toEqual([]);
    },
  );
});
