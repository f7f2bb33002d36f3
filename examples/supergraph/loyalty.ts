import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { type Listening, listen } from './listen.ts';

/** Customers are known here by the raw id, which exports and webhooks carry; products by the id that our graph gives. */
const SDL = /* GraphQL */ `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires"])

  enum LoyaltyTier {
    BRONZE
    SILVER
    GOLD
  }

  """Worth money at the till."""
  type LoyaltyVoucher {
    code: ID!
    points: Int!
    """Null when the other subgraph does not know it, or does not show it."""
    customer: Customer
  }

  type Customer @key(fields: "rawId") {
    rawId: ID!
    referenceNumber: String @external
    loyaltyTier: LoyaltyTier!
    loyaltyPoints: Int!
    """Follows from the reference number, which the other subgraph knows."""
    loyaltyCardNumber: String @requires(fields: "referenceNumber")
    """One for every thousand points."""
    loyaltyVouchers: [LoyaltyVoucher!]!
  }

  type Product @key(fields: "id") {
    id: ID!
    """What one piece earns its buyer."""
    bonusPoints: Int!
  }

  type Query {
    """The customers of these raw ids, the most loyal first; null for each that the other subgraph cannot answer for."""
    loyalCustomers(rawIds: [ID!]!): [Customer]!
    """All vouchers of the customers of these raw ids."""
    loyaltyVouchers(rawIds: [ID!]!): [LoyaltyVoucher!]!
  }
`;

interface Customer {
  readonly rawId: string;
  /** There when the gateway was asked for what requires it. */
  readonly referenceNumber?: string | null;
}

interface Product {
  readonly id: string;
}

/** A number that follows from an id: made-up data for any record, with no list to keep in step. */
const pointsOf = (id: string, limit: number): number => createHash('sha256').update(id).digest().readUInt32BE() % limit;

/** The most points that a customer has; a product earns a hundredth of it at most. */
const LIMIT = 5_000;

const customerPoints = ({ rawId }: Customer): number => pointsOf(rawId, LIMIT);

function tierOf(customer: Customer): string {
  const points = customerPoints(customer);
  if (points < 1_000) return 'BRONZE';
  return points < 3_000 ? 'SILVER' : 'GOLD';
}

const vouchersOf = (customer: Customer) =>
  Array.from({ length: Math.floor(customerPoints(customer) / 1_000) }, (_, index) => ({
    code: `${customer.rawId.slice(0, 8)}-${index + 1}`,
    points: 1_000,
    customer: { rawId: customer.rawId },
  }));

const customersOf = (rawIds: readonly string[]): Customer[] => [...new Set(rawIds)].map((rawId) => ({ rawId }));

const resolvers = {
  Query: {
    loyalCustomers: (_root: unknown, { rawIds }: { rawIds: readonly string[] }) =>
      customersOf(rawIds).sort((one, other) => customerPoints(other) - customerPoints(one)),
    loyaltyVouchers: (_root: unknown, { rawIds }: { rawIds: readonly string[] }) => customersOf(rawIds).flatMap(vouchersOf),
  },
  Customer: {
    loyaltyTier: tierOf,
    loyaltyPoints: customerPoints,
    loyaltyCardNumber: ({ referenceNumber }: Customer) => referenceNumber?.replace('C-', 'LOYAL-') ?? null,
    loyaltyVouchers: vouchersOf,
  },
  Product: {
    bonusPoints: ({ id }: Product) => pointsOf(id, LIMIT / 100),
  },
};

/** Serves the loyalty service at `/graphql`. Port 0 takes any free one. */
export function serveLoyalty(port: number): Promise<Listening> {
  const schema = buildSubgraphSchema([{ typeDefs: parse(SDL), resolvers }]);
  return listen(createServer(createYoga({ schema, graphiql: false, landingPage: false, logging: false })), port);
}
