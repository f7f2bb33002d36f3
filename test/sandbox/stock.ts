import { type CallResult, demoId } from './sandbox.ts';

export const MAIN = demoId('location 0');
export const DEPOT = demoId('location 1');
export const SHELF = demoId('location 2');
export const VAN = demoId('location 3');
export const VIRTUAL = demoId('location 4');
export const CLOSED = demoId('location 5');

/** Products that stock operations reject, each for another reason. */
export const BUNDLE = demoId('product 0');
export const INACTIVE = demoId('product 7');
export const INFINITE = demoId('product 13');

/** The ID of no record. */
export const NOWHERE = '00000000-0000-4000-8000-000000000000';

export type CallSandbox = (operation: string, request: unknown) => Promise<CallResult>;

let keys = 0;

/** A unique idempotency key. */
export const createIdempotencyKey = (): string => {
  keys += 1;
  return `key ${keys}`;
};

/** Helpers of inventory tests for setting up and reading stock. */
export const createStockHelpers = (call: CallSandbox) => ({
  /** Creates a product with this stock at one location only. */
  newProduct: async (stock = 0, locationId = MAIN): Promise<string> => {
    const { body } = await call('Catalog/CreateProduct', { name: 'Made for a test' });
    const productId: string = body.product.id;
    if (stock > 0) await call('Inventory/AdjustInventory', { productId, locationId, reason: 'Setup', quantityDelta: String(stock) });
    return productId;
  },

  /** The balance of a product at a location, or undefined if it isn't listed. */
  balance: async (productId: string, locationId = MAIN) => {
    const { body } = await call('Inventory/ListInventoryBalances', { productId, locationId });
    const [balance] = body.balances ?? [];
    if (!balance) return undefined;
    const { onHand = 0, available = 0, reserved = 0, inbound = 0 } = balance;
    return { onHand: Number(onHand), available: Number(available), reserved: Number(reserved), inbound: Number(inbound) };
  },

  /** The matching movements, newest first. */
  movements: async (filter: Record<string, string>) => {
    const { body } = await call('Inventory/ListInventoryMovements', { ...filter, pageSize: 100 });
    return body.movements ?? [];
  },
});

/** The fields of an error that tests compare. */
export const summarizeError = ({ status, body }: CallResult) => ({ status, code: body.code });

export const BLOCKED = { status: 409, code: 'failed_precondition' };
export const INVALID = { status: 400, code: 'invalid_argument' };
export const NOT_FOUND = { status: 404, code: 'not_found' };
export const CONFLICT = { status: 409, code: 'already_exists' };
export const DENIED = { status: 403, code: 'permission_denied' };
