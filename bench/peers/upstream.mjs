// The upstream client of the JavaScript peers, unless they have their own.
import DataLoader from 'dataloader';
import { Pool } from 'undici';

/** The same as the graph's. */
const CONNECTIONS = 128;

export const ORIGIN = new URL(process.env.UPSTREAM_URL).origin;

const pool = new Pool(ORIGIN, { connections: CONNECTIONS, pipelining: 1 });

export const getPath = (operation) => `/public-api/publicapi.v1.${operation}`;

/** Whether calls use undici's `dispatch`, the client below its streams, instead of `request`. */
const isDispatched = process.env.CLIENT === 'dispatch';

/** The fastest client: one promise and no stream per response. */
const dispatch = (options) =>
  new Promise((resolve, reject) => {
    const chunks = [];
    let status = 0;
    let headers = {};
    pool.dispatch(options, {
      onRequestStart() {},
      onResponseStart: (_controller, statusCode, responseHeaders) => {
        status = statusCode;
        headers = responseHeaders;
      },
      onResponseData: (_controller, chunk) => chunks.push(chunk),
      onResponseEnd: () => resolve({ status, headers, text: Buffer.concat(chunks).toString() }),
      onResponseError: (_controller, error) => reject(error),
    });
  });

/** Sends a call with the caller's key. */
async function call(authorization, operation, message) {
  const headers = { 'content-type': 'application/json', authorization };
  const options = { path: getPath(operation), method: 'POST', headers, body: JSON.stringify(message) };
  if (isDispatched) {
    const { status, text } = await dispatch(options);
    if (status === 200) return JSON.parse(text);
    throw new Error(`The upstream responded to ${operation} with status ${status}.`);
  }
  const { statusCode, body } = await pool.request(options);
  if (statusCode === 200) return body.json();
  await body.dump();
  throw new Error(`The upstream responded to ${operation} with status ${statusCode}.`);
}

const toFetchResponse = (url, status, responseHeaders, body) => ({
  status,
  ok: status === 200,
  statusText: '',
  url,
  headers: new Map(Object.entries(responseHeaders)),
  ...body,
});

/** The subset of `fetch` that clients need. */
export async function fetcher(url, { method, headers, body: sent }) {
  const options = { path: url.slice(ORIGIN.length), method, headers, body: sent };
  if (isDispatched) {
    const { status, headers: responseHeaders, text } = await dispatch(options);
    return toFetchResponse(url, status, responseHeaders, { json: async () => JSON.parse(text), text: async () => text });
  }
  const { statusCode, headers: responseHeaders, body } = await pool.request(options);
  return toFetchResponse(url, statusCode, responseHeaders, { json: () => body.json(), text: () => body.text() });
}

const UNFILTERED = { quotes: 'PUBLIC_QUOTE_STATUS_UNSPECIFIED', orders: 'PUBLIC_ORDER_STATUS_UNSPECIFIED' };

/** Deduplicates gets of one record. No upstream operation gets several records by ID. */
function deduplicate(get) {
  const loader = new DataLoader((ids) => Promise.all(ids.map((id) => get(id).catch((error) => error))));
  return (id) => loader.load(id);
}

/** The operations of resolvers. `post` sends one call, and `shared` deduplicates gets of one record. */
export function createOperations(post, shared = deduplicate) {
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

/** The operations of one request. */
export const createRequestOperations = (authorization, shared) =>
  createOperations((operation, message) => call(authorization, operation, message), shared);
