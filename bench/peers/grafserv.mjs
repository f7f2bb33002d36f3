// Grafserv, with a plan for each field of schema.graphql.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { context, get, lambda, loadOne, makeGrafastSchema } from 'grafast';
import { grafserv } from 'grafserv/node';
import { toAmount, toGlobalId, toInstant, toMoney, toRawId, toStatus } from './shapes.mjs';
import { createRequestOperations } from './upstream.mjs';

/** The definitions that @apollo/subgraph adds. */
const FEDERATION = `
  scalar _Any
  union _Entity = Customer | Product
  directive @link(url: String!, import: [String]) on SCHEMA
  directive @key(fields: String!) repeatable on OBJECT
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`;

/** Grafserv's `loadOne` already deduplicates gets. */
const identity = (get) => get;

/** Creates a loader by ID, or by a list's arguments. `fetchOne` is called with the request's operations. */
const createLoader = (fetchOne) => ({
  load: (keys, { shared }) => keys.map((key) => fetchOne(shared, key)),
  shared: () => get(context(), 'operations'),
});

const CUSTOMER = createLoader((operations, id) => operations.customer(id));
const PRODUCT = createLoader((operations, id) => operations.product(id));
const PRODUCTS = createLoader((operations, first) => operations.products(first));
const BALANCES = createLoader((operations, [id, first]) => operations.balances(id, first));
const QUOTES = createLoader((operations, [id, first]) => operations.quotes(id, first));
const ORDERS = createLoader((operations, [id, first]) => operations.orders(id, first));
const TIMELINE = createLoader((operations, id) => operations.timeline(id));

/** A value computed from others by a function that's synchronous and doesn't throw. */
const derive = (steps, compute) => lambda(steps, compute, true);
const deriveMember = (name, compute) => ($record) => derive(get($record, name), compute);

const createRecordFields = (type) => ({ id: deriveMember('id', (id) => toGlobalId(type, id)), rawId: ($record) => get($record, 'id') });

const createDealFields = (type) => ({
  ...createRecordFields(type),
  status: deriveMember('status', toStatus),
  totalOnce: ($deal) => derive([get($deal, 'totalOnceMinor'), get($deal, 'currency')], ([minor, currency]) => toMoney(minor, currency)),
});

const connection = (name) => ({
  plans: {
    nodes: deriveMember(name, (rows) => rows ?? []),
    pageInfo: deriveMember('hasMore', (hasMore) => ({ hasNextPage: hasMore === true })),
  },
});

const list =
  (loader) =>
  ($record, { $first }) =>
    loadOne([get($record, 'id'), $first], loader);

const toLines = ([lines, currency]) =>
  (lines ?? []).map(({ quantity, totalMinor, productId }) => ({ quantity, total: toMoney(totalMinor, currency), productId }));

const schema = makeGrafastSchema({
  typeDefs: FEDERATION + readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'),
  objects: {
    Query: {
      plans: {
        customer: (_$query, { $id }) =>
          loadOne(
            derive($id, (id) => toRawId('Customer', id)),
            CUSTOMER,
          ),
        products: (_$query, { $first }) => loadOne($first, PRODUCTS),
        _entities: (_$query, { $representations }) => $representations,
      },
    },
    Customer: {
      planType: ($reference) => loadOne(get($reference, 'rawId'), CUSTOMER),
      plans: {
        ...createRecordFields('Customer'),
        quotes: list(QUOTES),
        orders: list(ORDERS),
        timelineEvents: ($customer, { $first }) =>
          derive([get(loadOne(get($customer, 'id'), TIMELINE), 'events'), $first], ([events, first]) => ({
            nodes: (events ?? []).slice(0, first),
          })),
      },
    },
    Quote: {
      plans: {
        ...createDealFields('Quote'),
        customer: ($quote) => loadOne(get($quote, 'customerId'), CUSTOMER),
        lines: ($quote) => derive([get($quote, 'lineItems'), get($quote, 'currency')], toLines),
      },
    },
    QuoteLine: { plans: { product: ($line) => loadOne(get($line, 'productId'), PRODUCT) } },
    Order: { plans: createDealFields('Order') },
    CustomerTimelineEvent: { plans: { occurredAt: deriveMember('occurredAt', toInstant) } },
    Product: {
      planType: ($reference) => loadOne(get($reference, 'rawId'), PRODUCT),
      plans: { rawId: ($product) => get($product, 'id'), inventoryBalances: list(BALANCES) },
    },
    InventoryBalance: {
      plans: {
        onHand: deriveMember('onHand', (count) => Number(count ?? 0)),
        available: deriveMember('available', (count) => Number(count ?? 0)),
      },
    },
    Money: { plans: { amount: ($money) => derive($money, toAmount) } },
    QuoteConnection: connection('quotes'),
    OrderConnection: connection('orders'),
    ProductConnection: connection('products'),
    InventoryBalanceConnection: { plans: { nodes: connection('balances').plans.nodes } },
  },
  unions: { _Entity: { planType: ($reference) => ({ $__typename: get($reference, '__typename') }) } },
});

const instance = grafserv({
  schema,
  preset: {
    grafserv: { graphiql: false, watch: false, websockets: false },
    grafast: { context: ({ node }) => ({ operations: createRequestOperations(node.req.headers.authorization, identity) }), explain: false },
  },
});

const server = createServer();
server.keepAliveTimeout = 60_000;
await instance.addTo(server);
server.listen(Number(process.env.PORT), process.env.HOST);
