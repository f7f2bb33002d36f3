import { describe, expect, it } from 'vitest';
import type { Subgraph } from '../../../examples/supergraph/compose.ts';
import { createGraph } from '../../../src/graph.ts';
import { DEFAULT_SUBGRAPH } from '../../../src/subgraph/options.ts';
import { APOLLO, GUILD } from './composers.ts';

const LINK = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9"
  import: ["@key", "@external", "@interfaceObject", "@override", "@provides", "@requires", "@shareable"]
)
`;

const { sdl: OURS } = createGraph();

/** Ours with another subgraph. */
const subgraphs = (partner: string, ours = OURS): Subgraph[] => [
  { name: 'workspace', url: 'http://127.0.0.1/workspace', sdl: ours },
  { name: 'partner', url: 'http://127.0.0.1/partner', sdl: LINK + partner },
];

/** Keys by which another subgraph may refer to an entity of the graph. */
const KEYS = {
  'by id': { keys: '@key(fields: "id")', fields: 'id: ID!' },
  'by rawId': { keys: '@key(fields: "rawId")', fields: 'rawId: ID!' },
  'by either': { keys: '@key(fields: "id") @key(fields: "rawId")', fields: 'id: ID! rawId: ID!' },
  'by both together': { keys: '@key(fields: "id rawId")', fields: 'id: ID! rawId: ID!' },
};

const extensions = ['Customer', 'Product', 'Quote', 'Order'].flatMap((type) =>
  Object.entries(KEYS).map(
    ([how, { keys, fields }]) =>
      [`extends ${type} ${how}`, `type ${type} ${keys} { ${fields} note: String } type Query { noted: [${type}] }`] as const,
  ),
);

const RELAY = `
  interface Node { id: ID! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Ticket implements Node @key(fields: "id") { id: ID! customer: Customer! }
  type TicketEdge { node: Ticket cursor: String! }
  type TicketConnection { edges: [TicketEdge] pageInfo: PageInfo! }
  type Customer @key(fields: "rawId") { rawId: ID! tickets(first: Int, after: String): TicketConnection! }
  type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! tickets(first: Int, after: String): TicketConnection! }`;

/** A value of ours in another subgraph: the same, and another. */
const MONEY = `
  scalar CurrencyCode
  scalar Decimal
  scalar Int64
  type Money @shareable { amount: Decimal! currencyCode: CurrencyCode! minorUnits: Int64! }
  type Query { price: Money }`;
const OTHER_MONEY = 'scalar CurrencyCode type Money @shareable { currencyCode: CurrencyCode! } type Query { price: Money }';

/** Subgraphs that compose with the graph. */
const PARTNERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(extensions),

  'refers to a customer that it knows nothing more of': `
    type Customer @key(fields: "rawId", resolvable: false) { rawId: ID! }
    type Ticket @key(fields: "id") { id: ID! customer: Customer }
    type Query { tickets: [Ticket!]! }`,

  'requires a field of ours': `
    type Customer @key(fields: "rawId") {
      rawId: ID!
      referenceNumber: String @external
      cardNumber: String @requires(fields: "referenceNumber")
    }`,

  'requires a field within a value of ours': `
    scalar Int64
    type Money { minorUnits: Int64! @external }
    type Quote @key(fields: "id") {
      id: ID!
      totalOnce: Money @external
      commission: String @requires(fields: "totalOnce { minorUnits }")
    }`,

  'takes a field of ours over': 'type Customer @key(fields: "id") { id: ID! title: String @override(from: "workspace") }',

  'is a Relay graph itself, with its own node and nodes': RELAY,

  'has a Money as ours': MONEY,

  'has mutations that fail as ours do': `
    enum RetryAdvice { NEVER SAFE SAME_KEY CHECK_FIRST }
    enum ErrorCode { BAD_USER_INPUT }
    enum ValidationIssueCode { BLANK OTHER }
    interface MutationError { message: String! code: ErrorCode! retry: RetryAdvice! }
    type ValidationIssue @shareable { path: [String!]! code: ValidationIssueCode! limit: Int message: String! }
    type ValidationError implements MutationError @shareable {
      message: String! code: ErrorCode! retry: RetryAdvice! issues: [ValidationIssue!]!
    }
    type Ticket { number: Int! }
    union TicketOpenResult = Ticket | ValidationError
    type Query { tickets: [Ticket!]! }
    type Mutation { ticketOpen: TicketOpenResult }`,

  // Nothing tells a composer that these are other orders: see docs/supergraph.md.
  'has an Order of its own with another value space for its id': `
    type Order @key(fields: "id") { id: ID! note: String }
    type Query { shopOrder(id: ID!): Order }`,

  'calls our entities nodes as we do': `
    interface Node { id: ID! }
    type Customer implements Node @key(fields: "id") { id: ID! note: String }
    type Query { starred: [Node!]! }`,

  'has an interface that our entities implement': `
    interface Noted { note: String }
    type Customer implements Noted @key(fields: "rawId") { rawId: ID! note: String }
    type Order implements Noted @key(fields: "rawId") { rawId: ID! note: String }
    type Query { noted: [Noted!]! }`,

  'has a union of our entities and its own': `
    type Customer @key(fields: "rawId") { rawId: ID! }
    type Quote @key(fields: "id") { id: ID! }
    type Ticket { number: Int! }
    union Subject = Customer | Quote | Ticket
    type Query { subjects: [Subject!]! }`,

  'has mutations of its own, and scalars that are called as ours': `
    scalar DateTime
    scalar JSON
    type Ticket { openedAt: DateTime! details: JSON }
    type Query { tickets: [Ticket!]! }
    type Mutation { ticketOpen(at: DateTime): Ticket }`,
};

describe.each(Object.entries(PARTNERS))('a subgraph that %s', (_name, sdl) => {
  it.each([APOLLO, GUILD])('composes with ours by $name', ({ compose }) => {
    const { supergraphSdl, messages, warnings } = compose(subgraphs(sdl));
    expect(messages).toEqual([]);
    expect(warnings).toEqual([]);
    expect(supergraphSdl).toContain('@join__graph(name: "partner"');
  });
});

describe('our subgraph with node and nodes', () => {
  const ours = createGraph({ ...DEFAULT_SUBGRAPH, hasNode: true }).sdl;

  it.each([APOLLO, GUILD])('does not compose by $name with another that has them', ({ compose }) => {
    expect(compose(subgraphs(RELAY, ours)).codes).toEqual(['INVALID_FIELD_SHARING']);
  });
});

describe('our subgraph with a prefix before its types', () => {
  const ours = createGraph({ ...DEFAULT_SUBGRAPH, typePrefix: 'Workspace' }).sdl;

  it.each([APOLLO, GUILD])('composes by $name with another that has a Money of its own', ({ compose }) => {
    expect(compose(subgraphs(OTHER_MONEY, ours)).messages).toEqual([]);
  });

  it.each([APOLLO, GUILD])(
    'composes by $name with another that has an error, an enum and a connection of the same names',
    ({ compose }) => {
      const partner = `type ValidationError { text: String } enum QuoteStatus { GOOD BAD } type CustomerConnection { all: [String] }
      type Query { failure(is: QuoteStatus): ValidationError page: CustomerConnection }`;
      expect(compose(subgraphs(partner, ours)).messages).toEqual([]);
      expect(compose(subgraphs(partner)).messages.length).toBeGreaterThan(0);
    },
  );
});

describe('our subgraph with @requiresScopes', () => {
  const ours = createGraph({ ...DEFAULT_SUBGRAPH, hasRequiresScopes: true }).sdl;

  it.each([APOLLO, GUILD])('composes by $name', ({ compose }) => {
    const { messages, supergraphSdl } = compose(subgraphs('type Query { tickets: Int }', ours));
    expect(messages).toEqual([]);
    expect(supergraphSdl).toContain('@requiresScopes(scopes: [["customer:read"]])');
  });
});

describe('our subgraph a second time', () => {
  const other = createGraph({ ...DEFAULT_SUBGRAPH, typePrefix: 'Other' }).sdl;

  it.each([APOLLO, GUILD])('does not compose by $name, whatever the prefix: both own the entities', ({ compose }) => {
    expect(compose(subgraphs('', OURS).with(1, { name: 'other', url: 'http://127.0.0.1/other', sdl: other })).codes).toContain(
      'INVALID_FIELD_SHARING',
    );
  });
});

/** Subgraphs that do not compose, with the error codes of Apollo’s composer and The Guild’s; no codes where that composer accepts them. */
const REFUSED: Readonly<Record<string, readonly [sdl: string, apollo: readonly string[], guild: readonly string[]]>> = {
  'has a PageInfo that it does not share': [
    'type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String } type Query { page: PageInfo }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has a root field of ours': [
    'type Customer @key(fields: "id") { id: ID! } type Query { customer(id: ID!): Customer }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has a Money with fewer fields than ours, which we cannot fill in': [OTHER_MONEY, ['SATISFIABILITY_ERROR'], ['SATISFIABILITY_ERROR']],
  'has a Money that it does not share': [MONEY.replace('@shareable', ''), ['INVALID_FIELD_SHARING'], ['INVALID_FIELD_SHARING']],
  'has an Order of its own with a field of ours': [
    'scalar DateTime type Order @key(fields: "id") { id: ID! createdAt: DateTime } type Query { shopOrder: Order }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has an Order of its own without a key': [
    'type Order { id: ID! note: String } type Query { shopOrder: Order }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has an Order of its own with a number as its id': [
    'type Order @key(fields: "id") { id: Int! note: String } type Query { shopOrder: Order }',
    ['FIELD_TYPE_MISMATCH'],
    ['FIELD_TYPE_MISMATCH'],
  ],
  'has an Order of its own with another key': [
    'type Order @key(fields: "number") { number: Int! note: String } type Query { shopOrder: Order }',
    ['SATISFIABILITY_ERROR'],
    ['SATISFIABILITY_ERROR'],
  ],
  'provides a field of ours on the way, since ours is not shared': [
    `type Customer @key(fields: "id") { id: ID! title: String @external }
     type Ticket { customer: Customer @provides(fields: "title") }
     type Query { tickets: [Ticket!]! }`,
    ['INVALID_FIELD_SHARING'],
    [],
  ],
  'adds a field to all nodes at once, since our Node has no key': [
    'type Node @key(fields: "id") @interfaceObject { id: ID! note: String } type Query { noted: [Node!]! }',
    ['SATISFIABILITY_ERROR'],
    ['SATISFIABILITY_ERROR'],
  ],
};

describe.each(Object.entries(REFUSED))('a subgraph that %s', (_name, [sdl, apollo, guild]) => {
  it.each([
    { ...APOLLO, codes: apollo },
    { ...GUILD, codes: guild },
  ])('is told by $name: $codes', ({ compose, codes }) => {
    expect(compose(subgraphs(sdl)).codes).toEqual(codes);
  });
});
