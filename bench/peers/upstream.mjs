// The upstream, as the peers in JavaScript call it, unless they bring a client of their own.
import DataLoader from 'dataloader';
import { Pool } from 'undici';

/** As many as the graph has. */
const CONNECTIONS = 128;

export const ORIGIN = new URL(process.env.UPSTREAM_URL).origin;

const pool = new Pool(ORIGIN, { connections: CONNECTIONS, pipelining: 1 });

export const pathOf = (operation) => `/public-api/publicapi.v1.${operation}`;

/** Whether the upstream is called through `dispatch`, undici's own client below its streams, in place of `request`. */
const isDispatched = process.env.CLIENT === 'dispatch';

/** The best client that is known: one promise and no stream for each answer. */
const dispatched = (options) =>
  new Promise((resolve, reject) => {
    const chunks = [];
    let status = 0;
    let headers = {};
    pool.dispatch(options, {
      onRequestStart() {},
      onResponseStart: (_controller, statusCode, answered) => {
        status = statusCode;
        headers = answered;
      },
      onResponseData: (_controller, chunk) => chunks.push(chunk),
      onResponseEnd: () => resolve({ status, headers, text: Buffer.concat(chunks).toString() }),
      onResponseError: (_controller, error) => reject(error),
    });
  });

/** A call with the caller's key. */
async function call(authorization, operation, message) {
  const headers = { 'content-type': 'application/json', authorization };
  const options = { path: pathOf(operation), method: 'POST', headers, body: JSON.stringify(message) };
  if (isDispatched) {
    const { status, text } = await dispatched(options);
    if (status === 200) return JSON.parse(text);
    throw new Error(`The upstream answered ${status} to ${operation}.`);
  }
  const { statusCode, body } = await pool.request(options);
  if (statusCode === 200) return body.json();
  await body.dump();
  throw new Error(`The upstream answered ${statusCode} to ${operation}.`);
}

const asFetched = (url, status, answered, body) => ({
  status,
  ok: status === 200,
  statusText: '',
  url,
  headers: new Map(Object.entries(answered)),
  ...body,
});

/** The same as what a client of `fetch` needs of it. */
export async function fetcher(url, { method, headers, body: sent }) {
  const options = { path: url.slice(ORIGIN.length), method, headers, body: sent };
  if (isDispatched) {
    const { status, headers: answered, text } = await dispatched(options);
    return asFetched(url, status, answered, { json: async () => JSON.parse(text), text: async () => text });
  }
  const { statusCode, headers: answered, body } = await pool.request(options);
  return asFetched(url, statusCode, answered, { json: () => body.json(), text: () => body.text() });
}

const UNFILTERED = { quotes: 'PUBLIC_QUOTE_STATUS_UNSPECIFIED', orders: 'PUBLIC_ORDER_STATUS_UNSPECIFIED' };

/** A way to get one record that asks for it once. There is no call that gets many. */
function once(get) {
  const loader = new DataLoader((ids) => Promise.all(ids.map((id) => get(id).catch((error) => error))));
  return (id) => loader.load(id);
}

/** The operations of resolvers. `post` sends one call; `shared` makes of a way to get one record one that asks for it once. */
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
