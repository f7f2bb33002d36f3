import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Area, type Case, createCase, post } from './case.ts';

type Document = readonly [title: string, query: string, variables?: object];

const PAGE =
  'edges { cursor node { id status referenceNumber createdAt } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } isTruncated';
const COUNTS = 'totalCount facets { byStatus { status statusText count } byCurrency { currencyCode count } }';

const CUSTOMER = toGlobalId('Customer', demoId('customer 0'));

const DOCUMENTS: readonly Document[] = [
  ['a page from the index', `{ orderSearch(first: 3) { ${PAGE} } }`],
  ['a page of records', '{ orderSearch(first: 3) { nodes { referenceNumber paid { amount currencyCode } lines { quantity } } } }'],
  ['references', '{ orderSearch(first: 3) { nodes { customer { id title } quote { rawId } } } }'],
  ['only counts', `{ orderSearch { ${COUNTS} } }`],
  ['a page with counts', `{ orderSearch(first: 2) { nodes { status } ${COUNTS} } }`],
  ['only a type name', '{ orderSearch { __typename } }'],
  ['the last page', `{ orderSearch(last: 2) { ${PAGE} } }`],
  ['an empty page', `{ orderSearch(first: 0) { ${PAGE} } }`],
  [
    'a filter in variables',
    'query ($filter: OrderSearchFilterInput) { orderSearch(first: 3, filter: $filter) { totalCount nodes { status } } }',
    { filter: { or: [{ statuses: ['CANCELLED'] }, { customerIds: [CUSTOMER], createdAt: { gte: '2025-01-01T00:00:00Z' } }] } },
  ],
  [
    'a filter over relationships',
    '{ paymentSearch(first: 2, filter: { order: { customer: { title: { contains: "heat" } } } }) { totalCount nodes { provider amount { amount } } } }',
  ],
  [
    'a text',
    '{ quoteSearch(query: "Q-0001", first: 3, orderBy: { field: UPDATED_AT, direction: ASC }) { nodes { referenceNumber version } } }',
  ],
  ['values first', '{ orderSearch(first: 14, orderBy: { field: CANCELLED_AT }) { nodes { cancelledAt } } }'],
  ['an order by status', '{ problemSearch(first: 6, orderBy: { field: STATUS, direction: ASC }) { nodes { status title } } }'],
  ['the viewer', '{ appointmentSearch(first: 2, filter: { isViewer: true }) { totalCount nodes { startsAt member { id } } } }'],
  [
    'several searches',
    '{ open: workOrderSearch(filter: { statuses: [OPEN] }) { totalCount nodes { title } } customerSearch(first: 2) { nodes { title journeyStatus { name } } } }',
  ],
  [
    'equal searches',
    '{ a: orderSearch(first: 2) { nodes { status } totalCount } b: orderSearch(first: 2) { nodes { status } totalCount } }',
  ],
  [
    'conditional fields',
    'query ($paid: Boolean!) { orderSearch(first: 2) { nodes { status ...Paid @include(if: $paid) } } } fragment Paid on Order { paid { amount } }',
    { paid: false },
  ],
  [
    'included fields',
    'query ($paid: Boolean!) { orderSearch(first: 2) { nodes { status ...Paid @include(if: $paid) } } } fragment Paid on Order { paid { amount } }',
    { paid: true },
  ],
  ['an empty list', '{ orderSearch(filter: { and: [{ statuses: [] }] }) { totalCount } }'],
  ['a blank text', '{ customerSearch(query: " ") { nodes { id } } }'],
  ['an unknown enum value', '{ orderSearch(filter: { statuses: [OTHER] }) { nodes { id } } }'],
  ['three relationships', '{ orderSearch(filter: { customer: { orders: { customer: {} } } }) { nodes { id } } }'],
  ['an invalid cursor', '{ orderSearch(first: 1, after: "x") { nodes { id } } }'],
  ['too large a page', '{ orderSearch(first: 101) { nodes { id } totalCount } }'],
  [
    'nine queries',
    `{ ${Array.from({ length: 9 }, (_, index) => `a${index}: orderSearch(first: ${index + 1}) { nodes { id } }`).join(' ')} }`,
  ],
];

const AFTER =
  'query ($after: String) { orderSearch(first: 2, after: $after) { nodes { referenceNumber } pageInfo { hasNextPage endCursor } } }';

/** A page, and the one after its end. */
const pages: Case = {
  title: 'two pages',
  steps: [
    { title: 'two pages: the first', request: post(AFTER) },
    {
      title: 'two pages: the second',
      request: (bodies) => post(AFTER, { after: JSON.parse(bodies.at(-1) ?? '').data.orderSearch.pageInfo.endCursor }),
    },
  ],
};

export const searches: Area = {
  name: 'searches',
  cases: [
    ...DOCUMENTS.map(([title, query, variables]) => createCase(title, post(query, variables))),
    pages,
    createCase('as demo-regional', post(`{ orderSearch(first: 1) { nodes { id } ${COUNTS} } }`, {}, 'demo-regional')),
    createCase('as demo-creator', post('{ orderSearch { totalCount } }', {}, 'demo-creator')),
    createCase('while the index is unavailable', post('{ orderSearch(first: 1) { nodes { id } totalCount } }'), [
      { operation: 'AnalyticsService/ExecuteQuery', status: 503 },
    ]),
  ],
};
