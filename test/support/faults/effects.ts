import type { Store } from '../../../sandbox/kernel/store.ts';

/** A workspace of a sandbox, for preparing mutations and counting their effects without the graph. */
export interface Stage {
  readonly store: Store;
  /** Calls the sandbox with all permissions. Resolves to the body of the response. */
  readonly call: (operation: string, request: object) => Promise<Answer>;
  readonly customerId: string;
  /** A product with enough stock at `from`. */
  readonly productId: string;
  readonly from: string;
  readonly to: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each effect parses the responses of its own operations
type Answer = any;

/** Logs each update, because repeating a write with the same values leaves no other trace. The indexes make counting thousands of acts fast. */
const COUNTED = `
  CREATE TABLE IF NOT EXISTS contact_writes (last_name TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS main.count_contact_writes AFTER UPDATE ON contacts BEGIN INSERT INTO contact_writes VALUES (new.last_name); END;
  CREATE INDEX IF NOT EXISTS main.acts_written ON contact_writes (last_name);
  CREATE INDEX IF NOT EXISTS main.acts_created ON contacts (last_name);
  CREATE INDEX IF NOT EXISTS main.acts_ordered ON orders (quote_id);
  CREATE INDEX IF NOT EXISTS main.acts_received ON inventory_receipts (reference);
  CREATE INDEX IF NOT EXISTS main.acts_moved ON inventory_movements (reference);
  CREATE INDEX IF NOT EXISTS main.acts_adjusted ON inventory_movements (reason);
`;

/** Opens the workspace of a demo key, with a new product. `store` is the database of the sandbox at `url`. */
export async function openStage(url: string, key: string, store: Store): Promise<Stage> {
  const call = async (operation: string, request: object): Promise<Answer> => {
    const response = await fetch(`${url}/public-api/publicapi.v1.${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error(`${operation} was refused with status ${response.status}: ${await response.text()}`);
    return response.json();
  };
  store.exec(COUNTED);
  const ids = (rows: string) => store.all<{ id: string }>(`SELECT id FROM ${rows} LIMIT 2`, { key }).map(({ id }) => id);
  const ours = 'workspace_id = (SELECT workspace_id FROM api_keys JOIN members ON members.id = member_id WHERE api_keys.name = :key)';
  const [customerId = ''] = ids(`customers WHERE ${ours} ORDER BY id`);
  const [from = '', to = ''] = ids(`inventory_locations WHERE ${ours} AND code IN ('W-01', 'W-02') ORDER BY code`);
  const { product } = await call('Catalog/CreateProduct', { name: 'Made for acts', priceOnceMinor: '1000', vatRate: 0.21 });
  const stock = { productId: product.id, locationId: from, reason: 'Setup', quantityDelta: '1000000' };
  await call('Inventory/AdjustInventory', stock);
  return { store, call, customerId, productId: product.id, from, to };
}

/** An intended operation, which must be applied once despite faults. */
export interface Act {
  /** Input of the mutation, including the idempotency key. */
  readonly input: unknown;
  /** Null for mutations without a key. */
  readonly idempotencyKey: string | null;
  /** Counts how often it was applied, from the sandbox's database. */
  readonly done: () => number;
}

/**
 * How duplicates of a write are prevented. `readable` means that the graph can reconcile an unknown outcome.
 * - `state`: the write sets a state that can be read upstream.
 * - `upstream`: the upstream deduplicates by key.
 * - `ledger`: the graph's ledger deduplicates by key.
 * - `nothing`: the operation has no key.
 */
export type Keeper = 'state' | 'upstream' | 'upstream, readable' | 'ledger' | 'ledger, readable' | 'nothing';

/** A kind of operation: one mutation for each way to prevent duplicates. */
export interface Effect {
  /** Effect of the operation in the contract, with the GraphQL field. */
  readonly name: string;
  /** Null for reads. */
  readonly keeper: Keeper | null;
  readonly field: string;
  /** Name of the upstream operation. */
  readonly operation: string;
  /** The GraphQL operation, whose only variable is `$input`. */
  readonly document: string;
  /** Returns the ID of the created or changed record from the payload. */
  readonly made: (payload: Answer) => string;
  /** Prepares an operation that hasn't been requested yet. `mark` is a unique text. */
  readonly prepare: (stage: Stage, mark: string) => Promise<Act>;
}

const mutationOf = (field: string, selection: string): string => {
  const title = field.charAt(0).toUpperCase() + field.slice(1);
  return `mutation ($input: ${title}Input!) {
    ${field}(input: $input) {
      __typename
      ... on ${title}Payload { ${selection} }
      ... on MutationError { code retry message }
      ... on RateLimitedError { retryAfterSeconds }
    }
  }`;
};

const counted = (stage: Stage, rows: string, bindings: Record<string, string>) => () =>
  stage.store.get<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`, bindings)?.count ?? 0;

const newQuote = async ({ call, customerId, productId }: Stage, title: string): Promise<string> => {
  const { quote } = await call('Quote/CreateQuote', { customerId, title, lineItems: [{ productId, quantity: 1 }] });
  return quote.id;
};

const newContact = async ({ call }: Stage, lastName: string): Promise<string> =>
  (await call('Contact/CreateContact', { lastName })).contact.id;

/** A read. */
export const READ: Effect = {
  name: 'READ contact',
  keeper: null,
  field: 'contact',
  operation: 'Contact/GetContact',
  document: 'query ($input: ID!) { contact(id: $input) { __typename rawId lastName } }',
  made: ({ rawId }) => rawId,
  prepare: async (stage, mark) => ({ input: await newContact(stage, mark), idempotencyKey: null, done: () => 1 }),
};

const CONFIRM: Effect = {
  name: 'SETTLED quoteConfirm',
  keeper: 'state',
  field: 'quoteConfirm',
  operation: 'Quote/ConfirmQuote',
  document: mutationOf('quoteConfirm', 'order { rawId } effect'),
  made: ({ order }) => order.rawId,
  prepare: async (stage, mark) => {
    const quoteId = await newQuote(stage, mark);
    return { input: { quoteId }, idempotencyKey: null, done: counted(stage, 'orders WHERE quote_id = :quoteId', { quoteId }) };
  },
};

const CONFIRM_KEYED: Effect = {
  ...CONFIRM,
  name: 'SETTLED quoteConfirm with a key',
  keeper: 'upstream, readable',
  prepare: async (stage, mark) => {
    const { input, ...act } = await CONFIRM.prepare(stage, mark);
    return { ...act, input: { ...(input as object), idempotencyKey: mark }, idempotencyKey: mark };
  },
};

const CANCEL_UNPAID: Effect = {
  name: 'KEYED when something is given back: orderCancel without a refund',
  keeper: 'ledger, readable',
  field: 'orderCancel',
  operation: 'Order/CancelOrder',
  document: mutationOf('orderCancel', 'order { rawId } effect'),
  made: ({ order }) => order.rawId,
  prepare: async (stage, mark) => {
    const { order } = await stage.call('Quote/ConfirmQuote', { id: await newQuote(stage, mark) });
    const orderId: string = order.id;
    return {
      input: { orderId, expectedVersion: '1', reason: mark, idempotencyKey: mark },
      idempotencyKey: mark,
      done: counted(stage, 'orders WHERE id = :orderId AND cancelled_at IS NOT NULL', { orderId }),
    };
  },
};

const MOVE: Effect = {
  name: 'KEYED inventoryMove',
  keeper: 'upstream',
  field: 'inventoryMove',
  operation: 'Inventory/MoveInventory',
  document: mutationOf('inventoryMove', 'operationId effect'),
  made: ({ operationId }) => operationId,
  prepare: async (stage, mark) => {
    const { productId, from, to } = stage;
    const lines = [{ productId, sourceLocationId: from, quantity: 1 }];
    return {
      input: { destinationLocationId: to, lines, reference: mark, idempotencyKey: mark },
      idempotencyKey: mark,
      done: counted(stage, 'inventory_movements WHERE reference = :mark AND quantity_delta > 0', { mark }),
    };
  },
};

const RECEIPT: Effect = {
  name: 'KEYED inventoryReceiptCreate',
  keeper: 'upstream, readable',
  field: 'inventoryReceiptCreate',
  operation: 'Inventory/CreateInventoryReceipt',
  document: mutationOf('inventoryReceiptCreate', 'receipt { rawId } effect'),
  made: ({ receipt }) => receipt.rawId,
  prepare: async (stage, mark) => ({
    input: { locationId: stage.to, reference: mark, idempotencyKey: mark },
    idempotencyKey: mark,
    done: counted(stage, 'inventory_receipts WHERE reference = :mark', { mark }),
  }),
};

const CANCEL: Effect = {
  name: 'KEYED with a version: orderCancel with a refund',
  keeper: 'upstream',
  field: 'orderCancel',
  operation: 'Order/CancelOrder',
  document: mutationOf('orderCancel', 'order { status } refund { rawId } effect'),
  made: ({ refund }) => refund.rawId,
  prepare: async (stage, mark) => {
    const { order } = await stage.call('Quote/ConfirmQuote', { id: await newQuote(stage, mark) });
    const orderId: string = order.id;
    // Counts by order instead of `mark`: preparing again after a failure uses another order.
    const { payment } = await stage.call('Payment/CreatePayment', { orderId, amountMinor: '1000', externalOperationId: orderId });
    await stage.call('Payment/RecordManualPayment', { id: payment.id, totalReceivedMinor: '1000' });
    return {
      input: { orderId, expectedVersion: '1', refund: { amount: { minorUnits: '100' } }, idempotencyKey: mark },
      idempotencyKey: mark,
      done: counted(stage, 'refunds WHERE order_id = :orderId', { orderId }),
    };
  },
};

const ADJUST: Effect = {
  name: 'CRITICAL inventoryAdjust',
  keeper: 'ledger',
  field: 'inventoryAdjust',
  operation: 'Inventory/AdjustInventory',
  document: mutationOf('inventoryAdjust', 'effect'),
  made: () => 'a movement',
  prepare: async (stage, mark) => ({
    input: {
      productId: stage.productId,
      locationId: stage.from,
      reason: mark,
      change: { quantityDelta: 1 },
      idempotencyKey: mark,
    },
    idempotencyKey: mark,
    done: counted(stage, 'inventory_movements WHERE reason = :mark', { mark }),
  }),
};

const CREATE: Effect = {
  name: 'CREATING contactCreate with a key',
  keeper: 'ledger',
  field: 'contactCreate',
  operation: 'Contact/CreateContact',
  document: mutationOf('contactCreate', 'contact { rawId } effect'),
  made: ({ contact }) => contact.rawId,
  prepare: async (stage, mark) => ({
    input: { lastName: mark, idempotencyKey: mark },
    idempotencyKey: mark,
    done: counted(stage, 'contacts WHERE last_name = :mark', { mark }),
  }),
};

const CREATE_KEYLESS: Effect = {
  ...CREATE,
  name: 'CREATING contactCreate without a key',
  keeper: 'nothing',
  prepare: async (stage, mark) => ({ ...(await CREATE.prepare(stage, mark)), input: { lastName: mark }, idempotencyKey: null }),
};

const REPLACE: Effect = {
  name: 'CREATING with a version: quoteUpdate with a key',
  keeper: 'ledger, readable',
  field: 'quoteUpdate',
  operation: 'Quote/UpdateQuote',
  document: mutationOf('quoteUpdate', 'quote { rawId } effect'),
  made: ({ quote }) => quote.rawId,
  prepare: async (stage, mark) => {
    const quoteId = await newQuote(stage, mark);
    return {
      input: { quoteId, expectedVersion: '1', lines: [{ productId: stage.productId, quantity: 7 }], discounts: [], idempotencyKey: mark },
      idempotencyKey: mark,
      done: () => (stage.store.get<{ version: number }>('SELECT version FROM quotes WHERE id = :quoteId', { quoteId })?.version ?? 1) - 1,
    };
  },
};

const WRITE: Effect = {
  name: 'SETTING contactUpdate with a key',
  keeper: 'ledger, readable',
  field: 'contactUpdate',
  operation: 'Contact/UpdateContact',
  document: mutationOf('contactUpdate', 'contact { rawId } effect'),
  made: ({ contact }) => contact.rawId,
  prepare: async (stage, mark) => {
    const contactId = await newContact(stage, `${mark} before`);
    return {
      input: { contactId, lastName: mark, idempotencyKey: mark },
      idempotencyKey: mark,
      done: counted(stage, 'contact_writes WHERE last_name = :mark', { mark }),
    };
  },
};

/** Writes, one for each way to prevent duplicates. */
export const WRITES: readonly Effect[] = [
  CONFIRM,
  CONFIRM_KEYED,
  MOVE,
  RECEIPT,
  CANCEL,
  CANCEL_UNPAID,
  ADJUST,
  CREATE,
  CREATE_KEYLESS,
  REPLACE,
  WRITE,
];

/** Writes that use the ledger. */
export const KEYED_WRITES = WRITES.filter(({ keeper }) => keeper !== 'state' && keeper !== 'nothing');
