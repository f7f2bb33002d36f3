import { Random } from '../../../sandbox/kernel/random.ts';
import type { UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import {
  always,
  answering,
  asking,
  capping,
  type Deviation,
  each,
  refused,
  replying,
  serving,
  telling,
  withHeaders,
  wording,
  wordingBy,
} from './deviations.ts';

/** A deviation with the only expected finding, and whether an overlay corrects it. */
type Differing = readonly [name: string, deviation: Deviation, finding: string, isHealed: boolean];

const YEAR_S = 365 * 24 * 60 * 60;

/** Deviations of whole responses. */
const ANSWERS: readonly Differing[] = [
  [
    'rows under another name',
    replying('Catalog/ListProducts', ({ products, ...rest }) => ({ ...rest, items: products })),
    'ListProductsResponse.products RENAMED',
    true,
  ],
  [
    'an empty list under another name',
    replying('Inventory/ListOrderReservations', ({ reservations, ...rest }) => ({ ...rest, items: reservations })),
    'ListOrderReservationsResponse.reservations RENAMED',
    true,
  ],
  [
    'a record under another name',
    replying('Role/GetRole', ({ role, ...rest }) => ({ ...rest, publicRole: role })),
    'GetRoleResponse.role RENAMED',
    true,
  ],
  ['an answer that is wrapped', replying('Quote/GetQuote', (answer) => ({ data: answer })), 'Quote/GetQuote ANSWER', false],
  ['a record that stands by itself', replying('Contact/GetContact', ({ contact }) => contact), 'Contact/GetContact ANSWER', false],
  [
    'rows that stand by themselves',
    replying('Journey/ListJourneyConfig', ({ stages }) => stages),
    'Journey/ListJourneyConfig ANSWER',
    false,
  ],
  [
    'an error with status 200',
    always('Team/ListTeams', { ...refused(403, 'permission_denied'), status: 200 }),
    'Team/ListTeams ANSWER',
    false,
  ],
  ['another status of success', always('Team/ListTeams', { status: 204, headers: {}, body: '' }), 'Team/ListTeams ANSWER', false],
  [
    'a flag in words',
    replying('Quote/ListQuotes', ({ hasMore, ...rest }) => ({ ...rest, hasMore: String(hasMore) })),
    'ListQuotesResponse.hasMore TYPE',
    false,
  ],
  [
    'an end mark of another name',
    replying('Quote/ListQuotes', ({ hasMore, ...rest }) => ({ ...rest, has_more: hasMore })),
    'ListQuotesResponse.hasMore RENAMED',
    true,
  ],
  [
    'words of an enum as numbers',
    answering('Payment/ListPayments', (name, value) => [[name, name === 'status' ? 2 : value]]),
    'PaymentRecord.status ENUM',
    false,
  ],
  [
    'an object in place of a list of one',
    replying('Customer/ListCustomerCommentHistory', ({ revisions }) => ({ revisions: (revisions as unknown[])[0] })),
    'ListCustomerCommentHistoryResponse.revisions TYPE',
    false,
  ],
  [
    'a reset as a date',
    withHeaders((headers) => ({ ...headers, 'ratelimit-reset': new Date(START * 1000).toUTCString() })),
    'RateLimit-Reset RATE_UNIT',
    false,
  ],
];

/** Deviations of lists, pages, and records. */
const READS: readonly Differing[] = [
  [
    'a filter that knows one word only',
    asking('/ListQuotes', ({ status, ...rest }) => (status === 'PUBLIC_QUOTE_STATUS_CONCEPT' ? { ...rest, status } : rest)),
    'ListQuotesRequest.status FILTER_IGNORED',
    false,
  ],
  [
    'a filter that no row passes',
    telling('Payment/ListPayments', (answer, { status }) => (status === undefined ? answer : { ...answer, payments: [] })),
    'ListPaymentsRequest.status FILTER_EMPTY',
    false,
  ],
  [
    'a filter that refuses what rows have',
    (request, usual) =>
      /\/ListPayments$/.test(request.path) && request.body.includes('"status"')
        ? Promise.resolve(refused(400, 'invalid_argument'))
        : usual(request),
    'ListPaymentsRequest.status FILTER_EMPTY',
    false,
  ],
  [
    'a stretch of time that is not looked at',
    asking('/ListAppointments', (request) => ({
      ...request,
      startsFrom: String(START - 10 * YEAR_S),
      startsBefore: String(START + YEAR_S),
    })),
    'ListAppointmentsRequest.startsBefore FILTER_IGNORED',
    false,
  ],
  [
    'a list of all owners that tells less',
    telling('Problem/ListProblems', (answer, { customerId }) =>
      customerId === undefined ? { ...answer, problems: each(answer.problems, ({ title: _, ...rest }) => rest) } : answer,
    ),
    'Problem/ListProblems PARTS',
    true,
  ],
  [
    'pages that overlap',
    asking('/ListProducts', ({ page, pageSize, ...rest }) =>
      page === 2 && pageSize === 2 ? { ...rest, page: 2, pageSize: 1 } : { ...rest, page, pageSize },
    ),
    'Catalog/ListProducts PAGE_TURN',
    false,
  ],
  [
    'numbers of pages that are told from 0',
    replying('Catalog/ListProducts', ({ page, ...rest }) => ({ ...rest, page: Number(page) - 1 })),
    'Catalog/ListProducts PAGE_ECHO',
    false,
  ],
  [
    'the number of rows in place of the size of the page',
    replying('Invoice/ListInvoices', (answer) => ({ ...answer, pageSize: (answer.invoices as unknown[]).length })),
    'Invoice/ListInvoices PAGE_ECHO',
    false,
  ],
  [
    'an end mark that is always set',
    replying('Invoice/ListInvoices', (answer) => ({ ...answer, hasMore: true })),
    'Invoice/ListInvoices HAS_MORE',
    false,
  ],
  [
    'records inside rows that are summaries',
    replying('WorkOrderTemplate/ListWorkOrderTemplates', (answer) => ({
      ...answer,
      workOrderTemplates: each(answer.workOrderTemplates, ({ tasks, ...rest }) => ({
        ...rest,
        tasks: each(tasks, ({ body: _, ...task }) => task),
      })),
    })),
    'WorkOrderTemplate/GetWorkOrderTemplate SUMMARY_ROWS',
    true,
  ],
  [
    'text that a list cuts off',
    replying('Catalog/ListProducts', (answer) => ({
      ...answer,
      products: each(answer.products, ({ name, ...rest }) => ({ ...rest, name: `${String(name).slice(0, 4)}…` })),
    })),
    'Catalog/GetProduct SUMMARY_ROWS',
    true,
  ],
  [
    'a record of another id',
    async (request, usual) => {
      const answer = await usual(request);
      const isFound = request.path.endsWith('/GetContact') && answer.status === 200;
      return isFound ? usual({ ...request, body: JSON.stringify({ id: demoId('contact 3') }) }) : answer;
    },
    'Contact/GetContact OTHER_RECORD',
    false,
  ],
  [
    'an empty record where there is none',
    async (request, usual) => {
      const answer = await usual(request);
      return request.path.endsWith('/GetQuote') && answer.status === 404 ? { ...answer, status: 200, body: '{"quote":{}}' } : answer;
    },
    'Quote/GetQuote NOT_FOUND',
    false,
  ],
  [
    'portfolios that are no customers',
    async (request, usual) => {
      const problems = JSON.parse(
        (await usual({ ...request, path: request.path.replace(/[^.]+$/, 'Problem/ListProblems'), body: '{}' })).body,
      ) as {
        readonly problems?: readonly { readonly portfolioId?: string }[];
      };
      const { id } = JSON.parse(request.body) as { readonly id?: string };
      const isPortfolio = request.path.endsWith('/GetCustomer') && problems.problems?.some(({ portfolioId }) => portfolioId === id);
      return isPortfolio ? refused(404, 'not_found') : usual(request);
    },
    'Customer/GetCustomer NOT_FOUND',
    false,
  ],
];

const HOUR_S = 3_600;

const random = new Random(5);

/** The rows in random order. */
function shuffled(rows: unknown): readonly unknown[] {
  return (rows as readonly unknown[])
    .map((row) => [random.next(), row] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, row]) => row);
}

/** Changes the response for a contact ID that doesn't exist, which is normally 404. */
const answeringUnknown =
  (answer: UpstreamResponse): Deviation =>
  async (request, usual) => {
    const response = await usual(request);
    return request.path.endsWith('/GetContact') && response.status === 404 ? answer : response;
  };

/** Deviations of order, time, scale, and the response to unknown IDs. */
const VALUES: readonly Differing[] = [
  [
    'another order on each read',
    replying('Catalog/ListProducts', (answer) => ({ ...answer, products: shuffled(answer.products) })),
    'Catalog/ListProducts ORDER',
    false,
  ],
  [
    'another order of a list without pages',
    replying('Role/ListRoles', (answer) => ({ ...answer, roles: shuffled(answer.roles) })),
    'Role/ListRoles ORDER',
    false,
  ],
  [
    'local time sent as UTC',
    answering('Contact', (name, value) => [[name, name === 'createdAt' ? String(START + HOUR_S) : value]]),
    'ContactRecord.createdAt CLOCK',
    false,
  ],
  [
    'amounts in major units in a list only',
    replying('Order/ListOrders', (answer) => ({
      ...answer,
      orders: each(answer.orders, ({ totalOnceMinor, ...rest }) => ({ ...rest, totalOnceMinor: String(Number(totalOnceMinor) * 100) })),
    })),
    'OrderRecord.totalOnceMinor SCALE',
    false,
  ],
  [
    'quantities in thousandths in the list of one product',
    telling('Inventory/ListInventoryBalances', (answer, { productId }) =>
      productId === undefined
        ? answer
        : { ...answer, balances: each(answer.balances, ({ onHand, ...rest }) => ({ ...rest, onHand: String(Number(onHand) * 1000) })) },
    ),
    'InventoryBalanceRecord.onHand SCALE',
    false,
  ],
  ['an unknown ID with status 500', answeringUnknown(refused(500, 'internal')), 'Contact/GetContact NOT_FOUND', false],
  ['an unknown ID with status 400', answeringUnknown(refused(400, 'invalid_argument')), 'Contact/GetContact NOT_FOUND', false],
  ['an unknown ID with status 403', answeringUnknown(refused(403, 'permission_denied')), 'Contact/GetContact NOT_FOUND', false],
  ['an unknown ID with status 200', answeringUnknown({ status: 200, headers: {}, body: '{}' }), 'Contact/GetContact NOT_FOUND', false],
  [
    'rows of a list that covers nothing without a member of the record',
    replying('Role/ListRoles', (answer) => ({ ...answer, roles: each(answer.roles, ({ name: _, ...rest }) => rest) })),
    'Role/ListRoles SUMMARY_ROWS',
    true,
  ],
  [
    'rows of a search that lack a member',
    replying('Catalog/SearchProducts', (answer) => ({ ...answer, products: each(answer.products, ({ name: _, ...rest }) => rest) })),
    'Catalog/SearchProducts SUMMARY_ROWS',
    true,
  ],
  [
    'another name of the end mark in all lists',
    async (request, usual) => {
      const answer = await usual(request);
      return { ...answer, body: answer.body.replaceAll('"hasMore":', '"more":') };
    },
    '*.hasMore RENAMED',
    true,
  ],
];

/** All deviations. */
export const DIFFERING: readonly Differing[] = [
  [
    'a renamed member',
    answering('Quote', (name, value) => [[name === 'title' ? 'subject' : name, value]]),
    'QuoteRecord.title RENAMED',
    true,
  ],
  [
    'a filter that is ignored',
    asking('/ListProblems', ({ customerId: _, ...rest }) => rest),
    'ListProblemsRequest.customerId FILTER_IGNORED',
    false,
  ],
  ['words of an enum with another prefix', wording('PUBLIC_QUOTE_STATUS_', 'QUOTATION_STATE_'), 'QuoteRecord.status ENUM', true],
  [
    'moments in milliseconds',
    answering('Contact', (name, value) => [[name, name === 'createdAt' ? String(Number(value) * 1000) : value]]),
    'ContactRecord.createdAt MILLISECONDS',
    false,
  ],
  ['another name of a service', serving('Quote', 'Quotes'), 'Quote SERVICE_NAME', true],
  ['a smaller greatest page', capping('/ListProducts', 40), 'Catalog/ListProducts PAGE_CAP', true],
  ['pages that are all the first one', asking('/ListProducts', ({ page: _, ...rest }) => rest), 'Catalog/ListProducts PAGE_IGNORED', false],
  [
    'a member that nobody knows',
    answering('Quote', (name, value) =>
      name === 'title'
        ? [
            [name, value],
            ['nickname', 'x'],
          ]
        : [[name, value]],
    ),
    'QuoteRecord.nickname UNKNOWN',
    false,
  ],
  [
    'text where a number was expected',
    answering('Quote', (name, value) => [[name, name === 'quantity' ? String(value) : value]]),
    'QuoteLineRecord.quantity TYPE',
    false,
  ],
  [
    'other letters in a name',
    answering('Quote', (name, value) => [[name === 'createdAt' ? 'created_at' : name, value]]),
    'QuoteRecord.createdAt RENAMED',
    true,
  ],
  [
    'a member that never comes',
    answering('Quote', (name, value) => (name === 'title' ? [] : [[name, value]])),
    'QuoteRecord.title MISSING',
    false,
  ],
  [
    'a currency that is no code',
    answering('Quote', (name, value) => [[name, name === 'currency' ? 'euro' : value]]),
    'QuoteRecord.currency FORMAT',
    false,
  ],
  [
    'words of an enum in other letters',
    wordingBy(
      /"PUBLIC_QUOTE_STATUS_([A-Z_]+)"/g,
      (word) => `"${word.toLowerCase()}"`,
      /"(concept|confirmed|discarded|unspecified)"/g,
      (word) => `"PUBLIC_QUOTE_STATUS_${word.toUpperCase()}"`,
    ),
    'QuoteRecord.status ENUM',
    true,
  ],
  [
    'an owner who is not looked at',
    asking('/ListQuotes', (request) => ({ ...request, customerId: demoId('customer 0') })),
    'ListQuotesRequest.customerId FILTER_IGNORED',
    false,
  ],
  [
    'a state that is not looked at',
    asking('/ListProblems', ({ status: _, ...rest }) => rest),
    'ListProblemsRequest.status FILTER_IGNORED',
    false,
  ],
  [
    'a text that is not looked at',
    asking('/SearchProducts', ({ query: _, ...rest }) => rest),
    'SearchProductsRequest.query FILTER_IGNORED',
    false,
  ],
  [
    'pages that are counted from 0',
    asking('/ListProducts', ({ page, ...rest }) => ({ ...rest, ...(typeof page === 'number' && { page: page + 1 }) })),
    'Catalog/ListProducts PAGE_BASE',
    false,
  ],
  ['pages of its own size', asking('/ListProducts', ({ pageSize: _, ...rest }) => rest), 'Catalog/ListProducts PAGE_SIZE_IGNORED', false],
  [
    'pages that are cut without a word',
    asking('/ListProducts', ({ pageSize, ...rest }) => ({ ...rest, pageSize: Math.min(Number(pageSize ?? 25), 30) })),
    'Catalog/ListProducts PAGE_CAP',
    true,
  ],
  [
    'an end mark that is wrong',
    answering('Catalog/ListProducts', (name, value) => [[name, name === 'hasMore' ? false : value]]),
    'Catalog/ListProducts HAS_MORE',
    false,
  ],
  [
    'summaries in a list',
    answering('Contact/ListContacts', (name, value) => (name === 'lastName' ? [] : [[name, value]])),
    'Contact/GetContact SUMMARY_ROWS',
    true,
  ],
  ...ANSWERS,
  ...READS,
  ...VALUES,
  [
    'a reset in milliseconds',
    withHeaders((headers) => ({ ...headers, 'ratelimit-reset': String(START * 1000) })),
    'RateLimit-Reset RATE_UNIT',
    false,
  ],
];
