import { describe, expect, it } from 'vitest';
import type { Subgraph } from '../../../examples/supergraph/compose.ts';
import { createGraph } from '../../../src/graph.ts';
import { DEFAULT_SUBGRAPH } from '../../../src/subgraph/options.ts';
import { listBlocks } from '../../support/codeBlocks.ts';
import { APOLLO, GUILD } from './composers.ts';

const LINK = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9"
  import: ["@key", "@external", "@interfaceObject", "@override", "@provides", "@requires", "@shareable"]
)
`;

const { sdl: OURS } = createGraph();

/** The graph's subgraph and another one. */
const subgraphs = (partner: string, ours = OURS): Subgraph[] => [
  { name: 'workspace', url: 'http://127.0.0.1/workspace', sdl: ours },
  { name: 'partner', url: 'http://127.0.0.1/partner', sdl: LINK + partner },
];

/** Keys by which another subgraph can reference an entity of the graph. */
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

/** A value type of the graph in another subgraph: identical, and different. */
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

  // One requires a field of the graph. The other has its own Order with other IDs, which no composer can detect.
  ...Object.fromEntries(listBlocks('type of another subgraph').map(([place, { text }]) => [`contains ${place}`, text])),

  'references a customer by ID only': `
    type Customer @key(fields: "rawId", resolvable: false) { rawId: ID! }
    type Ticket @key(fields: "id") { id: ID! customer: Customer }
    type Query { tickets: [Ticket!]! }`,

  'requires a field of a value type of the graph': `
    scalar Int64
    type Money { minorUnits: Int64! @external }
    type Quote @key(fields: "id") {
      id: ID!
      totalOnce: Money @external
      commission: String @requires(fields: "totalOnce { minorUnits }")
    }`,

  'overrides a field of the graph': 'type Customer @key(fields: "id") { id: ID! title: String @override(from: "workspace") }',

  'has its own node and nodes': RELAY,

  'has the same Money': MONEY,

  'has mutations with the same error types': `
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

  'declares entities of the graph as nodes': `
    interface Node { id: ID! }
    type Customer implements Node @key(fields: "id") { id: ID! note: String }
    type Query { starred: [Node!]! }`,

  'adds a field to all entities through Node': `
    type Node @key(fields: "id") @interfaceObject { id: ID! note: String }
    type Query { ticketCount: Int }`,

  'has an interface that entities of the graph implement': `
    interface Noted { note: String }
    type Customer implements Noted @key(fields: "rawId") { rawId: ID! note: String }
    type Order implements Noted @key(fields: "rawId") { rawId: ID! note: String }
    type Query { noted: [Noted!]! }`,

  'has a union of entities of both subgraphs': `
    type Customer @key(fields: "rawId") { rawId: ID! }
    type Quote @key(fields: "id") { id: ID! }
    type Ticket { number: Int! }
    union Subject = Customer | Quote | Ticket
    type Query { subjects: [Subject!]! }`,

  'has its own mutations, and scalars with the same names': `
    scalar DateTime
    scalar JSON
    type Ticket { openedAt: DateTime! details: JSON }
    type Query { tickets: [Ticket!]! }
    type Mutation { ticketOpen(at: DateTime): Ticket }`,
};

describe.each(Object.entries(PARTNERS))('subgraph that %s', (_name, sdl) => {
  it.each([APOLLO, GUILD])('composes in $name', ({ compose }) => {
    const { supergraphSdl, messages, warnings } = compose(subgraphs(sdl));
    expect(messages).toEqual([]);
    expect(warnings).toEqual([]);
    expect(supergraphSdl).toContain('@join__graph(name: "partner"');
  });
});

describe('graph with node and nodes', () => {
  const ours = createGraph({ ...DEFAULT_SUBGRAPH, hasNode: true }).sdl;

  it.each([APOLLO, GUILD])('doesn’t compose in $name with another subgraph that has both fields', ({ compose }) => {
    expect(compose(subgraphs(RELAY, ours)).codes).toEqual(['INVALID_FIELD_SHARING']);
  });
});

describe('graph with a type prefix', () => {
  const ours = createGraph({ ...DEFAULT_SUBGRAPH, typePrefix: 'Workspace' }).sdl;

  it.each([APOLLO, GUILD])('composes in $name with another subgraph that has its own Money', ({ compose }) => {
    expect(compose(subgraphs(OTHER_MONEY, ours)).messages).toEqual([]);
  });
});

describe('graph with @requiresScopes', () => {
  const ours = createGraph({ ...DEFAULT_SUBGRAPH, hasRequiresScopes: true }).sdl;

  it.each([APOLLO, GUILD])('composes in $name', ({ compose }) => {
    const { messages, supergraphSdl } = compose(subgraphs('type Query { tickets: Int }', ours));
    expect(messages).toEqual([]);
    expect(supergraphSdl).toContain('@requiresScopes(scopes: [["customer:read"]])');
  });
});

describe('second copy of the graph', () => {
  const other = createGraph({ ...DEFAULT_SUBGRAPH, typePrefix: 'Other' }).sdl;

  it.each([APOLLO, GUILD])('doesn’t compose in $name with any prefix, because both copies own the entities', ({ compose }) => {
    expect(compose(subgraphs('', OURS).with(1, { name: 'other', url: 'http://127.0.0.1/other', sdl: other })).codes).toContain(
      'INVALID_FIELD_SHARING',
    );
  });
});

describe('subgraph that requires only the nodes of a connection', () => {
  const partner = `
    type Order @key(fields: "rawId") {
      rawId: ID!
      refunds(first: Int, after: String, last: Int, before: String): RefundConnection @external
      hasRefund: Boolean @requires(fields: "refunds(first: 1) { nodes { id } }")
    }
    type RefundConnection { nodes: [Refund!]! @external }
    type Refund { id: ID! @external }`;

  // If this fails, Apollo has fixed it: remove the paragraph about it from docs/supergraph.md.
  it('crashes Apollo’s composer', () => {
    expect(() => APOLLO.compose(subgraphs(partner))).toThrow('Sized field "edges" is not a field on type "RefundConnection"');
  });

  it('composes in The Guild’s composer', () => {
    expect(GUILD.compose(subgraphs(partner)).messages).toEqual([]);
  });
});

/** Subgraphs that don't compose, with the error codes of Apollo's and The Guild's composers. No codes if that composer accepts the subgraph. */
const REFUSED: Readonly<Record<string, readonly [sdl: string, apollo: readonly string[], guild: readonly string[]]>> = {
  'has a PageInfo that isn’t @shareable': [
    'type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String } type Query { page: PageInfo }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has a root field of the graph': [
    'type Customer @key(fields: "id") { id: ID! } type Query { customer(id: ID!): Customer }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has a Money with fewer fields': [OTHER_MONEY, ['SATISFIABILITY_ERROR'], ['SATISFIABILITY_ERROR']],
  'has a Money that isn’t @shareable': [MONEY.replace('@shareable', ''), ['INVALID_FIELD_SHARING'], ['INVALID_FIELD_SHARING']],
  'has its own Order with a field of the graph’s Order': [
    'scalar DateTime type Order @key(fields: "id") { id: ID! createdAt: DateTime } type Query { shopOrder: Order }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has its own Order without a key': [
    'type Order { id: ID! note: String } type Query { shopOrder: Order }',
    ['INVALID_FIELD_SHARING'],
    ['INVALID_FIELD_SHARING'],
  ],
  'has its own Order with a numeric ID': [
    'type Order @key(fields: "id") { id: Int! note: String } type Query { shopOrder: Order }',
    ['FIELD_TYPE_MISMATCH'],
    ['FIELD_TYPE_MISMATCH'],
  ],
  'has its own Order with another key': [
    'type Order @key(fields: "number") { number: Int! note: String } type Query { shopOrder: Order }',
    ['SATISFIABILITY_ERROR'],
    ['SATISFIABILITY_ERROR'],
  ],
  '@provides a field that isn’t @shareable in the graph': [
    `type Customer @key(fields: "id") { id: ID! title: String @external }
     type Ticket { customer: Customer @provides(fields: "title") }
     type Query { tickets: [Ticket!]! }`,
    ['INVALID_FIELD_SHARING'],
    [],
  ],
  'returns Node as an @interfaceObject': [
    'type Node @key(fields: "id") @interfaceObject { id: ID! note: String } type Query { noted: [Node!]! }',
    ['SATISFIABILITY_ERROR'],
    ['SATISFIABILITY_ERROR'],
  ],
};

describe.each(Object.entries(REFUSED))('subgraph that %s', (_name, [sdl, apollo, guild]) => {
  it.each([
    { ...APOLLO, codes: apollo },
    { ...GUILD, codes: guild },
  ])('causes errors in $name: $codes', ({ compose, codes }) => {
    expect(compose(subgraphs(sdl)).codes).toEqual(codes);
  });
});
