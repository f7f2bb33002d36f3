import { getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { listFilterFields } from './model.ts';
import { executeSearch, getError, QUERY, SEARCHES, type SearchArguments, type SearchName, type SearchTraits } from './searches.ts';

const testGraph = useTestGraph();
// The first page of an index is compared with its records.
beforeAll(async () => {
  await testGraph.execute('{ orderSearch { nodes { status } } }');
});

const search = (name: SearchName, args: SearchArguments, selection = 'totalCount nodes { id }') =>
  executeSearch(testGraph, name, args, selection);

const EUR = { currencyCodes: ['EUR'] };
/** An ID of as many characters as a UUID. */
const customerId = (index: number) => toGlobalId('Customer', `customer ${index}`.padEnd(36, '-'));

/** A filter with this many nested groups around two conditions. */
const nest = (groups: number): object =>
  Array.from({ length: groups }).reduce<object>((filter, _, index) => ({ [index % 2 === 0 ? 'or' : 'and']: [filter, EUR] }), {
    ...EUR,
    referenceNumber: { contains: 'O' },
  });

/** A filter with this many conditions in one group. Shorter than comparisons, of which fewer fit into a filter. */
const createAlternatives = (count: number, condition: object = { quote: {} }) => ({ or: Array.from({ length: count }, () => condition) });

const TIME_WITH_NANOSECONDS = '2026-01-01T00:00:00.0000001Z';

/** Invalid filters of orders: the path of their error in `filter`, its code and limit, and a part of its message. */
const INVALID: readonly (readonly [string, filter: object, path: string, code: string, limit: number | null, message: string])[] = [
  ['an empty list of values', { statuses: [] }, 'statuses', 'TOO_SHORT', 1, 'at least 1 item'],
  ['an empty list of IDs', { customerIds: [] }, 'customerIds', 'TOO_SHORT', 1, 'at least 1 item'],
  ['an empty list of texts', { referenceNumber: { anyOf: [] } }, 'referenceNumber.anyOf', 'TOO_SHORT', 1, 'at least 1 item'],
  ['an empty AND', { and: [] }, 'and', 'TOO_SHORT', 1, 'at least 1 item'],
  ['an empty OR', { or: [] }, 'or', 'TOO_SHORT', 1, 'at least 1 item'],
  ['101 values', { currencyCodes: Array(101).fill('EUR') }, 'currencyCodes', 'TOO_LONG', 100, 'at most 100 items, but has 101'],
  ['101 texts', { referenceNumber: { anyOf: Array(101).fill('O') } }, 'referenceNumber.anyOf', 'TOO_LONG', 100, 'at most 100 items'],
  ['a blank text', { referenceNumber: { eq: ' ' } }, 'referenceNumber.eq', 'BLANK', null, 'must not be blank'],
  ['a blank part of a text', { referenceNumber: { contains: '' } }, 'referenceNumber.contains', 'BLANK', null, 'must not be blank'],
  ['a blank text in a list', { referenceNumber: { anyOf: ['O', '\t'] } }, 'referenceNumber.anyOf.1', 'BLANK', null, 'must not be blank'],
  ['U+0000 in a text', { referenceNumber: { eq: 'a\0' } }, 'referenceNumber.eq', 'INVALID_FORMAT', null, 'must not contain U+0000'],
  ['U+0000 in an ID', { customerIds: [customerId(0), 'a\0'] }, 'customerIds.1', 'INVALID_FORMAT', null, 'must not contain U+0000'],
  [
    'U+0000 through a relationship',
    { or: [{}, { customer: { title: { anyOf: ['a', '\0'] } } }] },
    'or.1.customer.title.anyOf.1',
    'INVALID_FORMAT',
    null,
    'must not contain U+0000',
  ],
  ['an unknown enum value', { statuses: ['OPEN', 'OTHER'] }, 'statuses.1', 'NOT_ALLOWED', null, 'OTHER'],
  ['an ID of another type', { customerIds: [customerId(0), toGlobalId('Quote', 'x')] }, 'customerIds.1', 'NOT_ALLOWED', null, 'Customer'],
  [
    'an ID of another type through relationships',
    { customer: { orders: { quoteIds: [customerId(0)] } } },
    'customer.orders.quoteIds.0',
    'NOT_ALLOWED',
    null,
    'Quote',
  ],
  [
    'an error in an alternative',
    { or: [EUR, { and: [{ payments: { statuses: [] } }] }] },
    'or.1.and.0.payments.statuses',
    'TOO_SHORT',
    1,
    'at least 1 item',
  ],
  [
    'three nested relationships',
    { customer: { orders: { customer: {} } } },
    'customer.orders.customer',
    'TOO_LONG',
    2,
    'must be nested at most 2 relationships deep.',
  ],
  ['86 conditions', createAlternatives(85), '', 'TOO_LONG', 85, 'at most 85 conditions, but has 86'],
  ['8 levels', nest(6), '', 'TOO_LONG', 7, 'at most 7 levels deep'],
  ['10 levels', nest(9), 'or.0.and.0.or.0.and.0.or.0.and.0.or.0', 'TOO_LONG', 7, 'at most 7 levels deep'],
  [
    'more than 6 KiB',
    { and: [0, 1].map((half) => ({ customerIds: Array.from({ length: 100 }, (_, index) => customerId(half * 100 + index)) })) },
    '',
    'TOO_LONG',
    6144,
    'at most 6144 bytes',
  ],
  ['a timestamp with nanoseconds', { createdAt: { gte: TIME_WITH_NANOSECONDS } }, 'createdAt.gte', 'INVALID_FORMAT', null, '6 digits'],
  ['a later timestamp with nanoseconds', { updatedAt: { lt: TIME_WITH_NANOSECONDS } }, 'updatedAt.lt', 'INVALID_FORMAT', null, '6 digits'],
];

describe('filter', () => {
  it('has at most 80 conditions with `query`', async () => {
    const { result, errors, calls } = await search('orderSearch', { query: 'a', filter: createAlternatives(80) });
    expect([result, calls]).toEqual([null, []]);
    const message = expect.stringContaining('at most 80 conditions with `query`, but has 81');
    expect(getError(errors)).toMatchObject({ issues: [{ path: ['filter'], code: 'TOO_LONG', limit: 80, message }] });
  });

  it.each(INVALID)('rejects %s with its path before any call', async (_title, filter, path, code, limit, message) => {
    const { result, errors, calls } = await search('orderSearch', { filter });
    expect([result, calls]).toEqual([null, []]);
    expect(getError(errors)).toMatchObject({
      code: 'BAD_USER_INPUT',
      path: ['result'],
      issues: [{ path: ['filter', ...path.split('.').filter(Boolean)], code, limit, message: expect.stringContaining(message) }],
    });
  });

  it.each([
    ['two texts', { referenceNumber: { eq: 'a', contains: 'b' } }],
    ['no text', { referenceNumber: {} }],
    ['null in a list', { statuses: [null] }],
    ['an unknown value', { statuses: ['NOTHING'] }],
    ['isNull for a time that is never absent', { createdAt: { isNull: true } }],
  ])('fails validation with %s', async (_title, filter) => {
    const { status, errors, calls } = await search('orderSearch', { filter });
    expect([status, errors?.length, calls]).toEqual([400, 1, []]);
  });

  it.each([
    ['100 values', { currencyCodes: Array(100).fill('EUR') }],
    ['85 conditions', createAlternatives(84)],
    ['7 levels', nest(5)],
    ['nested filters that don’t add levels', { and: [{ and: [{ and: [{ and: [{ and: [{ and: [EUR] }] }] }] }] }] }],
    ['two nested relationships', { customer: { orders: { statuses: ['OPEN'] } } }],
    ['almost 6 KiB', { customerIds: Array.from({ length: 100 }, (_, index) => customerId(index)) }],
    ['null for each field', { statuses: null, customer: null, createdAt: null, and: null, or: null }],
    ['microseconds', { createdAt: { gte: '2024-01-01T00:00:00.123456Z' } }],
  ])('accepts %s', async (_title, filter) => {
    const { errors, calls } = await search('orderSearch', { filter });
    expect([errors, calls]).toEqual([undefined, [QUERY, QUERY]]);
  });

  it.each(SEARCHES)('leaves room for `query` and a cursor at its limits in $name', async ({ name }) => {
    const alternative = { createdAt: { gte: '2020-01-01T00:00:00Z' } };
    const many = createAlternatives(79, name === 'customerSearch' ? { orders: {} } : { customer: {} });
    const deep = Array.from({ length: 5 }).reduce<object>(
      (filter, _, index) => ({ [index % 2 === 0 ? 'or' : 'and']: [filter, alternative] }),
      { createdAt: { gte: '2020-01-01T00:00:00Z', lt: '2030-01-01T00:00:00Z' } },
    );
    for (const filter of [many, deep]) {
      const args = { filter, query: 'a', first: 1, orderBy: { field: 'UPDATED_AT' } } as const;
      const first = await search(name, args, 'pageInfo { hasNextPage endCursor }');
      expect(first.errors).toBeUndefined();
      const { hasNextPage, endCursor } = first.result.pageInfo;
      expect(hasNextPage).toBe(true);
      const second = await search(name, { ...args, after: endCursor }, 'nodes { id }');
      expect([second.errors, second.result?.nodes.length]).toEqual([undefined, 1]);
    }
  });
});

/** Time ranges that no value can be in, and the end of the message about `lt`. */
const EMPTY_RANGES: readonly (readonly [string, range: { readonly gte: string; readonly lt: string }, message: string])[] = [
  ['a reversed range', { gte: '2026-02-01T00:00:00Z', lt: '2026-01-01T00:00:00Z' }, '2026-02-01T00:00:00Z), but is 2026-01-01T00:00:00Z.'],
  ['an empty range', { gte: '2026-01-01T00:00:00Z', lt: '2026-01-01T00:00:00Z' }, '2026-01-01T00:00:00Z), but is 2026-01-01T00:00:00Z.'],
  [
    'a range reversed by a microsecond',
    { gte: '2026-01-01T00:00:00.000002Z', lt: '2026-01-01T00:00:00.000001Z' },
    '2026-01-01T00:00:00.000002Z), but is 2026-01-01T00:00:00.000001Z.',
  ],
  [
    'an empty range in two time zones',
    { gte: '2026-01-01T00:00:00Z', lt: '2026-01-01T01:00:00+01:00' },
    '2026-01-01T00:00:00Z), but is 2026-01-01T00:00:00Z.',
  ],
];

/** Fields of a search's filter that are time ranges, from the schema. */
const listTimeFields = (traits: SearchTraits): readonly string[] =>
  listFilterFields(traits).flatMap(({ name, type }) => (getNamedType(type).name.endsWith('TimeConditionInput') ? [name] : []));

describe.each(EMPTY_RANGES)('%s', (_title, range, message) => {
  it.each(SEARCHES)('fails in each time field of $name and of a related filter before any call', async (traits) => {
    const fields = listTimeFields(traits);
    expect(fields.length).toBeGreaterThan(1);
    const related = traits.name === 'customerSearch' ? 'orders' : 'customer';
    const filters = [
      ...fields.map((field) => [[field], { [field]: range }] as const),
      [['or', '0', related, 'createdAt'], { or: [{ [related]: { createdAt: range } }] }] as const,
    ];
    for (const [path, filter] of filters) {
      const { result, errors, calls } = await search(traits.name, { filter });
      expect([result, calls]).toEqual([null, []]);
      expect(getError(errors)).toMatchObject({
        code: 'BAD_USER_INPUT',
        issues: [{ path: ['filter', ...path, 'lt'], code: 'OUT_OF_RANGE', limit: null, message: `must be after \`gte\` (${message}` }],
      });
    }
  });

  it('fails in a list with the same error', async () => {
    const document =
      'query ($range: TimeConditionInput) { customers(first: 1) { nodes { orders(filter: { createdAt: $range }) { nodes { id } } } } }';
    const { errors } = await testGraph.execute(document, { range });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      issues: [{ path: ['filter', 'createdAt', 'lt'], code: 'OUT_OF_RANGE', limit: null, message: `must be after \`gte\` (${message}` }],
    });
  });
});

describe('query', () => {
  it.each([
    ['', 'BLANK', null],
    [' \t', 'BLANK', null],
    ['x'.repeat(201), 'TOO_LONG', 200],
    ['😀'.repeat(201), 'TOO_LONG', 200],
    ['a\0b', 'INVALID_FORMAT', null],
  ])('rejects %j before any call', async (query, code, limit) => {
    for (const { name } of SEARCHES) {
      const { result, errors, calls } = await search(name, { query });
      expect([result, calls]).toEqual([null, []]);
      expect(getError(errors)).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['query'], code, limit }] });
    }
  });

  it.each(['é', '😀'])('accepts 200 characters: %s', async (character) => {
    const { errors, result } = await search('orderSearch', { query: character.repeat(200) });
    expect([errors, result]).toEqual([undefined, { totalCount: 0, nodes: [] }]);
  });
});

describe('pagination', () => {
  it.each([
    [{ first: -1 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ last: 101 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
    [{ before: 'x' }, 'before'],
    [{ last: 1, after: 'x' }, 'after'],
  ])('rejects %j before any call', async (args, path) => {
    for (const selection of ['nodes { id }', 'totalCount']) {
      const { errors, calls } = await search('orderSearch', args, selection);
      expect(getError(errors)).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: [path] }] });
      expect(calls).toEqual([]);
    }
  });

  it('rejects a cursor of another search, filter, text or sort order before any call', async () => {
    const { result } = await search('orderSearch', { first: 1 }, 'pageInfo { endCursor }');
    const after = result.pageInfo.endCursor;
    const others: readonly (readonly [SearchName, SearchArguments])[] = [
      ['quoteSearch', {}],
      ['orderSearch', { filter: EUR }],
      ['orderSearch', { query: 'a' }],
      ['orderSearch', { orderBy: { field: 'UPDATED_AT' } }],
      ['orderSearch', { orderBy: { field: 'CREATED_AT', direction: 'ASC' } }],
    ];
    for (const [name, args] of others) {
      const { errors, calls } = await search(name, { ...args, first: 1, after }, 'nodes { id }');
      expect([getError(errors).code, calls]).toEqual(['INVALID_CURSOR', []]);
    }
    expect((await search('orderSearch', { first: 1, after, filter: {} }, 'nodes { id }')).errors).toBeUndefined();
  });
});
