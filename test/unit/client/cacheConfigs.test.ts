import { readFileSync } from 'node:fs';
import { InMemoryCache } from '@apollo/client';
import { buildSchema, isAbstractType, isObjectType, parse } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { cacheConfig } from '../../../client/src/apollo/index.ts';
import { CONNECTIONS } from '../../../client/src/generated/connections.gen.ts';
import { graphcacheConfig } from '../../../client/src/urql/index.ts';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const abstract = types.filter(isAbstractType);

const sortMembers = (possibleTypes: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(possibleTypes).map(([name, members]) => [name, [...members].sort()]));

describe('graphcacheConfig', () => {
  it('has a key for each object type without an ID', () => {
    const roots = ['Query', 'Mutation', 'Subscription'];
    const values = types.filter(isObjectType).filter((type) => !roots.includes(type.name) && !('id' in type.getFields()));
    expect(Object.keys(graphcacheConfig().keys).sort()).toEqual([...values.map(({ name }) => name), 'UnknownError'].sort());
  });

  it('has a resolver for each connection', () => {
    const resolver = () => null;
    const { resolvers } = graphcacheConfig(resolver);
    expect([resolvers.Customer?.quotes, resolvers.Query?.customers]).toEqual([resolver, resolver]);
  });

  it('logs all warnings except missing fields', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const debug = vi.spyOn(console, 'debug').mockReturnValue();
    const { logger } = graphcacheConfig();
    logger('warn', 'Invalid undefined: The field at `code` is `undefined`.');
    logger('debug', 'No value for field "customer".');
    logger('warn', 'Invalid key.');
    expect([warn.mock.calls, debug.mock.calls]).toEqual([[['Invalid key.']], []]);
    vi.restoreAllMocks();
  });
});

describe('possible types', () => {
  const expected = Object.fromEntries(abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]));
  const results = new Set(Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ type }) => String(type)));

  it.each([
    ['urql', graphcacheConfig().possibleTypes, 'UnknownError'],
    ['Apollo Client', cacheConfig.possibleTypes, '.+Error'],
  ])('contain the types of the schema and newer failures in %s', (_, possibleTypes, newer) => {
    const { MutationError, ...others } = sortMembers(possibleTypes);
    expect(MutationError).toEqual([...(expected.MutationError ?? []), newer].sort());
    for (const [name, members] of Object.entries(others))
      if (results.has(name)) expect(members).toEqual(expect.arrayContaining([...(expected[name] ?? []), newer]));
      else expect([name, members]).toEqual([name, expected[name]?.toSorted()]);
    expect(Object.keys(possibleTypes).sort()).toEqual(Object.keys(expected).sort());
  });
});

describe('cacheConfig for Apollo Client', () => {
  const lists = Object.entries(CONNECTIONS).flatMap(([type, fields]) => Object.keys(fields).map((field) => [type, field] as const));
  const ITEMS = {
    nodes: 'nodes { id }',
    edges: 'edges { node { id } }',
    both: 'edges { cursor node { id } } nodes { id }',
    'separate fields': 'edges { cursor } nodes { id }',
  };

  /** One list in a cache of its own, by its type and field. */
  function createList(type: string, field: string) {
    const cache = new InMemoryCache(cacheConfig);
    const id = type === 'Query' ? 'ROOT_QUERY' : `${type}:1`;
    const node = schema.getType(type);
    const itemType = isObjectType(node) ? String(node.getFields()[field]?.type).replace('Connection', '') : '';
    const fragment = (selection: string) =>
      parse(`fragment List on ${type} { ${field}(first: $first, after: $after, last: $last, before: $before) { ${selection} } }`);
    return {
      write: (selection: string, variables: object, connection: object) =>
        cache.writeFragment({ id, fragment: fragment(selection), variables, data: { __typename: type, [field]: connection } }),
      /** Null if the cache lacks a selected field. */
      read: (selection: string) => cache.readFragment<Record<string, unknown>>({ id, fragment: fragment(selection) })?.[field] ?? null,
      /** The connection of a page with the items of these numbers, the first of which is the first of the list. */
      page: (...numbers: readonly number[]) => ({
        __typename: `${itemType}Connection`,
        nodes: numbers.map((number) => ({ __typename: itemType, id: String(number) })),
        edges: numbers.map((number) => ({
          __typename: `${itemType}Edge`,
          cursor: `c${number}`,
          node: { __typename: itemType, id: String(number) },
        })),
        pageInfo: {
          __typename: 'PageInfo',
          hasPreviousPage: numbers[0] !== 1,
          hasNextPage: numbers.at(-1) !== 6,
          startCursor: `c${numbers[0]}`,
          endCursor: `c${numbers.at(-1)}`,
        },
      }),
    };
  }

  const PAGE_INFO = 'pageInfo { hasPreviousPage hasNextPage startCursor endCursor }';
  const SECOND_PAGE = { first: 3, after: 'c3' };
  const PREVIOUS_PAGE = { last: 3, before: 'c4' };
  const getIds = (list: unknown) => {
    const { nodes, edges } = list as { nodes: { id: string }[]; edges: { node: { id: string } }[] };
    return [nodes.map(({ id }) => id), edges.map(({ node }) => node.id)];
  };

  it.each(Object.entries(ITEMS))('merges the pages of every list forward and backward: %s', (_, items) => {
    expect(lists.length).toBeGreaterThan(50);
    // All lists have the same policy, so a few suffice for other selections.
    for (const [type, field] of items === ITEMS.nodes ? lists : lists.slice(0, 5)) {
      const selection = `${items} ${PAGE_INFO}`;
      const [forward, backward] = [createList(type, field), createList(type, field)];
      forward.write(selection, { first: 3 }, forward.page(1, 2, 3));
      forward.write(selection, SECOND_PAGE, forward.page(4, 5, 6));
      backward.write(selection, { last: 3 }, backward.page(4, 5, 6));
      backward.write(selection, PREVIOUS_PAGE, backward.page(1, 2, 3));
      const all = ['1', '2', '3', '4', '5', '6'];
      for (const list of [forward, backward]) {
        expect([type, field, ...getIds(list.read('nodes { id } edges { node { id } }'))]).toEqual([type, field, all, all]);
        expect(list.read(PAGE_INFO)).toMatchObject({
          pageInfo: { hasPreviousPage: false, hasNextPage: false, startCursor: 'c1', endCursor: 'c6' },
        });
      }
      // A page of each selection continues a list of the other.
      const mixed = createList(type, field);
      mixed.write(`nodes { id } ${PAGE_INFO}`, { first: 3 }, mixed.page(1, 2, 3));
      mixed.write(selection, SECOND_PAGE, mixed.page(4, 5, 6));
      expect(getIds(mixed.read('nodes { id } edges { node { id } }'))).toEqual([all, all]);
    }
  });

  it('replaces a list whose first page is read again', () => {
    const list = createList('Query', 'customers');
    list.write(`nodes { id } ${PAGE_INFO}`, { first: 3 }, list.page(1, 2, 3));
    list.write(`nodes { id } ${PAGE_INFO}`, SECOND_PAGE, list.page(4, 5, 6));
    list.write(`nodes { id } ${PAGE_INFO}`, { first: 3 }, list.page(1, 2, 4));
    expect(getIds(list.read('nodes { id } edges { node { id } }'))[0]).toEqual(['1', '2', '4']);
  });

  it('omits the items of a list after only its count was read, and keeps loaded items', () => {
    const list = createList('Query', 'customers');
    const count = `totalCount ${PAGE_INFO}`;
    list.write(count, { first: 3 }, { ...list.page(1, 2, 3), totalCount: 6 });
    expect([list.read('nodes { id }'), list.read('edges { node { id } }'), list.read(count)]).toEqual([
      null,
      null,
      expect.objectContaining({ totalCount: 6 }),
    ]);
    list.write(`nodes { id } ${PAGE_INFO}`, { first: 3 }, list.page(1, 2, 3));
    list.write(`nodes { id } ${PAGE_INFO}`, SECOND_PAGE, list.page(4, 5, 6));
    list.write(count, { first: 3 }, { ...list.page(1, 2, 3), totalCount: 7 });
    expect(list.read(`totalCount nodes { id } ${PAGE_INFO}`)).toMatchObject({
      totalCount: 7,
      nodes: [{ id: '1' }, { id: '2' }, { id: '3' }, { id: '4' }, { id: '5' }, { id: '6' }],
      pageInfo: { endCursor: 'c6', hasNextPage: false },
    });
  });

  it('omits cursors that no query has selected', () => {
    const list = createList('Query', 'customers');
    list.write('nodes { id }', { first: 3 }, list.page(1, 2, 3));
    expect([list.read('pageInfo { endCursor }'), list.read('edges { cursor }')]).toEqual([null, null]);
  });
});
