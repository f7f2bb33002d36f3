import type { Store } from '../../../sandbox/kernel/store.ts';

/** A workspace of a sandbox, for preparing mutations and counting their effects without the graph. */
export interface TestWorkspace {
  readonly store: Store;
  /** Calls the sandbox with all permissions. Resolves to the body of the response. */
  readonly call: (operation: string, request: object) => Promise<ResponseBody>;
  readonly customerId: string;
  /** A product with enough stock at `from`. */
  readonly productId: string;
  readonly from: string;
  readonly to: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each effect parses the responses of its own operations
type ResponseBody = any;

/** Logs each update, because repeating a write with the same values leaves no other trace. The indexes make counting thousands of operations fast. */
const WRITE_LOG_SQL = `
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
export async function openTestWorkspace(url: string, key: string, store: Store): Promise<TestWorkspace> {
  const call = async (operation: string, request: object): Promise<ResponseBody> => {
    const response = await fetch(`${url}/public-api/publicapi.v1.${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error(`${operation} was rejected with status ${response.status}: ${await response.text()}`);
    return response.json();
  };
  store.exec(WRITE_LOG_SQL);
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
export interface PreparedOperation {
  /** Input of the mutation, including the idempotency key. */
  readonly input: unknown;
  /** Null for mutations without a key. */
  readonly idempotencyKey: string | null;
  /** Counts how often it was applied, from the sandbox's database. */
  readonly countApplied: () => number;
}

/**
 * How duplicates of a write are prevented. `readable` means that the graph can reconcile an unknown outcome.
 * - `state`: the write sets a state that can be read upstream.
 * - `upstream`: the upstream deduplicates by key.
 * - `ledger`: the graph's ledger deduplicates by key.
 * - `nothing`: the operation has no key.
 */
export type Deduplication = 'state' | 'upstream' | 'upstream, readable' | 'ledger' | 'ledger, readable' | 'nothing';

/** A kind of operation: one mutation for each way to prevent duplicates. */
export interface Effect {
  /** Effect of the operation in the contract, with the GraphQL field. */
  readonly name: string;
  /** Null for reads. */
  readonly deduplication: Deduplication | null;
  readonly field: string;
  /** Name of the upstream operation. */
  readonly operation: string;
  /** The GraphQL operation, whose only variable is `$input`. */
  readonly document: string;
  /** Returns the ID of the created or changed record from the payload. */
  readonly getRecordId: (payload: ResponseBody) => string;
  /** Prepares an operation that hasn't been requested yet. `mark` is a unique text. */
  readonly prepare: (workspace: TestWorkspace, mark: string) => Promise<PreparedOperation>;
}

const createMutationDocument = (field: string, selection: string): string => {
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

const createRowCounter = (workspace: TestWorkspace, rows: string, bindings: Record<string, string>) => () =>
  workspace.store.get<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`, bindings)?.count ?? 0;

const createQuote = async ({ call, customerId, productId }: TestWorkspace, title: string): Promise<string> => {
  const { quote } = await call('Quote/CreateQuote', { customerId, title, lineItems: [{ productId, quantity: 1 }] });
  return quote.id;
};

const createContact = async ({ call }: TestWorkspace, lastName: string): Promise<string> =>
  (await call('Contact/CreateContact', { lastName })).contact.id;

/** A read. */
export const READ: Effect = {
  name: 'READ contact',
  deduplication: null,
  field: 'contact',
  operation: 'Contact/GetContact',
  document: 'query ($input: ID!) { contact(id: $input) { __typename rawId lastName } }',
  getRecordId: ({ rawId }) => rawId,
  prepare: async (workspace, mark) => ({ input: await createContact(workspace, mark), idempotencyKey: null, countApplied: () => 1 }),
};

const CONFIRM: Effect = {
  name: 'SETTLED quoteConfirm',
  deduplication: 'state',
  field: 'quoteConfirm',
  operation: 'Quote/ConfirmQuote',
  document: createMutationDocument('quoteConfirm', 'order { rawId } effect'),
  getRecordId: ({ order }) => order.rawId,
  prepare: async (workspace, mark) => {
    const quoteId = await createQuote(workspace, mark);
    return {
      input: { quoteId },
      idempotencyKey: null,
      countApplied: createRowCounter(workspace, 'orders WHERE quote_id = :quoteId', { quoteId }),
    };
  },
};

const CONFIRM_KEYED: Effect = {
  ...CONFIRM,
  name: 'SETTLED quoteConfirm with a key',
  deduplication: 'upstream, readable',
  prepare: async (workspace, mark) => {
    const { input, ...prepared } = await CONFIRM.prepare(workspace, mark);
    return { ...prepared, input: { ...(input as object), idempotencyKey: mark }, idempotencyKey: mark };
  },
};

const CANCEL_UNPAID: Effect = {
  name: 'KEYED only with a refund: orderCancel without a refund',
  deduplication: 'ledger, readable',
  field: 'orderCancel',
  operation: 'Order/CancelOrder',
  document: createMutationDocument('orderCancel', 'order { rawId } effect'),
  getRecordId: ({ order }) => order.rawId,
  prepare: async (workspace, mark) => {
    const { order } = await workspace.call('Quote/ConfirmQuote', { id: await createQuote(workspace, mark) });
    const orderId: string = order.id;
    return {
      input: { orderId, expectedVersion: '1', reason: mark, idempotencyKey: mark },
      idempotencyKey: mark,
      countApplied: createRowCounter(workspace, 'orders WHERE id = :orderId AND cancelled_at IS NOT NULL', { orderId }),
    };
  },
};

const MOVE: Effect = {
  name: 'KEYED inventoryMove',
  deduplication: 'upstream',
  field: 'inventoryMove',
  operation: 'Inventory/MoveInventory',
  document: createMutationDocument('inventoryMove', 'operationId effect'),
  getRecordId: ({ operationId }) => operationId,
  prepare: async (workspace, mark) => {
    const { productId, from, to } = workspace;
    const lines = [{ productId, sourceLocationId: from, quantity: 1 }];
    return {
      input: { destinationLocationId: to, lines, reference: mark, idempotencyKey: mark },
      idempotencyKey: mark,
      countApplied: createRowCounter(workspace, 'inventory_movements WHERE reference = :mark AND quantity_delta > 0', { mark }),
    };
  },
};

const RECEIPT: Effect = {
  name: 'KEYED inventoryReceiptCreate',
  deduplication: 'upstream, readable',
  field: 'inventoryReceiptCreate',
  operation: 'Inventory/CreateInventoryReceipt',
  document: createMutationDocument('inventoryReceiptCreate', 'receipt { rawId } effect'),
  getRecordId: ({ receipt }) => receipt.rawId,
  prepare: async (workspace, mark) => ({
    input: { locationId: workspace.to, reference: mark, idempotencyKey: mark },
    idempotencyKey: mark,
    countApplied: createRowCounter(workspace, 'inventory_receipts WHERE reference = :mark', { mark }),
  }),
};

const CANCEL: Effect = {
  name: 'KEYED with a version: orderCancel with a refund',
  deduplication: 'upstream',
  field: 'orderCancel',
  operation: 'Order/CancelOrder',
  document: createMutationDocument('orderCancel', 'order { status } refund { rawId } effect'),
  getRecordId: ({ refund }) => refund.rawId,
  prepare: async (workspace, mark) => {
    const { order } = await workspace.call('Quote/ConfirmQuote', { id: await createQuote(workspace, mark) });
    const orderId: string = order.id;
    // Counts by order instead of `mark`: preparing again after a failure uses another order.
    const { payment } = await workspace.call('Payment/CreatePayment', { orderId, amountMinor: '1000', externalOperationId: orderId });
    await workspace.call('Payment/RecordManualPayment', { id: payment.id, totalReceivedMinor: '1000' });
    return {
      input: { orderId, expectedVersion: '1', refund: { amount: { minorUnits: '100' } }, idempotencyKey: mark },
      idempotencyKey: mark,
      countApplied: createRowCounter(workspace, 'refunds WHERE order_id = :orderId', { orderId }),
    };
  },
};

const ADJUST: Effect = {
  name: 'CRITICAL inventoryAdjust',
  deduplication: 'ledger',
  field: 'inventoryAdjust',
  operation: 'Inventory/AdjustInventory',
  document: createMutationDocument('inventoryAdjust', 'effect'),
  getRecordId: () => 'a movement',
  prepare: async (workspace, mark) => ({
    input: {
      productId: workspace.productId,
      locationId: workspace.from,
      reason: mark,
      change: { quantityDelta: 1 },
      idempotencyKey: mark,
    },
    idempotencyKey: mark,
    countApplied: createRowCounter(workspace, 'inventory_movements WHERE reason = :mark', { mark }),
  }),
};

const CREATE: Effect = {
  name: 'CREATING contactCreate with a key',
  deduplication: 'ledger',
  field: 'contactCreate',
  operation: 'Contact/CreateContact',
  document: createMutationDocument('contactCreate', 'contact { rawId } effect'),
  getRecordId: ({ contact }) => contact.rawId,
  prepare: async (workspace, mark) => ({
    input: { lastName: mark, idempotencyKey: mark },
    idempotencyKey: mark,
    countApplied: createRowCounter(workspace, 'contacts WHERE last_name = :mark', { mark }),
  }),
};

const CREATE_KEYLESS: Effect = {
  ...CREATE,
  name: 'CREATING contactCreate without a key',
  deduplication: 'nothing',
  prepare: async (workspace, mark) => ({ ...(await CREATE.prepare(workspace, mark)), input: { lastName: mark }, idempotencyKey: null }),
};

const REPLACE: Effect = {
  name: 'CREATING with a version: quoteUpdate with a key',
  deduplication: 'ledger, readable',
  field: 'quoteUpdate',
  operation: 'Quote/UpdateQuote',
  document: createMutationDocument('quoteUpdate', 'quote { rawId } effect'),
  getRecordId: ({ quote }) => quote.rawId,
  prepare: async (workspace, mark) => {
    const quoteId = await createQuote(workspace, mark);
    return {
      input: {
        quoteId,
        expectedVersion: '1',
        lines: [{ productId: workspace.productId, quantity: 7 }],
        discounts: [],
        idempotencyKey: mark,
      },
      idempotencyKey: mark,
      countApplied: () =>
        (workspace.store.get<{ version: number }>('SELECT version FROM quotes WHERE id = :quoteId', { quoteId })?.version ?? 1) - 1,
    };
  },
};

const WRITE: Effect = {
  name: 'SETTING contactUpdate with a key',
  deduplication: 'ledger, readable',
  field: 'contactUpdate',
  operation: 'Contact/UpdateContact',
  document: createMutationDocument('contactUpdate', 'contact { rawId } effect'),
  getRecordId: ({ contact }) => contact.rawId,
  prepare: async (workspace, mark) => {
    const contactId = await createContact(workspace, `${mark} before`);
    return {
      input: { contactId, lastName: mark, idempotencyKey: mark },
      idempotencyKey: mark,
      countApplied: createRowCounter(workspace, 'contact_writes WHERE last_name = :mark', { mark }),
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
export const KEYED_WRITES = WRITES.filter(({ deduplication }) => deduplication !== 'state' && deduplication !== 'nothing');
