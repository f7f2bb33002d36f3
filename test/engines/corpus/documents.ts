import { demoId } from '../../sandbox/sandbox.ts';
import { type Area, createCase, post } from './case.ts';

const ID = demoId('customer 0');
const NEEDS_ID = 'query ($id: ID!) { customer(id: $id) { title contact { lastName } } }';
const repeatSelection = (count: number, write: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_, index) => write(index)).join(' ')} }`;

type Document = readonly [title: string, query: string, variables?: object | undefined];

const SELECTIONS: readonly Document[] = [
  ['aliases', `{ a: customer(id: "${ID}") { x: title y: title } b: customer(id: "${ID}") { title } }`],
  ['fields that merge', `{ customer(id: "${ID}") { title } customer(id: "${ID}") { contact { lastName } contact { firstName } } }`],
  [
    'fragments',
    `query { customer(id: "${ID}") { ...A } } fragment A on Customer { title ...B } fragment B on Customer { contact { ...C } } fragment C on Contact { lastName }`,
  ],
  [
    'inline fragments',
    `{ customer(id: "${ID}") { ... { title } ... on Customer { contact { ... on Node { id } } } ... on Node { __typename } } }`,
  ],
  ['a fragment of another type', '{ customers(first: 1) { nodes { title ... on Node { ... on Contact { lastName } } } } }'],
  [
    'a union',
    '{ analyticsSql(sql: "SELECT") { __typename ... on AnalyticsQueryError { message issues { path } } ... on AnalyticsResult { status } } }',
  ],
  [
    'type names',
    '{ __typename viewer { __typename workspace { __typename } } customers(first: 1) { __typename nodes { __typename } pageInfo { __typename } } }',
  ],
  ['a name of the prototype', '{ __proto__: __typename constructor: __typename }'],
  [
    'lists in lists',
    '{ customers(first: 3) { nodes { title orders(first: 2) { nodes { referenceNumber lines { quantity product { name } } customer { title } } } } } }',
  ],
  [
    'both ends of an edge',
    '{ quotes: customers(first: 2) { edges { cursor node { quotes(first: 2) { edges { cursor node { customer { title } } } } } } } }',
  ],
  [
    'a list by time',
    '{ appointments(first: 3, scheduledBetween: { gte: "2026-02-20T00:00:00Z", lt: "2026-03-20T00:00:00Z" }) { nodes { startsAt agenda { name } } } }',
  ],
  [
    'a list by search text',
    '{ customers(first: 2, query: "a") { nodes { title } } products(query: "SKU", first: 2) { nodes { sku } } members(query: "a", first: 2) { nodes { displayName } } }',
  ],
  ['a list by filter', `{ customer(id: "${ID}") { quotes(first: 3, filter: { statuses: [CONCEPT] }) { nodes { status } } } }`],
  [
    'a list that is filtered and sorted in memory',
    `{ customer(id: "${ID}") { orders(first: 3, filter: { statuses: [OPEN, CANCELLED], totalOnce: { currencyCode: "EUR", minorUnits: { gte: "10000" } } }, orderBy: { field: TOTAL_ONCE }) { totalCount nodes { status totalOnce { amount } } } } }`,
  ],
  [
    'a list that is filtered by several statuses in memory',
    `{ customer(id: "${ID}") { payments(first: 3, filter: { statuses: [OPEN, PAID] }) { totalCount nodes { status } } } }`,
  ],
  ['raw IDs of a type', `{ nodes(ids: ["${ID}", "x"], nodeType: CUSTOMER) { __typename id ... on Customer { title } } }`],
  ['an empty page', '{ customers(first: 0) { nodes { title } pageInfo { hasNextPage endCursor } } }'],
  ['an error alongside data', '{ contacts(first: 1) { nodes { lastName } } a: customers(first: -1) { nodes { title } } }'],
  ['an error below a list', '{ customers(first: 2) { nodes { title quotes(first: -1) { nodes { status } } } } }'],
  ['two errors', '{ a: customers(first: -1) { nodes { title } } b: contacts(first: 1, after: "x") { nodes { lastName } } }'],
  [
    'custom fields',
    `{ customer(id: "${ID}") { budget: customField(name: "budget") { name value text money { amount currencyCode } } none: customField(name: "nothing") { name } } }`,
  ],
  [
    'a lookup by identifiers',
    '{ customersByIdentifier(by: { referenceNumber: "C-000001" }) { title } none: customersByIdentifier(by: { email: "absent@example.com" }) { title } }',
  ],
];

const CONDITIONS: readonly Document[] = [true, false, undefined]
  .flatMap((a): Document[] => [
    ['@include', 'query ($a: Boolean = true) { contacts(first: 1) @include(if: $a) { nodes { lastName } } __typename }', { a }],
    ['@skip', 'query ($a: Boolean = false) { contacts(first: 1) { nodes { lastName @skip(if: $a) rawId } } }', { a }],
    [
      'both',
      'query ($a: Boolean = true) { ...F @include(if: $a) ...F @skip(if: $a) } fragment F on Query { viewer { apiKey { rawId } } }',
      { a },
    ],
    ['a required condition', 'query ($a: Boolean!) { __typename @include(if: $a) @skip(if: $a) }', { a }],
  ])
  .map(([title, query, variables]) => [`${title}: ${JSON.stringify(variables)}`, query, variables]);

const FIRST = 'query ($first: Int = 2) { customers(first: $first) { nodes { title } } }';
const SORTED = `query ($filter: OrderFilterInput, $field: OrderSortField = UPDATED_AT, $direction: SortDirection) {
  customer(id: "${ID}") { orders(first: 2, filter: $filter, orderBy: { field: $field, direction: $direction }) { totalCount nodes { updatedAt } } } }`;
const BY = 'query ($by: CustomerByInput!) { customersByIdentifier(by: $by) { title } }';
const IDS = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
const TYPE = `query ($nodeType: NodeType) { nodes(ids: ["${ID}"], nodeType: $nodeType) { id } }`;

/** A nullable variable with a default is allowed where null isn't, and can then be null. */
const NULLS: readonly Document[] = [
  ['null for a required argument', `query ($v: ID = "${ID}") { customer(id: $v) { title } companyProfile { city } }`, { v: null }],
  ['null within a list literal', `query ($v: ID = "x") { nodes(ids: ["Q3VzdG9tZXI6eA", $v]) { id } }`, { v: null }],
  [
    'null within an object literal',
    'query ($v: DateTime = "2026-03-20T00:00:00Z") { appointments(first: 1, scheduledBetween: { gte: "2026-02-20T00:00:00Z", lt: $v }) { nodes { startsAt } } }',
    { v: null },
  ],
  [
    'null for the only field of an input object',
    'query ($v: String = "a@example.com") { customersByIdentifier(by: { email: $v }) { title } companyProfile { city } }',
    { v: null },
  ],
  [
    'null for a condition',
    `query ($v: Boolean = true) { customer(id: "${ID}") { title email @include(if: $v) } companyProfile { city } }`,
    { v: null },
  ],
  ['null for a condition of a root field', `query ($v: Boolean = true) { customer(id: "${ID}") @skip(if: $v) { title } }`, { v: null }],
  [
    'null for an argument of introspection',
    'query ($v: String = "Customer") { __type(name: $v) { name } companyProfile { city } }',
    { v: null },
  ],
  [
    'a missing variable within an object literal',
    `query ($v: WorkOrderStatus) { customer(id: "${ID}") { workOrders(first: 1, filter: { status: $v }) { nodes { status } } } }`,
  ],
  [
    'a variable within a scalar',
    'query ($v: ID!) { _entities(representations: [{ __typename: "Customer", rawId: $v }]) { ... on Customer { title } } }',
    { v: ID },
  ],
  [
    'a variable that contradicts its scalar',
    `query ($v: ID!) { _entities(representations: [{ __typename: "Customer", rawId: "${ID}", id: $v }]) { ... on Customer { title } } }`,
    { v: 'Q3VzdG9tZXI6eA' },
  ],
];

const VARIABLES: readonly Document[] = [
  ['a default', FIRST],
  ['null instead of a default', FIRST, { first: null }],
  ['a value', FIRST, { first: 1 }],
  ['a number as a string', FIRST, { first: '1' }],
  ['a fraction', FIRST, { first: 1.5 }],
  ['a number beyond 32 bits', FIRST, { first: 2 ** 31 }],
  ['a negative number', FIRST, { first: -1 }],
  ['too large a page', FIRST, { first: 101 }],
  ['a missing variable', NEEDS_ID],
  ['null for a required variable', NEEDS_ID, { id: null }],
  ['an object for an ID', NEEDS_ID, { id: { a: 1 } }],
  ['a number for an ID', NEEDS_ID, { id: 5 }],
  ['a blank ID', NEEDS_ID, { id: ' ' }],
  ['the ID of another type', NEEDS_ID, { id: 'V29ya3NwYWNlOng' }],
  ['an unknown variable', NEEDS_ID, { id: ID, more: 1 }],
  ['an input object', BY, { by: { referenceNumber: 'C-000002' } }],
  ['an input object with an unknown field', BY, { by: { referenceNumber: 'x', more: 1 } }],
  ['an input object with two fields', BY, { by: { referenceNumber: 'x', email: 'x@example.com' } }],
  ['an empty input object', BY, { by: {} }],
  ['a nested enum without a value, which has a default', SORTED.replace('SortDirection)', 'SortDirection! = ASC)')],
  [
    'nested enums and an input object',
    SORTED.replace('SortDirection)', 'SortDirection!)'),
    { field: 'TOTAL_ONCE', direction: 'DESC', filter: { statuses: 'OPEN', createdAt: { gte: '2025-06-01T00:00:00Z' } } },
  ],
  ['null for a nested enum that has a default', SORTED.replace('SortDirection)', 'SortDirection = ASC)'), { direction: null }],
  ['a nested enum with an unknown value', SORTED.replace('SortDirection)', 'SortDirection!)'), { direction: 'UP' }],
  [
    'an invalid condition',
    SORTED.replace('SortDirection)', 'SortDirection! = ASC)'),
    { filter: { totalOnce: { currencyCode: 'EUR', minorUnits: { gte: '2', lt: '1' } } } },
  ],
  ['a list', IDS, { ids: ['Q3VzdG9tZXI6eA'] }],
  ['one value for a list', IDS, { ids: 'Q3VzdG9tZXI6eA' }],
  ['null in a list', IDS, { ids: [null] }],
  ['too long a list', IDS, { ids: Array(101).fill('Q3VzdG9tZXI6eA') }],
  ['an enum that stands for another value', TYPE, { nodeType: 'CUSTOMER' }],
  ['the value that an enum stands for', TYPE, { nodeType: 'Customer' }],
  [
    'an enum',
    'query ($s: WorkOrderStatus) { customers(first: 1) { nodes { workOrders(first: 1, filter: { status: $s }) { nodes { status } } } } }',
    { s: 'OPEN' },
  ],
  [
    'an unknown enum value',
    'query ($s: WorkOrderStatus) { customers(first: 1) { nodes { workOrders(first: 1, filter: { status: $s }) { nodes { status } } } } }',
    { s: 'NOTHING' },
  ],
  [
    'an invalid date',
    'query ($to: DateTime!) { appointments(first: 1, scheduledBetween: { gte: $to, lt: $to }) { nodes { startsAt } } }',
    { to: 'tomorrow' },
  ],
  ...NULLS,
  [
    'nested input',
    'mutation ($input: CustomerCustomFieldsUpdateInput!) { customerCustomFieldsUpdate(input: $input) { __typename ... on MutationError { code message } } }',
    { input: { customerId: ID, customFields: [{ name: 'budget', value: { text: 'x', number: 5 } }] } },
  ],
];

const REFUSED: readonly Document[] = [
  ['a syntax error', '{'],
  ['an unknown character', '{ a ? }'],
  ['an unknown field', '{ custmers { nodes { id } } }'],
  ['an unknown argument', '{ customers(frist: 1) { nodes { id } } }'],
  ['an argument of another type', '{ customers(first: "1") { nodes { id } } }'],
  ['a missing argument', '{ customer { title } }'],
  ['a missing selection', '{ viewer }'],
  ['an unknown fragment', '{ ...Nothing }'],
  ['a fragment cycle', '{ ...A } fragment A on Query { ...A }'],
  ['an unused fragment', '{ __typename } fragment A on Query { __typename }'],
  ['an unused variable', 'query ($a: Int) { __typename }'],
  ['an undeclared variable', '{ customers(first: $a) { nodes { id } } }'],
  ['an unknown type of a variable', 'query ($id: Nope!) { customer(id: $id) { title } }'],
  ['an unknown directive', '{ __typename @nothing }'],
  ['fields that conflict', '{ a: __typename a: viewer { __typename } }'],
  ['too long a document', `{ __typename } #${'x'.repeat(100_000)}`],
  ['too deep a document', `${'{ a '.repeat(101)}${'}'.repeat(101)}`],
  ['too many tokens', repeatSelection(10_001, () => 'a')],
  ['too many aliases', repeatSelection(251, (index) => `a${index}: __typename`)],
  ['too many directives', repeatSelection(251, () => '__typename @skip(if: false)')],
  ['introspection alongside the SDL', '{ __schema { queryType { name } } _service { sdl } }'],
  ['too high a cost', '{ customers(first: 100) { nodes { quotes(first: 100) { nodes { lines { product { name } } } } } } }'],
  ['too many analytics fields', repeatSelection(9, (index) => `a${index}: analyticsSql(sql: "SELECT") { __typename }`)],
  ['more calls than an operation allows', repeatSelection(240, (index) => `a${index}: contact(id: "${index}") { lastName }`)],
  ['a prototype in a literal', '{ _entities(representations: [{ __proto__: 1 }]) { __typename } }'],
  ['a representation without a type', '{ _entities(representations: [{ id: "x" }]) { __typename } }'],
];

const INTROSPECTION: readonly Document[] = [
  ['a type', '{ __type(name: "Customer") { name kind description fields { name isDeprecated type { kind name } } interfaces { name } } }'],
  ['an enum', '{ __type(name: "QuoteStatus") { name enumValues(includeDeprecated: true) { name description } } }'],
  ['an input', '{ __type(name: "CustomerCreateInput") { inputFields { name type { kind name ofType { name } } defaultValue } } }'],
  ['no type', '{ __type(name: "Nothing") { name } }'],
  [
    'directives',
    '{ __schema { queryType { name } mutationType { name } subscriptionType { name } directives { name locations isRepeatable args { name } } } }',
  ],
  ['alongside data', '{ __schema { queryType { name } } contacts(first: 1) { nodes { lastName } } }'],
  ['all types', '{ __schema { types { name kind } } }'],
];

const DEFERRED: readonly Document[] = [
  ['@defer', '{ contacts(first: 1) { __typename ... @defer { nodes { lastName } } } }'],
  [
    '@defer with a label',
    `query ($id: ID!) { customer(id: $id) { title ... @defer(label: "later") { contact { lastName } } } }`,
    { id: ID },
  ],
  ['@defer that is switched off', '{ contacts(first: 1) { ... @defer(if: false) { nodes { lastName } } } }'],
  ['@defer of an error', '{ __typename ... @defer { customers(first: -1) { nodes { title } } } }'],
  ['@stream', '{ contacts(first: 2) { nodes @stream(initialCount: 1) { lastName } } }'],
  ['incremental directives in a comment', '{ contacts(first: 1) { nodes { lastName } } } # defer, stream'],
];

const createCases = (group: string, documents: readonly Document[]) =>
  documents.map(([title, query, variables]) => createCase(`${group}: ${title}`, post(query, variables)));

/** Requests of clients that treat an error status as a response without data. */
const GRAPHQL_RESPONSE = { accept: 'application/graphql-response+json' };
const statusCases = [...VARIABLES, ...REFUSED].map(([title, query, variables]) =>
  createCase(`graphql-response+json: ${title}`, post(query, variables, 'demo-owner', GRAPHQL_RESPONSE)),
);
const parts = DEFERRED.flatMap(([title, query, variables]) =>
  ['multipart/mixed', 'application/json'].map((accept) =>
    createCase(`${title} as ${accept}`, post(query, variables, 'demo-owner', { accept })),
  ),
);

export const documents: Area = {
  name: 'documents',
  cases: [
    ...createCases('selection', SELECTIONS),
    ...createCases('condition', CONDITIONS),
    ...createCases('variable', VARIABLES),
    ...createCases('refused', REFUSED),
    ...createCases('introspection', INTROSPECTION),
    ...statusCases,
    ...parts,
  ],
};
