import { demoId } from '../sandbox.ts';
import { type CallSandbox, createStockHelpers, MAIN, SHELF } from '../stock.ts';

const customerId = demoId('customer 1');

interface TestOrder {
  readonly id: string;
  readonly version: string;
  readonly quoteId: string;
  readonly lineItems: { readonly id: string }[];
}

/** Sends requests about the stock of orders. */
export function createReservationHelpers(call: CallSandbox) {
  const { newProduct } = createStockHelpers(call);

  /** Creates an open order for these products. Returns its ID and those of its lines. */
  async function createOrder(...lines: [productId: string, quantity: number][]) {
    const lineItems = lines.map(([productId, quantity]) => ({ productId, quantity }));
    const { quote } = (await call('Quote/CreateQuote', { customerId, title: 'For a test', lineItems })).body;
    const order: TestOrder = (await call('Quote/ConfirmQuote', { id: quote.id })).body.order;
    return { order, orderId: order.id, lineIds: order.lineItems.map(({ id }) => id) };
  }

  const reserve = (orderId: string, orderLineId: string | undefined, quantity: number, locationId = MAIN) =>
    call('Inventory/CreateOrderReservation', { orderId, orderLineId, locationId, quantity: String(quantity) });

  const allocate = (orderId: string, locationId?: string) => call('Inventory/AllocateOrderStock', { orderId, locationId });

  const release = (reservationId: string) => call('Inventory/ReleaseReservation', { reservationId });

  const consume = (reservationId: string) => call('Inventory/ConsumeReservation', { reservationId });

  const returnInventory = (orderId: string, orderLineId: string | undefined, quantity: number, request: Record<string, unknown> = {}) =>
    call('Inventory/ReturnInventory', {
      orderId,
      orderLineId,
      locationId: SHELF,
      quantity: String(quantity),
      reason: 'Not needed',
      ...request,
    });

  const cancel = ({ id, version }: TestOrder) => call('Order/CancelOrder', { id, expectedVersion: version });

  /** Adds `stock` to the main warehouse, and reserves `quantity` for the only line of a new order. */
  async function createReservation(stock: number, quantity: number) {
    const productId = await newProduct(stock);
    const { order, orderId, lineIds } = await createOrder([productId, quantity]);
    const { reservation } = (await reserve(orderId, lineIds[0], quantity)).body;
    return { productId, order, orderId, lineId: lineIds[0], reservation };
  }

  const toNumbers = (record: Record<string, string>, names: readonly string[]) => names.map((name) => Number(record[name] ?? 0));

  /** Numbers of units ordered, reserved, consumed, returned and outstanding. */
  const readSummary = async (orderId: string) =>
    toNumbers((await call('Inventory/GetOrderInventorySummary', { orderId })).body.summary, [
      'ordered',
      'reserved',
      'consumed',
      'returned',
      'outstanding',
    ]);

  const listDemand = async (orderId: string, page: Record<string, number> = {}) =>
    (await call('Inventory/ListOrderStockDemand', { orderId, ...page })).body.demand ?? [];

  const listReservations = async (orderId: string) =>
    (await call('Inventory/ListOrderReservations', { orderId, pageSize: 100 })).body.reservations ?? [];

  const listEvents = async (eventType: string, orderId: string) => {
    const { events } = (await call('Customer/ListCustomerTimelineEvents', { customerId })).body;
    return events.filter((event: { eventType: string; entityId: string }) => event.eventType === eventType && event.entityId === orderId);
  };

  return {
    customerId,
    createOrder,
    reserve,
    allocate,
    release,
    consume,
    returnInventory,
    cancel,
    createReservation,
    toNumbers,
    readSummary,
    listDemand,
    listReservations,
    listEvents,
  };
}
