// The upstream, as the peers in JavaScript call it, unless they bring a client of their own.
import DataLoader from 'dataloader';
import { Pool } from 'undici';

/** As many as the graph has. */
const CONNECTIONS = 128;

export const ORIGIN = new URL(process.env.UPSTREAM_URL).origin;

const pool = new Pool(ORIGIN, { connections: CONNECTIONS, pipelining: 1 });

export const pathOf = (operation) => `/public-api/publicapi.v1.${operation}`;

/** One call, with the caller's key. */
async function call(authorization, operation, message) {
  const headers = { 'content-type': 'application/json', authorization };
  const { statusCode, body } = await pool.request({ path: pathOf(operation), method: 'POST', headers, body: JSON.stringify(message) });
  if (statusCode === 200) return body.json();
  await body.dump();
  throw new Error(`The upstream answered ${statusCode} to ${operation}.`);
}

/** The same as what a client of `fetch` needs of it. */
export async function fetcher(url, { method, headers, body: sent }) {
  const {
    statusCode: status,
    headers: answered,
    body,
  } = await pool.request({ path: url.slice(ORIGIN.length), method, headers, body: sent });
  return {
    status,
    ok: status === 200,
    statusText: '',
    url,
    headers: new Map(Object.entries(answered)),
    json: () => body.json(),
    text: () => body.text(),
  };
}

const UNFILTERED = { quotes: 'PUBLIC_QUOTE_STATUS_UNSPECIFIED', orders: 'PUBLIC_ORDER_STATUS_UNSPECIFIED' };

/** A way to get one record that asks for it once. There is no call that gets many. */
function once(get) {
  const loader = new DataLoader((ids) => Promise.all(ids.map((id) => get(id).catch((error) => error))));
  return (id) => loader.load(id);
}

/** What resolvers ask for. `post` sends one call; `shared` makes of a way to get one record one that asks for it once. */
export function operationsOf(post, shared = once) {
  return {
    customer: shared(async (id) => (await post('Customer/GetCustomer', { id })).customer),
    product: shared(async (id) => (await post('Catalog/GetProduct', { id })).product),
    products: (pageSize) => post('Catalog/ListProducts', { page: 1, pageSize }),
    balances: (productId, pageSize) => post('Inventory/ListInventoryBalances', { productId, locationId: '', page: 1, pageSize }),
    quotes: (customerId, pageSize) => post('Quote/ListQuotes', { customerId, status: UNFILTERED.quotes, page: 1, pageSize }),
    orders: (customerId, pageSize) => post('Order/ListOrders', { customerId, status: UNFILTERED.orders, page: 1, pageSize }),
    timeline: (customerId) => post('Customer/ListCustomerTimelineEvents', { customerId }),
  };
}

/** The same for one request. */
export const operationsFor = (authorization, shared) =>
  operationsOf((operation, message) => call(authorization, operation, message), shared);
