import { demoId, START } from '../../sandbox/sandbox.ts';
import { changeEntries, changeRequests, changeResponses, changeResponsesByRequest, createError, type DeviationCase } from './deviations.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** Deviations of lists, pages, and records. */
export const READS: readonly DeviationCase[] = [
  [
    'a filter that supports only one value',
    changeRequests('/ListQuotes', ({ status, ...rest }) => (status === 'PUBLIC_QUOTE_STATUS_CONCEPT' ? { ...rest, status } : rest)),
    'ListQuotesRequest.status FILTER_IGNORED',
    false,
  ],
  [
    'a filter that matches no row',
    changeResponsesByRequest('Payment/ListPayments', (result, { status }) => (status === undefined ? result : { ...result, payments: [] })),
    'ListPaymentsRequest.status FILTER_EMPTY',
    false,
  ],
  [
    'a filter that rejects values of rows',
    (request, send) =>
      /\/ListPayments$/.test(request.path) && request.body.includes('"status"')
        ? Promise.resolve(createError(400, 'invalid_argument'))
        : send(request),
    'ListPaymentsRequest.status FILTER_EMPTY',
    false,
  ],
  [
    'an ignored time range',
    changeRequests('/ListAppointments', (request) => ({
      ...request,
      startsFrom: String(START - 10 * YEAR_S),
      startsBefore: String(START + YEAR_S),
    })),
    'ListAppointmentsRequest.startsBefore FILTER_IGNORED',
    false,
  ],
  [
    'a list of all owners with fewer fields',
    changeResponsesByRequest('Problem/ListProblems', (result, { customerId }) =>
      customerId === undefined ? { ...result, problems: changeEntries(result.problems, ({ title: _, ...rest }) => rest) } : result,
    ),
    'Problem/ListProblems PARTS',
    true,
  ],
  [
    'pages that overlap',
    changeRequests('/ListProducts', ({ page, pageSize, ...rest }) =>
      page === 2 && pageSize === 2 ? { ...rest, page: 2, pageSize: 1 } : { ...rest, page, pageSize },
    ),
    'Catalog/ListProducts PAGE_TURN',
    false,
  ],
  [
    'page numbers that start from 0 in responses',
    changeResponses('Catalog/ListProducts', ({ page, ...rest }) => ({ ...rest, page: Number(page) - 1 })),
    'Catalog/ListProducts PAGE_ECHO',
    false,
  ],
  [
    'the number of rows instead of the page size',
    changeResponses('Invoice/ListInvoices', (result) => ({ ...result, pageSize: (result.invoices as unknown[]).length })),
    'Invoice/ListInvoices PAGE_ECHO',
    false,
  ],
  [
    'hasMore that is always true',
    changeResponses('Invoice/ListInvoices', (result) => ({ ...result, hasMore: true })),
    'Invoice/ListInvoices HAS_MORE',
    false,
  ],
  [
    'summaries of nested records',
    changeResponses('WorkOrderTemplate/ListWorkOrderTemplates', (result) => ({
      ...result,
      workOrderTemplates: changeEntries(result.workOrderTemplates, ({ tasks, ...rest }) => ({
        ...rest,
        tasks: changeEntries(tasks, ({ body: _, ...task }) => task),
      })),
    })),
    'WorkOrderTemplate/GetWorkOrderTemplate SUMMARY_ROWS',
    true,
  ],
  [
    'text that a list truncates',
    changeResponses('Catalog/ListProducts', (result) => ({
      ...result,
      products: changeEntries(result.products, ({ name, ...rest }) => ({ ...rest, name: `${String(name).slice(0, 4)}…` })),
    })),
    'Catalog/GetProduct SUMMARY_ROWS',
    true,
  ],
  [
    'a record with another ID',
    async (request, send) => {
      const result = await send(request);
      const isFound = request.path.endsWith('/GetContact') && result.status === 200;
      return isFound ? send({ ...request, body: JSON.stringify({ id: demoId('contact 3') }) }) : result;
    },
    'Contact/GetContact OTHER_RECORD',
    false,
  ],
  [
    'an empty record instead of a 404',
    async (request, send) => {
      const result = await send(request);
      return request.path.endsWith('/GetQuote') && result.status === 404 ? { ...result, status: 200, body: '{"quote":{}}' } : result;
    },
    'Quote/GetQuote NOT_FOUND',
    false,
  ],
  [
    'portfolios that aren’t customers',
    async (request, send) => {
      const problems = JSON.parse(
        (await send({ ...request, path: request.path.replace(/[^.]+$/, 'Problem/ListProblems'), body: '{}' })).body,
      ) as {
        readonly problems?: readonly { readonly portfolioId?: string }[];
      };
      const { id } = JSON.parse(request.body) as { readonly id?: string };
      const isPortfolio = request.path.endsWith('/GetCustomer') && problems.problems?.some(({ portfolioId }) => portfolioId === id);
      return isPortfolio ? createError(404, 'not_found') : send(request);
    },
    'Customer/GetCustomer NOT_FOUND',
    false,
  ],
];
