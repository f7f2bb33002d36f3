// The baseline: a bare handler that sends the same upstream calls and returns the same JSON. It has no validation and no limits, and only supports the
// benchmark's documents, so no GraphQL server can do the same work in less time.
import { createServer } from 'node:http';
import { Pool } from 'undici';

// biome-ignore lint/suspicious/noExplicitAny: upstream responses aren't typed here
type Json = any;

const pool = new Pool(process.env.UPSTREAM_URL ?? '', { connections: Number(process.env.UPSTREAM_CONNECTIONS ?? 128), pipelining: 1 });

class Collector {
  readonly #resolve: (json: Json) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;

  constructor(resolve: (json: Json) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }
  onRequestStart(): void {}
  onResponseStart(_controller: unknown, status: number): void {
    this.#status = status;
  }
  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }
  onResponseEnd(): void {
    const text = Buffer.concat(this.#chunks).toString();
    if (this.#status === 200 || this.#status === 201) this.#resolve(JSON.parse(text));
    else this.#reject(new Error(`upstream ${this.#status}`));
  }
  onResponseError(_controller: unknown, error: Error): void {
    this.#reject(error);
  }
}

/** An upstream call. */
type Call = (operation: string, request: object) => Promise<Json>;

const createCall =
  (authorization: string): Call =>
  (operation, request) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization };
      const path = `/public-api/publicapi.v1.${operation}`;
      pool.dispatch({ path, method: 'POST', headers, body: JSON.stringify(request) }, new Collector(resolve, reject));
    });

/** Caches a get, so that it's sent once per ID. */
function memoize(get: (id: string) => Promise<Json>): (id: string) => Promise<Json> {
  const cache = new Map<string, Promise<Json>>();
  return (id) => {
    const promise = cache.get(id) ?? get(id);
    cache.set(id, promise);
    return promise;
  };
}

const toNullable = (value: unknown) => value ?? null;
const parseStatus = (name: string) => name.slice(name.indexOf('STATUS_') + 7);
const toGlobalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url');
const toMinorMoney = (value: unknown, currency: unknown) => ({ minorUnits: String(value ?? 0), currencyCode: toNullable(currency) });
/** All demo data uses currencies with two decimal places. */
const toMajorMoney = (value: unknown, currency: unknown) => {
  const units = String(value ?? 0).padStart(3, '0');
  return { amount: `${units.slice(0, -2)}.${units.slice(-2)}`, currencyCode: toNullable(currency) };
};
const toInstant = (seconds: string) => `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`;
const toProduct = ({ id, name, sku }: Json) => ({ rawId: id, name: toNullable(name), sku: toNullable(sku) });

async function customerById(call: Call, { id }: Json): Promise<Json> {
  const { customer } = await call('Customer/GetCustomer', { id });
  const { title, customerName, referenceNumber } = customer;
  return { customer: { rawId: customer.id, title, customerName, referenceNumber } };
}

async function customerQuotes(call: Call, { id }: Json, query: string): Promise<Json> {
  const alias = /(c\d+): customer/.exec(query)?.[1] ?? 'customer';
  const customers = memoize(async (customerId) => (await call('Customer/GetCustomer', { id: customerId })).customer);
  const products = memoize(async (productId) => toProduct((await call('Catalog/GetProduct', { id: productId })).product));
  const { title } = await customers(id);
  const { quotes } = await call('Quote/ListQuotes', { customerId: id, status: 'PUBLIC_QUOTE_STATUS_UNSPECIFIED', page: 1, pageSize: 100 });
  const toLine = async ({ quantity, totalMinor, productId }: Json, currency: string) => ({
    quantity,
    total: toMinorMoney(totalMinor, currency),
    product: await products(productId),
  });
  const toNode = async (quote: Json) => {
    const lines = (quote.lineItems ?? []).map((line: Json) => toLine(line, quote.currency));
    const customer = await customers(quote.customerId);
    return {
      rawId: quote.id,
      status: parseStatus(quote.status),
      title: quote.title,
      totalOnce: toMinorMoney(quote.totalOnceMinor, quote.currency),
      customer: { rawId: customer.id, title: customer.title },
      lines: await Promise.all(lines),
    };
  };
  return { [alias]: { rawId: id, title, quotes: { nodes: await Promise.all(quotes.map(toNode)) } } };
}

async function productBalances(call: Call): Promise<Json> {
  const { products } = await call('Catalog/ListProducts', { page: 1, pageSize: 100 });
  const toNode = async (product: Json) => {
    const request = { productId: product.id, locationId: '', page: 1, pageSize: 5 };
    const { balances = [] } = await call('Inventory/ListInventoryBalances', request);
    const nodes = balances.map(({ onHand, available }: Json) => ({ onHand: Number(onHand ?? 0), available: Number(available ?? 0) }));
    return { ...toProduct(product), inventoryBalances: { nodes } };
  };
  return { products: { nodes: await Promise.all(products.map(toNode)) } };
}

async function customerPage(call: Call, variables: Json): Promise<Json> {
  const id = Buffer.from(variables.id, 'base64url').toString().split(':')[1] ?? '';
  // Checks that the customer exists before fetching its records, as every server must.
  const { customer } = await call('Customer/GetCustomer', { id });
  const page = { customerId: id, page: 1, pageSize: 10 };
  const [quotes, orders, timeline] = await Promise.all([
    call('Quote/ListQuotes', { ...page, status: 'PUBLIC_QUOTE_STATUS_UNSPECIFIED' }),
    call('Order/ListOrders', { ...page, status: 'PUBLIC_ORDER_STATUS_UNSPECIFIED' }),
    call('Customer/ListCustomerTimelineEvents', { customerId: id }),
  ]);
  const toConnection = (type: string, rows: Json[], hasMore: unknown) => ({
    nodes: rows.map((row) => ({
      id: toGlobalId(type, row.id),
      referenceNumber: row.referenceNumber,
      status: parseStatus(row.status),
      totalOnce: toMajorMoney(row.totalOnceMinor, row.currency),
    })),
    pageInfo: { hasNextPage: hasMore === true },
  });
  const events = timeline.events
    .slice(0, 20)
    .map(({ eventType, summary, occurredAt }: Json) => ({ eventType, summary, occurredAt: toInstant(occurredAt) }));
  return {
    customer: {
      id: variables.id,
      title: customer.title,
      customerName: customer.customerName,
      email: customer.email,
      quotes: toConnection('Quote', quotes.quotes, quotes.hasMore),
      orders: toConnection('Order', orders.orders, orders.hasMore),
      timelineEvents: { nodes: events },
    },
  };
}

async function productEntities(call: Call, { representations }: Json): Promise<Json> {
  const products = memoize(async (id) => toProduct((await call('Catalog/GetProduct', { id })).product));
  return { _entities: await Promise.all(representations.map(({ rawId }: Json) => products(rawId))) };
}

async function customerCreate(call: Call, { input: { idempotencyKey: _key, ...input } }: Json): Promise<Json> {
  const { customer } = await call('Customer/CreateCustomer', { ...input, customFields: {} });
  return { customerCreate: { customer: { title: customer.title } } };
}

/** Number of orders in a column of the board. */
const COLUMN_SIZE = 25;

const compareTexts = (one: string, other: string) => Number(one > other) - Number(one < other);

/** Compares orders by the time of their last update, their creation, and their ID. */
const compareUpdates = (one: Json, other: Json): number => Number(one.updatedAt) - Number(other.updatedAt) || compareCreations(one, other);

const compareCreations = (one: Json, other: Json): number =>
  Number(one.createdAt) - Number(other.createdAt) || compareTexts(one.id, other.id);

async function listCustomers(call: Call): Promise<Json[]> {
  const found: Json[] = [];
  for (let page = 1; ; page += 1) {
    const { customers, hasMore } = await call('Customer/SearchCustomers', { query: '', page, pageSize: 100 });
    found.push(...customers);
    if (!hasMore) return found;
  }
}

/** Without searches, only a customer’s orders can be listed, so this reads those of all customers, and filters, sorts and counts them. */
async function orderBoard(call: Call): Promise<Json> {
  const listOrders = async ({ id, title }: Json): Promise<Json[]> => {
    const request = { customerId: id, status: 'PUBLIC_ORDER_STATUS_UNSPECIFIED', page: 1, pageSize: 100 };
    const { orders = [] } = await call('Order/ListOrders', request);
    return orders.map((order: Json) => ({ ...order, title }));
  };
  const customers = await listCustomers(call);
  const orders = (await Promise.all(customers.map(listOrders))).flat();
  const toNode = ({ id, referenceNumber, status, totalOnceMinor, currency, updatedAt, title }: Json) => ({
    id: toGlobalId('Order', id),
    referenceNumber,
    status: parseStatus(status),
    totalOnce: toMajorMoney(totalOnceMinor, currency),
    updatedAt: toInstant(updatedAt),
    customer: { title },
  });
  const toColumn = (matches: (order: Json) => boolean, compare: (one: Json, other: Json) => number) => {
    const matching = orders.filter(matches).sort(compare);
    return { totalCount: matching.length, nodes: matching.slice(0, COLUMN_SIZE).map(toNode) };
  };
  const toStatusColumn = (name: string) =>
    toColumn(
      ({ status }) => parseStatus(status) === name,
      (one, other) => compareUpdates(other, one),
    );
  return {
    open: toStatusColumn('OPEN'),
    fulfilled: toStatusColumn('FULFILLED'),
    canceled: toStatusColumn('CANCELLED'),
    oldestInEuros: toColumn(({ currency }) => currency === 'EUR', compareCreations),
  };
}

const HANDLERS: Readonly<Record<string, (call: Call, variables: Json, query: string) => Promise<Json>>> = {
  CustomerById: customerById,
  CustomerQuotes: customerQuotes,
  ProductBalances: productBalances,
  CustomerPage: customerPage,
  ProductEntities: productEntities,
  CustomerCreate: customerCreate,
  OrderBoard: orderBoard,
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString());
    const name = /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
    const data = await HANDLERS[name]?.(createCall(request.headers.authorization ?? ''), variables, query);
    const body = JSON.stringify({ data });
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
