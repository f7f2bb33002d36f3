import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph, sdl } = getGraph();

const testGraph = useTestGraph();

const CUSTOMERS = Array.from({ length: 10 }, (_, index) => demoId(`customer ${index}`));
const createGlobalId = (rawId: string, type = 'Customer') => toGlobalId(type, rawId);
const GET = 'Customer/GetCustomer';

const NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on Customer { title } ... on Contact { lastName } } }';
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Customer { title } } }';
const createEntitiesQuery = (selection: string) => `query ($of: [_Any!]!) { _entities(representations: $of) { __typename ${selection} } }`;

const [first = ''] = CUSTOMERS;

describe('Query.node', () => {
  it('returns any entity by its global ID with one call', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODE, { id: createGlobalId(first) }));
    expect(errors).toBeUndefined();
    expect(data.node).toEqual({ __typename: 'Customer', id: createGlobalId(first), title: expect.any(String) });
    expect(calls).toEqual([GET]);
  });

  it.each(['Product', 'Contact', 'Customer'])('reports UNAUTHENTICATED for a %s without a key', async (type) => {
    const of = [{ __typename: type, id: createGlobalId('some', type) }];
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(null, createEntitiesQuery('... on Product { name } ... on Contact { lastName } ... on Customer { title }'), {
        of,
      }),
    );
    expect([errors?.map(({ extensions }) => extensions.code), calls]).toEqual([['UNAUTHENTICATED'], []]);
  });

  it('rejects keys of different records', async () => {
    const of = [{ __typename: 'Customer', id: createGlobalId(first), rawId: CUSTOMERS[1] }];
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(createEntitiesQuery('... on Customer { title }'), { of }),
    );
    expect(data._entities).toEqual([null]);
    expect(errors?.map(({ extensions }) => extensions.issues)).toEqual([
      [{ path: ['representations', '0', 'id'], code: 'NOT_ALLOWED', limit: null, message: expect.stringContaining('the same') }],
    ]);
    expect(calls).toEqual([]);
  });

  it('truncates an unknown type name in the error', async () => {
    const { errors } = await testGraph.execute(createEntitiesQuery('... on Customer { title }'), {
      of: [{ __typename: 'x'.repeat(10_000) }],
    });
    expect(errors?.[0]?.message.length).toBeLessThan(300);
  });

  it('returns null for a missing record', async () => {
    const { data, errors } = await testGraph.execute(NODE, { id: createGlobalId('absent') });
    expect({ data, errors }).toEqual({ data: { node: null }, errors: undefined });
  });

  it.each([
    ['a raw ID', first],
    ['a raw ID that is valid base64', Buffer.from('hello').toString('base64url')],
    ['a string that is no ID', 'not an id'],
    ['an empty string', ''],
    ['a type without an ID', Buffer.from('Customer:').toString('base64url')],
  ])('rejects %s without a call and describes the expected ID', async (_name, id) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODE, { id }));
    expect(data).toEqual({ node: null });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('For raw IDs, use a typed field such as `customer(id:)`, or `nodes` with `nodeType`.'),
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(calls).toEqual([]);
  });

  it.each(['Money', 'Query', 'CustomerConnection', 'Nonsense', 'QuoteStatus'])(
    'returns null for an ID of the non-entity type %s',
    async (type) => {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODE, { id: toGlobalId(type, 'x') }));
      expect(data).toEqual({ node: null });
      expect((errors ?? []).map(({ extensions }) => extensions.code)).not.toContain('INTERNAL_SERVER_ERROR');
      expect(calls).toEqual([]);
    },
  );
});

describe('Query.nodes', () => {
  it('returns the nodes in the order of the IDs, with null for missing records', async () => {
    const ids = [
      createGlobalId(demoId('customer 3')),
      createGlobalId('absent'),
      createGlobalId(demoId('contact 1'), 'Contact'),
      createGlobalId(first),
      createGlobalId(demoId('customer 3')),
    ];
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODES, { ids }));
    expect(errors).toBeUndefined();
    expect(data.nodes.map((node: { id: string } | null) => node?.id ?? null)).toEqual([ids[0], null, ids[2], ids[3], ids[4]]);
    expect(calls.toSorted()).toEqual(['Contact/GetContact', GET, GET, GET]);
  });

  it('fails only the item of an invalid ID', async () => {
    const { data, errors } = await testGraph.execute(NODES, { ids: [createGlobalId(first), 'nonsense', toGlobalId('Money', 'x')] });
    expect(data.nodes.map((node: { id: string } | null) => node?.id ?? null)).toEqual([createGlobalId(first), null, null]);
    expect(errors?.[0]).toMatchObject({ path: ['nodes', 1], extensions: { code: 'BAD_USER_INPUT' } });
  });

  it('accepts a hundred IDs and rejects more', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => createGlobalId(CUSTOMERS[index % 10] ?? ''));
    const [result, calls] = await testGraph.recordCalls(() => testGraph.execute(NODES, { ids }));
    expect(result.data.nodes).toHaveLength(100);
    expect(calls).toHaveLength(10);
    const [{ errors }, rejectedCalls] = await testGraph.recordCalls(() =>
      testGraph.execute(NODES, { ids: [...ids, createGlobalId(first)] }),
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['ids'] }] });
    expect(rejectedCalls).toEqual([]);
  });
});

describe('Query._entities', () => {
  const mixed = Array.from({ length: 100 }, (_, index) => {
    const rawId = CUSTOMERS[index % 10] ?? '';
    return { __typename: 'Customer', ...(index % 2 === 0 ? { id: createGlobalId(rawId) } : { rawId }) };
  });
  /** Both keys of every customer: `id` in even rounds, `rawId` in odd ones. */
  const shifted = mixed.map((representation, index) =>
    Math.floor(index / 10) % 2 === 0 ? representation : { __typename: 'Customer', rawId: CUSTOMERS[index % 10] },
  );

  it('fetches each of ten records once, regardless of repetitions and keys', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(createEntitiesQuery('... on Customer { rawId title }'), { of: shifted }),
    );
    expect(errors).toBeUndefined();
    expect(data._entities.map(({ rawId }: { rawId: string }) => rawId)).toEqual(shifted.map((_, index) => CUSTOMERS[index % 10]));
    expect(calls).toEqual(Array(10).fill(GET));
  });

  it('converts one key into the other without a call', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(createEntitiesQuery('... on Customer { id rawId }'), { of: mixed }),
    );
    expect(errors).toBeUndefined();
    expect(data._entities[1]).toEqual({ __typename: 'Customer', id: createGlobalId(CUSTOMERS[1] ?? ''), rawId: CUSTOMERS[1] });
    expect(calls).toEqual([]);
  });

  it('calls only lists if only lists are selected', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(createEntitiesQuery('... on Customer { id quotes(first: 1) { nodes { id } } }'), { of: mixed.slice(0, 2) }),
    );
    expect(errors).toBeUndefined();
    expect(calls).toEqual(['Quote/ListQuotes', 'Quote/ListQuotes']);
  });

  it.each([
    ['an ID of another type', { id: createGlobalId(first, 'Contact') }],
    ['no key', {}],
    ['a blank ID', { id: '' }],
    ['a blank rawId', { rawId: '' }],
    ['a key that is a number', { rawId: 5 }],
    ['a key that is null', { id: null }],
  ])('fails only the representation with %s', async (_name, key) => {
    const of = [
      { __typename: 'Customer', rawId: first },
      { __typename: 'Customer', ...key },
      { __typename: 'Contact', rawId: demoId('contact 1') },
    ];
    const { data, errors } = await testGraph.execute(createEntitiesQuery('... on Customer { title } ... on Contact { lastName }'), { of });
    expect(data._entities).toEqual([
      { __typename: 'Customer', title: expect.any(String) },
      null,
      { __typename: 'Contact', lastName: expect.any(String) },
    ]);
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['_entities', 1], 'BAD_USER_INPUT']]);
  });

  it.each([
    ['a list as type name', ['Customer']],
    ['an object as type name', { toString: 'Customer' }],
  ])('fails only the representation with %s', async (_name, __typename) => {
    const of = [
      { __typename, rawId: first },
      { __typename: 'Customer', rawId: first },
    ];
    const { data, errors } = await testGraph.execute(createEntitiesQuery('... on Customer { title }'), { of });
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['_entities', 0], 'BAD_USER_INPUT']]);
    expect(data._entities).toEqual([null, { __typename: 'Customer', title: expect.any(String) }]);
  });

  it.each(['rawId', 'id', '__typename'])('reports a deeply nested %s as BAD_USER_INPUT', async (name) => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const variables = { of: [{ __typename: 'Customer', [name]: 'nested' }] };
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ query: createEntitiesQuery('... on Customer { title }'), variables }).replace('"nested"', nested),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  });

  it.each([
    ['id', { id: createGlobalId(first), rawId: null }],
    ['rawId', { id: null, rawId: first }],
  ])('resolves by %s if the other key is null', async (_name, keys) => {
    const { data, errors } = await testGraph.execute(createEntitiesQuery('... on Customer { rawId title }'), {
      of: [{ __typename: 'Customer', ...keys }],
    });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([{ __typename: 'Customer', rawId: first, title: expect.any(String) }]);
  });

  it('returns null for a missing record', async () => {
    const { data, errors } = await testGraph.execute(createEntitiesQuery('... on Customer { title }'), {
      of: [
        { __typename: 'Customer', rawId: 'absent' },
        { __typename: 'Customer', rawId: first },
      ],
    });
    expect(data._entities).toEqual([null, { __typename: 'Customer', title: expect.any(String) }]);
    expect(errors).toBeUndefined();
  });

  const TITLES_QUERY = createEntitiesQuery('... on Customer { title }');
  const createUnknown = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ __typename: 'Customer', rawId: `stranger ${index}` }));

  it('accepts representations of a hundred records, regardless of repetitions', async () => {
    const of = [...mixed, ...mixed, ...createUnknown(90)];
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(TITLES_QUERY, { of }));
    expect(errors).toBeUndefined();
    expect(data._entities).toHaveLength(290);
    expect(calls).toHaveLength(100);
  });

  it('rejects each representation if they identify more than a hundred records, without a call', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(TITLES_QUERY, { of: createUnknown(101) }));
    expect(data).toEqual({ _entities: Array(101).fill(null) });
    expect(errors).toHaveLength(101);
    expect(errors?.[100]).toMatchObject({
      path: ['_entities', 100],
      message: expect.stringContaining('at most 100'),
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(calls).toEqual([]);
  });

  it('rejects more than a thousand representations, even of one record', async () => {
    const of = Array.from({ length: 1_001 }, () => ({ __typename: 'Customer', rawId: first }));
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(TITLES_QUERY, { of }));
    expect(errors).toMatchObject([{ message: expect.stringContaining('at most 1000'), extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls).toEqual([]);
  });

  it('counts the representations of all aliases', async () => {
    const of = Array.from({ length: 600 }, () => ({ __typename: 'Customer', rawId: first }));
    const query =
      'query ($of: [_Any!]!) { a: _entities(representations: $of) { __typename } b: _entities(representations: $of) { __typename } }';
    const { errors } = await testGraph.execute(query, { of });
    expect(errors).toMatchObject([
      { path: ['b'], message: expect.stringContaining('but has 1200'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('reports an error code for a type that isn’t an entity', async () => {
    const { errors } = await testGraph.execute(createEntitiesQuery('... on Customer { title }'), { of: [{ __typename: 'Money' }] });
    expect(errors?.length).toBeGreaterThan(0);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('record with two types', () => {
  const ids = [createGlobalId(first), createGlobalId(first, 'Portfolio'), createGlobalId(first)];
  const of = ['Customer', 'Portfolio', 'Customer'].map((__typename) => ({ __typename, rawId: first }));
  const TITLES = '... on Customer { title } ... on Portfolio { portfolioTitle: title }';

  it('has the requested type each time and is fetched once', async () => {
    const query = `query ($ids: [ID!]!, $of: [_Any!]!) {
      nodes(ids: $ids) { __typename ${TITLES} }
      _entities(representations: $of) { __typename ${TITLES} }
    }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { ids, of }));
    expect(errors).toBeUndefined();
    const getType = ({ __typename }: { __typename: string }) => __typename;
    expect(data.nodes.map(getType)).toEqual(['Customer', 'Portfolio', 'Customer']);
    expect(data._entities.map(getType)).toEqual(['Customer', 'Portfolio', 'Customer']);
    expect(calls).toEqual([GET]);
  });
});

describe('subgraph', () => {
  it('returns the schema with its federation directives', async () => {
    const { data } = await testGraph.execute('{ _service { sdl } }');
    expect(data._service.sdl).toBe(sdl);
    expect(data._service.sdl).toContain('@link(url: "https://specs.apollo.dev/federation/v2.9"');
  });

  it('has both keys for every entity, and only `id` for entities identified by several IDs', async () => {
    const { data } = await testGraph.execute('{ _service { sdl } }');
    const entities = Object.values(graph.getTypeMap()).filter(
      (type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'),
    );
    expect(entities.length).toBeGreaterThan(5);
    for (const { name } of entities) {
      const head: string = data._service.sdl.split('\n').find((line: string) => line.startsWith(`type ${name} `)) ?? name;
      const block = data._service.sdl.slice(data._service.sdl.indexOf(head)).split('{\n')[0];
      expect(block).toContain('@key(fields: "id")');
      expect(block.includes('@key(fields: "rawId")')).toBe(name !== 'Invoice');
    }
  });
});
