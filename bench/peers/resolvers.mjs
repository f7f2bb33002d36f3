// Resolvers of schema.graphql, for servers with resolvers. Their context contains `operations` (upstream.mjs).
import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { toAmount, toGlobalId, toInstant, toMoney, toRawId, toStatus } from './shapes.mjs';

const createRecordFields = (type) => ({ id: ({ id }) => toGlobalId(type, id), rawId: ({ id }) => id });

const createDealFields = (type) => ({
  ...createRecordFields(type),
  status: ({ status }) => toStatus(status),
  totalOnce: ({ totalOnceMinor, currency }) => toMoney(totalOnceMinor, currency),
});

const connection = (member) => ({
  nodes: ({ [member]: rows = [] }) => rows,
  pageInfo: ({ hasMore = false }) => ({ hasNextPage: hasMore }),
});

export const resolvers = {
  Query: {
    customer: (_query, { id }, { operations }) => operations.customer(toRawId('Customer', id)),
    products: (_query, { first }, { operations }) => operations.products(first),
  },
  Customer: {
    __resolveReference: ({ rawId }, { operations }) => operations.customer(rawId),
    ...createRecordFields('Customer'),
    quotes: ({ id }, { first }, { operations }) => operations.quotes(id, first),
    orders: ({ id }, { first }, { operations }) => operations.orders(id, first),
    timelineEvents: async ({ id }, { first }, { operations }) => ({ nodes: (await operations.timeline(id)).events?.slice(0, first) ?? [] }),
  },
  Quote: {
    ...createDealFields('Quote'),
    customer: ({ customerId }, _arguments, { operations }) => operations.customer(customerId),
    lines: ({ lineItems = [], currency }) =>
      lineItems.map(({ quantity = 0, totalMinor, productId }) => ({ quantity, total: toMoney(totalMinor, currency), productId })),
  },
  QuoteLine: { product: ({ productId }, _arguments, { operations }) => operations.product(productId) },
  Order: createDealFields('Order'),
  CustomerTimelineEvent: { occurredAt: ({ occurredAt }) => toInstant(occurredAt) },
  Product: {
    __resolveReference: ({ rawId }, { operations }) => operations.product(rawId),
    rawId: ({ id }) => id,
    inventoryBalances: ({ id }, { first }, { operations }) => operations.balances(id, first),
  },
  InventoryBalance: { onHand: ({ onHand }) => Number(onHand ?? 0), available: ({ available }) => Number(available ?? 0) },
  Money: { amount: toAmount },
  QuoteConnection: connection('quotes'),
  OrderConnection: connection('orders'),
  ProductConnection: connection('products'),
  InventoryBalanceConnection: { nodes: connection('balances').nodes },
};

export const typeDefs = parse(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'));

export const schema = buildSubgraphSchema([{ typeDefs, resolvers }]);
