import { getNamedType, isEnumType, isInputObjectType, isListType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { schema } = getGraph();

const MESSAGE = 'must not be OTHER, which stands for values that the schema doesn’t define and can only be returned.';
const createIssue = (...path: readonly string[]) => ({ path, code: 'NOT_ALLOWED', limit: null, message: MESSAGE });

const ISSUES = 'issues { path code limit message }';

const CUSTOMER = demoId('customer 0');
const PRODUCT = demoId('product 0');

/** Types with list fields, and the selection that leads to them. */
const PARENTS = { Query: '', Customer: `customer(id: "${CUSTOMER}")`, Product: `product(id: "${PRODUCT}")` };

/** The enum fields of filters, with a query that sends `OTHER` for each. */
const FILTERS = Object.entries(PARENTS).flatMap(([parent, selection]) => {
  const type = schema.getType(parent);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  return fields.flatMap(({ name: field, args }) => {
    const filter = getNamedType(args.find(({ name }) => name === 'filter')?.type);
    const range = args.some(({ name }) => name === 'scheduledBetween')
      ? 'scheduledBetween: { gte: "2030-01-01T00:00:00Z", lt: "2030-01-02T00:00:00Z" }, '
      : '';
    const members = isInputObjectType(filter) ? Object.values(filter.getFields()) : [];
    return members
      .filter(({ type }) => isEnumType(getNamedType(type)))
      .map(({ name: member, type: memberType }) => {
        const path = isListType(memberType) ? [member, '0'] : [member];
        const list = `{ ${field}(${range}filter: { ${member}: OTHER }) { __typename } }`;
        return [`${parent}.${field}`, path, selection ? `{ ${selection} ${list} }` : list] as const;
      });
  });
});

describe('OTHER in an input', () => {
  it('causes ValidationError in a field of the upstream request', async () => {
    const lines = [
      { productId: PRODUCT, quantity: 1, priceType: 'ONCE' },
      { productId: PRODUCT, quantity: 1, priceType: 'OTHER' },
    ];
    const source = `mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { __typename ... on ValidationError { ${ISSUES} } } }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(source, { input: { customerId: CUSTOMER, lines } }),
    );
    expect(data.quoteCreate).toEqual({ __typename: 'ValidationError', issues: [createIssue('lines', '1', 'priceType')] });
    expect([errors, calls]).toEqual([undefined, []]);
  });

  it('causes ValidationError in a field that only the input has', async () => {
    const input = { customerId: CUSTOMER, kind: 'OTHER', fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: '1' };
    const source = `mutation ($input: CustomerFileUploadCreateInput!) {
      customerFileUploadCreate(input: $input) { __typename ... on ValidationError { ${ISSUES} } }
    }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source, { input }));
    expect(data.customerFileUploadCreate).toEqual({ __typename: 'ValidationError', issues: [createIssue('kind')] });
    expect([errors, calls]).toEqual([undefined, []]);
  });

  it('covers the filters of several areas', () => {
    const fields = FILTERS.map(([field]) => field);
    expect(fields).toEqual(
      expect.arrayContaining(['Query.inventoryBackorders', 'Query.appointments', 'Customer.quotes', 'Customer.files']),
    );
  });

  it.each(FILTERS)('causes BAD_USER_INPUT in the filter of %s as %s', async (_field, path, query) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(errors?.map(({ extensions }) => [extensions.code, extensions.issues])).toEqual([
      ['BAD_USER_INPUT', [createIssue('filter', ...path)]],
    ]);
    expect(calls).toEqual([]);
  });

  const compare = { field: 'currency', operator: 'OTHER', values: [{ text: 'EUR' }] };
  const measures = [{ count: {} }];
  it.each([
    ['operator', { filter: { all: [{ compare }] } }, ['filter', 'all', '0', 'compare', 'operator']],
    [
      'operator of a condition',
      { select: { aggregate: { measures: [{ count: { condition: { compare } } }] } } },
      [...['select', 'aggregate', 'measures', '0', 'count'], ...['condition', 'compare', 'operator']],
    ],
    [
      'bucket',
      { select: { aggregate: { measures, dimensions: [{ field: 'created_at', bucket: 'OTHER' }] } } },
      [...['select', 'aggregate', 'dimensions', '0', 'bucket']],
    ],
    ['entity', { entity: 'OTHER' }, ['entity']],
  ] as const)('causes AnalyticsQueryError as %s', async (_title, part, path) => {
    const query = { entity: 'ORDERS', select: { aggregate: { measures } }, ...part };
    const source = `query ($query: AnalyticsQueryInput!) {
      analyticsQuery(query: $query) { __typename ... on AnalyticsQueryError { ${ISSUES} } }
    }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source, { query }));
    expect(data.analyticsQuery).toEqual({ __typename: 'AnalyticsQueryError', issues: [createIssue('query', ...path)] });
    expect([errors, calls]).toEqual([undefined, []]);
  });
});
