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

  """A voucher that the customer can redeem at checkout."""
  type LoyaltyVoucher {
    code: ID!
    points: Int!
    """Null if the other subgraph doesn’t return the customer."""
    customer: Customer
  }

  type Customer @key(fields: "rawId") {
    rawId: ID!
    referenceNumber: String @external
    loyaltyTier: LoyaltyTier!
    loyaltyPoints: Int!
    """Derived from the reference number, which the other subgraph resolves."""
    loyaltyCardNumber: String @requires(fields: "referenceNumber")
    """One voucher per thousand points."""
    loyaltyVouchers: [LoyaltyVoucher!]!
  }

  type Product @key(fields: "id") {
    id: ID!
    """Points that a customer earns per unit."""
    bonusPoints: Int!
  }

  type Query {
    """Customers by raw ID, most points first. Null for each that the other subgraph doesn’t return."""
    loyalCustomers(rawIds: [ID!]!): [Customer]!
    """All vouchers of the customers with these raw IDs."""
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
