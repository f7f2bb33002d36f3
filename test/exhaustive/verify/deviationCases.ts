import { Random } from '../../../sandbox/kernel/random.ts';
import type { UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import {
  capPages,
  changeEntries,
  changeEnumPrefix,
  changeEnumValues,
  changeHeaders,
  changeMembers,
  changeRequests,
  changeResponses,
  changeResponsesByRequest,
  createError,
  type Deviation,
  type DeviationCase,
  renameService,
  respondWith,
} from './deviations.ts';
import { INDEXES } from './indexDeviations.ts';
import { READS } from './readDeviations.ts';

/** Deviations of whole responses. */
const RESPONSES: readonly DeviationCase[] = [
  [
    'rows under another name',
    changeResponses('Catalog/ListProducts', ({ products, ...rest }) => ({ ...rest, items: products })),
    'ListProductsResponse.products RENAMED',
    true,
  ],
  [
    'an empty list under another name',
    changeResponses('Inventory/ListOrderReservations', ({ reservations, ...rest }) => ({ ...rest, items: reservations })),
    'ListOrderReservationsResponse.reservations RENAMED',
    true,
  ],
  [
    'a record under another name',
    changeResponses('Role/GetRole', ({ role, ...rest }) => ({ ...rest, publicRole: role })),
    'GetRoleResponse.role RENAMED',
    true,
  ],
  ['a wrapped response', changeResponses('Quote/GetQuote', (result) => ({ data: result })), 'Quote/GetQuote ANSWER', false],
  ['a record without its envelope', changeResponses('Contact/GetContact', ({ contact }) => contact), 'Contact/GetContact ANSWER', false],
  [
    'rows without their envelope',
    changeResponses('Journey/ListJourneyConfig', ({ stages }) => stages),
    'Journey/ListJourneyConfig ANSWER',
    false,
  ],
  [
    'an error with status 200',
    respondWith('Team/ListTeams', { ...createError(403, 'permission_denied'), status: 200 }),
    'Team/ListTeams ANSWER',
    false,
  ],
  ['another success status', respondWith('Team/ListTeams', { status: 204, headers: {}, body: '' }), 'Team/ListTeams ANSWER', false],
  [
    'a boolean as a string',
    changeResponses('Quote/ListQuotes', ({ hasMore, ...rest }) => ({ ...rest, hasMore: String(hasMore) })),
    'ListQuotesResponse.hasMore TYPE',
    false,
  ],
  [
    'another name of hasMore',
    changeResponses('Quote/ListQuotes', ({ hasMore, ...rest }) => ({ ...rest, has_more: hasMore })),
    'ListQuotesResponse.hasMore RENAMED',
    true,
  ],
  [
    'enum values as numbers',
    changeMembers('Payment/ListPayments', (name, value) => [[name, name === 'status' ? 2 : value]]),
    'PaymentRecord.status ENUM',
    false,
  ],
  [
    'an object instead of a list with one entry',
    changeResponses('Customer/ListCustomerCommentHistory', ({ revisions }) => ({ revisions: (revisions as unknown[])[0] })),
    'ListCustomerCommentHistoryResponse.revisions TYPE',
    false,
  ],
  [
    'a rate limit reset as a date',
    changeHeaders((headers) => ({ ...headers, 'ratelimit-reset': new Date(START * 1000).toUTCString() })),
    'RateLimit-Reset RATE_UNIT',
    false,
  ],
];

const HOUR_S = 3_600;

const random = new Random(5);

/** The rows in random order. */
function shuffle(rows: unknown): readonly unknown[] {
  return (rows as readonly unknown[])
    .map((row) => [random.next(), row] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, row]) => row);
}

/** Changes the response for a contact ID that doesn't exist, which is normally 404. */
const changeNotFound =
  (result: UpstreamResponse): Deviation =>
  async (request, send) => {
    const response = await send(request);
    return request.path.endsWith('/GetContact') && response.status === 404 ? result : response;
  };

/** Deviations of order, time, scale, and the response to unknown IDs. */
const VALUES: readonly DeviationCase[] = [
  [
    'another sort order on each read',
    changeResponses('Catalog/ListProducts', (result) => ({ ...result, products: shuffle(result.products) })),
    'Catalog/ListProducts ORDER',
    false,
  ],
  [
    'another sort order of a list without pages',
    changeResponses('Role/ListRoles', (result) => ({ ...result, roles: shuffle(result.roles) })),
    'Role/ListRoles ORDER',
    false,
  ],
  [
    'local time sent as UTC',
    changeMembers('Contact', (name, value) => [[name, name === 'createdAt' ? String(START + HOUR_S) : value]]),
    'ContactRecord.createdAt CLOCK',
    false,
  ],
  [
    'amounts in major units in a list only',
    changeResponses('Order/ListOrders', (result) => ({
      ...result,
      orders: changeEntries(result.orders, ({ totalOnceMinor, ...rest }) => ({
        ...rest,
        totalOnceMinor: String(Number(totalOnceMinor) * 100),
      })),
    })),
    'OrderRecord.totalOnceMinor SCALE',
    false,
  ],
  [
    'quantities in thousandths in the list of one product',
    changeResponsesByRequest('Inventory/ListInventoryBalances', (result, { productId }) =>
      productId === undefined
        ? result
        : {
            ...result,
            balances: changeEntries(result.balances, ({ onHand, ...rest }) => ({ ...rest, onHand: String(Number(onHand) * 1000) })),
          },
    ),
    'InventoryBalanceRecord.onHand SCALE',
    false,
  ],
  ['an unknown ID with status 500', changeNotFound(createError(500, 'internal')), 'Contact/GetContact NOT_FOUND', false],
  ['an unknown ID with status 400', changeNotFound(createError(400, 'invalid_argument')), 'Contact/GetContact NOT_FOUND', false],
  ['an unknown ID with status 403', changeNotFound(createError(403, 'permission_denied')), 'Contact/GetContact NOT_FOUND', false],
  ['an unknown ID with status 200', changeNotFound({ status: 200, headers: {}, body: '{}' }), 'Contact/GetContact NOT_FOUND', false],
  [
    'rows without a member of the record in a list that isn’t a covering list',
    changeResponses('Role/ListRoles', (result) => ({ ...result, roles: changeEntries(result.roles, ({ name: _, ...rest }) => rest) })),
    'Role/ListRoles SUMMARY_ROWS',
    true,
  ],
  [
    'search results without a member of the record',
    changeResponses('Catalog/SearchProducts', (result) => ({
      ...result,
      products: changeEntries(result.products, ({ name: _, ...rest }) => rest),
    })),
    'Catalog/SearchProducts SUMMARY_ROWS',
    true,
  ],
  [
    'another name of hasMore in all lists',
    async (request, send) => {
      const result = await send(request);
      return { ...result, body: result.body.replaceAll('"hasMore":', '"more":') };
    },
    '*.hasMore RENAMED',
    true,
  ],
];

/** All deviations. */
export const DEVIATIONS: readonly DeviationCase[] = [
  [
    'a renamed member',
    changeMembers('Quote', (name, value) => [[name === 'title' ? 'subject' : name, value]]),
    'QuoteRecord.title RENAMED',
    true,
  ],
  [
    'an ignored filter',
    changeRequests('/ListProblems', ({ customerId: _, ...rest }) => rest),
    'ListProblemsRequest.customerId FILTER_IGNORED',
    false,
  ],
  ['enum values with another prefix', changeEnumPrefix('PUBLIC_QUOTE_STATUS_', 'QUOTATION_STATE_'), 'QuoteRecord.status ENUM', true],
  [
    'timestamps in milliseconds',
    changeMembers('Contact', (name, value) => [[name, name === 'createdAt' ? String(Number(value) * 1000) : value]]),
    'ContactRecord.createdAt MILLISECONDS',
    false,
  ],
  ['another name of a service', renameService('Quote', 'Quotes'), 'Quote SERVICE_NAME', true],
  ['a smaller maximum page size', capPages('/ListProducts', 40), 'Catalog/ListProducts PAGE_CAP', true],
  ['an ignored page number', changeRequests('/ListProducts', ({ page: _, ...rest }) => rest), 'Catalog/ListProducts PAGE_IGNORED', false],
  [
    'an unknown member',
    changeMembers('Quote', (name, value) =>
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
    changeMembers('Quote', (name, value) => [[name, name === 'quantity' ? String(value) : value]]),
    'QuoteLineRecord.quantity TYPE',
    false,
  ],
  [
    'a name in snake case',
    changeMembers('Quote', (name, value) => [[name === 'createdAt' ? 'created_at' : name, value]]),
    'QuoteRecord.createdAt RENAMED',
    true,
  ],
  [
    'a missing member',
    changeMembers('Quote', (name, value) => (name === 'title' ? [] : [[name, value]])),
    'QuoteRecord.title MISSING',
    false,
  ],
  [
    'an invalid currency code',
    changeMembers('Quote', (name, value) => [[name, name === 'currency' ? 'euro' : value]]),
    'QuoteRecord.currency FORMAT',
    false,
  ],
  [
    'enum values in lower case',
    changeEnumValues(
      /"PUBLIC_QUOTE_STATUS_([A-Z_]+)"/g,
      (word) => `"${word.toLowerCase()}"`,
      /"(concept|confirmed|discarded|unspecified)"/g,
      (word) => `"PUBLIC_QUOTE_STATUS_${word.toUpperCase()}"`,
    ),
    'QuoteRecord.status ENUM',
    true,
  ],
  [
    'an ignored owner',
    changeRequests('/ListQuotes', (request) => ({ ...request, customerId: demoId('customer 0') })),
    'ListQuotesRequest.customerId FILTER_IGNORED',
    false,
  ],
  [
    'an ignored status',
    changeRequests('/ListProblems', ({ status: _, ...rest }) => rest),
    'ListProblemsRequest.status FILTER_IGNORED',
    false,
  ],
  [
    'an ignored search text',
    changeRequests('/SearchProducts', ({ query: _, ...rest }) => rest),
    'SearchProductsRequest.query FILTER_IGNORED',
    false,
  ],
  [
    'pages that are numbered from 0',
    changeRequests('/ListProducts', ({ page, ...rest }) => ({ ...rest, ...(typeof page === 'number' && { page: page + 1 }) })),
    'Catalog/ListProducts PAGE_BASE',
    false,
  ],
  [
    'an ignored page size',
    changeRequests('/ListProducts', ({ pageSize: _, ...rest }) => rest),
    'Catalog/ListProducts PAGE_SIZE_IGNORED',
    false,
  ],
  [
    'pages that are truncated silently',
    changeRequests('/ListProducts', ({ pageSize, ...rest }) => ({ ...rest, pageSize: Math.min(Number(pageSize ?? 25), 30) })),
    'Catalog/ListProducts PAGE_CAP',
    true,
  ],
  [
    'a wrong hasMore',
    changeMembers('Catalog/ListProducts', (name, value) => [[name, name === 'hasMore' ? false : value]]),
    'Catalog/ListProducts HAS_MORE',
    false,
  ],
  [
    'summaries in a list',
    changeMembers('Contact/ListContacts', (name, value) => (name === 'lastName' ? [] : [[name, value]])),
    'Contact/GetContact SUMMARY_ROWS',
    true,
  ],
  ...RESPONSES,
  ...READS,
  ...VALUES,
  ...INDEXES,
  [
    'a rate limit reset in milliseconds',
    changeHeaders((headers) => ({ ...headers, 'ratelimit-reset': String(START * 1000) })),
    'RateLimit-Reset RATE_UNIT',
    false,
  ],
];
