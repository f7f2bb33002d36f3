import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { type ListeningServer, listen } from './listen.ts';

/** This service identifies customers by raw ID, which exports and webhooks contain, and products by the graph's ID. */
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
  /** Set if the gateway requests a field that requires it. */
  readonly referenceNumber?: string | null;
}

interface Product {
  readonly id: string;
}

/** A number derived from an ID: demo data for any record, without a list to maintain. */
const derivePoints = (id: string, limit: number): number => createHash('sha256').update(id).digest().readUInt32BE() % limit;

/** Maximum points of a customer. A product earns at most a hundredth of that. */
const LIMIT = 5_000;

const getCustomerPoints = ({ rawId }: Customer): number => derivePoints(rawId, LIMIT);

function getTier(customer: Customer): string {
  const points = getCustomerPoints(customer);
  if (points < 1_000) return 'BRONZE';
  return points < 3_000 ? 'SILVER' : 'GOLD';
}

const listVouchers = (customer: Customer) =>
  Array.from({ length: Math.floor(getCustomerPoints(customer) / 1_000) }, (_, index) => ({
    code: `${customer.rawId.slice(0, 8)}-${index + 1}`,
    points: 1_000,
    customer: { rawId: customer.rawId },
  }));

const listCustomers = (rawIds: readonly string[]): Customer[] => [...new Set(rawIds)].map((rawId) => ({ rawId }));

const resolvers = {
  Query: {
    loyalCustomers: (_root: unknown, { rawIds }: { rawIds: readonly string[] }) =>
      listCustomers(rawIds).sort((one, other) => getCustomerPoints(other) - getCustomerPoints(one)),
    loyaltyVouchers: (_root: unknown, { rawIds }: { rawIds: readonly string[] }) => listCustomers(rawIds).flatMap(listVouchers),
  },
  Customer: {
    loyaltyTier: getTier,
    loyaltyPoints: getCustomerPoints,
    loyaltyCardNumber: ({ referenceNumber }: Customer) => referenceNumber?.replace('C-', 'LOYAL-') ?? null,
    loyaltyVouchers: listVouchers,
  },
  Product: {
    bonusPoints: ({ id }: Product) => derivePoints(id, LIMIT / 100),
  },
};

/** Serves the loyalty service at `/graphql`. Port 0 selects a free port. */
export function serveLoyalty(port: number): Promise<ListeningServer> {
  const schema = buildSubgraphSchema([{ typeDefs: parse(SDL), resolvers }]);
  return listen(createServer(createYoga({ schema, graphiql: false, landingPage: false, logging: false })), port);
}
