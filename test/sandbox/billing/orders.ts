import { demoId, type useSandbox } from '../sandbox.ts';

type Opened = ReturnType<typeof useSandbox>;

/** Creates an order for two lamps at 10.00 for `customer 1`. Returns its ID. */
export async function makeOrder({ call }: Pick<Opened, 'call'>): Promise<string> {
  const product = await call('Catalog/CreateProduct', { name: 'Test lamp', priceOnceMinor: 1_000 });
  const lineItems = [{ productId: product.body.product.id, quantity: 2 }];
  const { body } = await call('Quote/CreateQuote', { customerId: demoId('customer 1'), lineItems });
  return (await call('Quote/ConfirmQuote', { id: body.quote.id })).body.order.id;
}

/** Changes an order's total to 25.00 and increments its version, as other parts of the product do. */
export const changeOrder = ({ sandbox }: Pick<Opened, 'sandbox'>, orderId: string) =>
  sandbox.world.store.run('UPDATE orders SET version = version + 1, total_once_minor = 2500 WHERE id = :orderId', { orderId });
