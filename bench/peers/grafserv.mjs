// Grafserv, with a plan for each field of schema.graphql.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { context, get, lambda, loadOne, makeGrafastSchema } from 'grafast';
import { grafserv } from 'grafserv/node';
import { toAmount, toGlobalId, toInstant, toMoney, toRawId, toStatus } from './shapes.mjs';
import { operationsFor } from './upstream.mjs';

/** The definitions that @apollo/subgraph adds. */
const FEDERATION = `
  scalar _Any
  union _Entity = Customer | Product
  directive @link(url: String!, import: [String]) on SCHEMA
  directive @key(fields: String!) repeatable on OBJECT
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`;

/** Grafserv's `loadOne` already deduplicates gets. */
const asItIs = (get) => get;

/** Creates a loader by ID, or by a list's arguments. `ask` is called with the request's operations. */
const loaderOf = (ask) => ({
  load: (asked, { shared }) => asked.map((each) => ask(shared, each)),
  shared: () => get(context(), 'operations'),
});

const CUSTOMER = loaderOf((operations, id) => operations.customer(id));
const PRODUCT = loaderOf((operations, id) => operations.product(id));
const PRODUCTS = loaderOf((operations, first) => operations.products(first));
const BALANCES = loaderOf((operations, [id, first]) => operations.balances(id, first));
const QUOTES = loaderOf((operations, [id, first]) => operations.quotes(id, first));
const ORDERS = loaderOf((operations, [id, first]) => operations.orders(id, first));
const TIMELINE = loaderOf((operations, id) => operations.timeline(id));

/** A value computed from others by a function that's synchronous and doesn't throw. */
const made = (steps, make) => lambda(steps, make, true);
const member = (name, make) => ($record) => made(get($record, name), make);

const ofRecord = (type) => ({ id: member('id', (id) => toGlobalId(type, id)), rawId: ($record) => get($record, 'id') });

const ofDeal = (type) => ({
  ...ofRecord(type),
  status: member('status', toStatus),
  totalOnce: ($deal) => made([get($deal, 'totalOnceMinor'), get($deal, 'currency')], ([minor, currency]) => toMoney(minor, currency)),
});

const connection = (name) => ({
  plans: {
    nodes: member(name, (rows) => rows ?? []),
    pageInfo: member('hasMore', (hasMore) => ({ hasNextPage: hasMore === true })),
  },
});

const list =
  (loader) =>
  ($record, { $first }) =>
    loadOne([get($record, 'id'), $first], loader);

const linesOf = ([lines, currency]) =>
  (lines ?? []).map(({ quantity, totalMinor, productId }) => ({ quantity, total: toMoney(totalMinor, currency), productId }));

const schema = makeGrafastSchema({
  typeDefs: FEDERATION + readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'),
  objects: {
    Query: {
      plans: {
        customer: (_$query, { $id }) =>
          loadOne(
            made($id, (id) => toRawId('Customer', id)),
            CUSTOMER,
          ),
        products: (_$query, { $first }) => loadOne($first, PRODUCTS),
        _entities: (_$query, { $representations }) => $representations,
      },
    },
    Customer: {
      planType: ($reference) => loadOne(get($reference, 'rawId'), CUSTOMER),
      plans: {
        ...ofRecord('Customer'),
        quotes: list(QUOTES),
        orders: list(ORDERS),
        timelineEvents: ($customer, { $first }) =>
          made([get(loadOne(get($customer, 'id'), TIMELINE), 'events'), $first], ([events, first]) => ({
            nodes: (events ?? []).slice(0, first),
          })),
      },
    },
    Quote: {
      plans: {
        ...ofDeal('Quote'),
        customer: ($quote) => loadOne(get($quote, 'customerId'), CUSTOMER),
        lines: ($quote) => made([get($quote, 'lineItems'), get($quote, 'currency')], linesOf),
      },
    },
    QuoteLine: { plans: { product: ($line) => loadOne(get($line, 'productId'), PRODUCT) } },
    Order: { plans: ofDeal('Order') },
    CustomerTimelineEvent: { plans: { occurredAt: member('occurredAt', toInstant) } },
    Product: {
      planType: ($reference) => loadOne(get($reference, 'rawId'), PRODUCT),
      plans: { rawId: ($product) => get($product, 'id'), inventoryBalances: list(BALANCES) },
    },
    InventoryBalance: {
      plans: { onHand: member('onHand', (count) => Number(count ?? 0)), available: member('available', (count) => Number(count ?? 0)) },
    },
    Money: { plans: { amount: ($money) => made($money, toAmount) } },
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
    grafast: { context: ({ node }) => ({ operations: operationsFor(node.req.headers.authorization, asItIs) }), explain: false },
  },
});

const server = createServer();
server.keepAliveTimeout = 60_000;
await instance.addTo(server);
server.listen(Number(process.env.PORT), process.env.HOST);
