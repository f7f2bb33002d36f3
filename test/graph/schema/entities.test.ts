import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { DEFAULT_SUBGRAPH } from '../../../src/subgraph/options.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import { RAW_RECORDS, useTestGraph } from '../../support/testGraph.ts';

const { schema: graph, sdl } = getGraph({ ...DEFAULT_SUBGRAPH, hasRawRecords: true });

const testGraph = useTestGraph({}, undefined, RAW_RECORDS);

const CUSTOMERS = Array.from({ length: 10 }, (_, index) => demoId(`customer ${index}`));
const global = (rawId: string, type = 'Customer') => toGlobalId(type, rawId);
const GET = 'Customer/GetCustomer';

const NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on Customer { title } ... on Contact { lastName } } }';
const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Customer { title } } }';
const ENTITIES = (selection: string) => `query ($of: [_Any!]!) { _entities(representations: $of) { __typename ${selection} } }`;

const [first = ''] = CUSTOMERS;

describe('Query.node', () => {
  it('answers any entity by its global id, by one call', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODE, { id: global(first) }));
    expect(errors).toBeUndefined();
    expect(data.node).toEqual({ __typename: 'Customer', id: global(first), title: expect.any(String) });
    expect(calls).toEqual([GET]);
  });

  it.each(['Product', 'Contact', 'Customer'])('says of a %s that there is no API key, where none is sent', async (type) => {
    const of = [{ __typename: type, id: global('some', type) }];
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(null, ENTITIES('... on Product { name } ... on Contact { lastName } ... on Customer { title }'), { of }),
    );
    expect([errors?.map(({ extensions }) => extensions.code), calls]).toEqual([['UNAUTHENTICATED'], []]);
  });

  it('refuses keys that name different records', async () => {
    const of = [{ __typename: 'Customer', id: global(first), rawId: CUSTOMERS[1] }];
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(ENTITIES('... on Customer { title }'), { of }));
    expect(data._entities).toEqual([null]);
    expect(errors?.map(({ extensions }) => extensions.issues)).toEqual([
      [{ path: ['id'], code: 'NOT_ALLOWED', limit: null, message: expect.stringContaining('the same') }],
    ]);
    expect(calls).toEqual([]);
  });

  it('repeats no more than a little of a type that it does not know', async () => {
    const { errors } = await testGraph.execute(ENTITIES('... on Customer { title }'), { of: [{ __typename: 'x'.repeat(10_000) }] });
    expect(errors?.[0]?.message.length).toBeLessThan(300);
  });

  it('answers null for a record that is not there', async () => {
    const { data, errors } = await testGraph.execute(NODE, { id: global('nobody') });
    expect({ data, errors }).toEqual({ data: { node: null }, errors: undefined });
  });

  it.each([
    ['a raw id', first],
    ['a raw id that is base64', Buffer.from('hello').toString('base64url')],
    ['text', 'not an id'],
    ['an empty text', ''],
    ['a type without an id', Buffer.from('Customer:').toString('base64url')],
  ])('refuses %s, says what it wants, and asks nothing', async (_name, id) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODE, { id }));
    expect(data).toEqual({ node: null });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('For raw IDs, use a typed field such as `customer(id:)`.'),
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(calls).toEqual([]);
  });

  it.each(['Money', 'Query', 'CustomerConnection', 'Nonsense', 'QuoteStatus'])(
    'answers nothing for an id of the type %s, which has no objects to read',
    async (type) => {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODE, { id: toGlobalId(type, 'x') }));
      expect(data).toEqual({ node: null });
      expect((errors ?? []).map(({ extensions }) => extensions.code)).not.toContain('INTERNAL_SERVER_ERROR');
      expect(calls).toEqual([]);
    },
  );
});

describe('Query.nodes', () => {
  it('answers in the order of the ids, with null for each that is not there', async () => {
    const ids = [
      global(demoId('customer 3')),
      global('nobody'),
      global(demoId('contact 1'), 'Contact'),
      global(first),
      global(demoId('customer 3')),
    ];
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODES, { ids }));
    expect(errors).toBeUndefined();
    expect(data.nodes.map((node: { id: string } | null) => node?.id ?? null)).toEqual([ids[0], null, ids[2], ids[3], ids[4]]);
    expect(calls.toSorted()).toEqual(['Contact/GetContact', GET, GET, GET]);
  });

  it('lets a bad id fail alone', async () => {
    const { data, errors } = await testGraph.execute(NODES, { ids: [global(first), 'nonsense', toGlobalId('Money', 'x')] });
    expect(data.nodes.map((node: { id: string } | null) => node?.id ?? null)).toEqual([global(first), null, null]);
    expect(errors?.[0]).toMatchObject({ path: ['nodes', 1], extensions: { code: 'BAD_USER_INPUT' } });
  });

  it('takes a hundred ids, and refuses one more', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => global(CUSTOMERS[index % 10] ?? ''));
    const [taken, calls] = await testGraph.recordCalls(() => testGraph.execute(NODES, { ids }));
    expect(taken.data.nodes).toHaveLength(100);
    expect(calls).toHaveLength(10);
    const [{ errors }, none] = await testGraph.recordCalls(() => testGraph.execute(NODES, { ids: [...ids, global(first)] }));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['ids'] }] });
    expect(none).toEqual([]);
  });
});

describe('Query._entities', () => {
  const mixed = Array.from({ length: 100 }, (_, index) => {
    const rawId = CUSTOMERS[index % 10] ?? '';
    return { __typename: 'Customer', ...(index % 2 === 0 ? { id: global(rawId) } : { rawId }) };
  });
  /** Both keys of every customer: by id for even rounds, by rawId for odd ones. */
  const shifted = mixed.map((representation, index) =>
    Math.floor(index / 10) % 2 === 0 ? representation : { __typename: 'Customer', rawId: CUSTOMERS[index % 10] },
  );

  it('reads each of ten records once, however often and by whichever key they are referred to', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(ENTITIES('... on Customer { rawId title }'), { of: shifted }),
    );
    expect(errors).toBeUndefined();
    expect(data._entities.map(({ rawId }: { rawId: string }) => rawId)).toEqual(shifted.map((_, index) => CUSTOMERS[index % 10]));
    expect(calls).toEqual(Array(10).fill(GET));
  });

  it('turns one key into the other without a call', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(ENTITIES('... on Customer { id rawId }'), { of: mixed }),
    );
    expect(errors).toBeUndefined();
    expect(data._entities[1]).toEqual({ __typename: 'Customer', id: global(CUSTOMERS[1] ?? ''), rawId: CUSTOMERS[1] });
    expect(calls).toEqual([]);
  });

  it('asks only for lists when only lists are asked for', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(ENTITIES('... on Customer { id quotes(first: 1) { nodes { id } } }'), { of: mixed.slice(0, 2) }),
    );
    expect(errors).toBeUndefined();
    expect(calls).toEqual(['Quote/ListQuotes', 'Quote/ListQuotes']);
  });

  it.each([
    ['an id of another type', { id: global(first, 'Contact') }],
    ['no key', {}],
    ['a blank id', { id: '' }],
    ['a blank rawId', { rawId: '' }],
    ['a key that is a number', { rawId: 5 }],
    ['a key that is null', { id: null }],
  ])('lets a representation with %s fail alone', async (_name, key) => {
    const of = [
      { __typename: 'Customer', rawId: first },
      { __typename: 'Customer', ...key },
      { __typename: 'Contact', rawId: demoId('contact 1') },
    ];
    const { data, errors } = await testGraph.execute(ENTITIES('... on Customer { title } ... on Contact { lastName }'), { of });
    expect(data._entities).toEqual([
      { __typename: 'Customer', title: expect.any(String) },
      null,
      { __typename: 'Contact', lastName: expect.any(String) },
    ]);
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['_entities', 1], 'BAD_USER_INPUT']]);
  });

  it.each([
    ['a list', ['Customer']],
    ['an object', { toString: 'Customer' }],
  ])('lets a representation whose type is named by %s fail alone', async (_name, __typename) => {
    const of = [
      { __typename, rawId: first },
      { __typename: 'Customer', rawId: first },
    ];
    const { data, errors } = await testGraph.execute(ENTITIES('... on Customer { title }'), { of });
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['_entities', 0], 'BAD_USER_INPUT']]);
    expect(data._entities).toEqual([null, { __typename: 'Customer', title: expect.any(String) }]);
  });

  it.each(['rawId', 'id', '__typename'])('takes a deeply nested %s for the caller’s mistake', async (name) => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const variables = { of: [{ __typename: 'Customer', [name]: 'nested' }] };
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ query: ENTITIES('... on Customer { title }'), variables }).replace('"nested"', nested),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  });

  it.each([
    ['id', { id: global(first), rawId: null }],
    ['rawId', { id: null, rawId: first }],
  ])('reads by the %s when the other key is null', async (_name, keys) => {
    const { data, errors } = await testGraph.execute(ENTITIES('... on Customer { rawId title }'), {
      of: [{ __typename: 'Customer', ...keys }],
    });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([{ __typename: 'Customer', rawId: first, title: expect.any(String) }]);
  });

  it('answers null for a record that is not there', async () => {
    const { data, errors } = await testGraph.execute(ENTITIES('... on Customer { title }'), {
      of: [
        { __typename: 'Customer', rawId: 'nobody' },
        { __typename: 'Customer', rawId: first },
      ],
    });
    expect(data._entities).toEqual([null, { __typename: 'Customer', title: expect.any(String) }]);
    expect(errors).toBeUndefined();
  });

  const NAMED = ENTITIES('... on Customer { title }');
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ __typename: 'Customer', rawId: `stranger ${index}` }));

  it('takes references to a hundred records, however often each is repeated', async () => {
    const of = [...mixed, ...mixed, ...strangers(90)];
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NAMED, { of }));
    expect(errors).toBeUndefined();
    expect(data._entities).toHaveLength(290);
    expect(calls).toHaveLength(100);
  });

  it('refuses references to more than a hundred records before it asks, each of them', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NAMED, { of: strangers(101) }));
    expect(data).toEqual({ _entities: Array(101).fill(null) });
    expect(errors).toHaveLength(101);
    expect(errors?.[100]).toMatchObject({
      path: ['_entities', 100],
      message: expect.stringContaining('at most 100'),
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(calls).toEqual([]);
  });

  it('refuses more than a thousand references, whatever they name', async () => {
    const of = Array.from({ length: 1_001 }, () => ({ __typename: 'Customer', rawId: first }));
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NAMED, { of }));
    expect(errors).toMatchObject([{ message: expect.stringContaining('at most 1000'), extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls).toEqual([]);
  });

  it('counts the references of a request over all names that it gives them', async () => {
    const of = Array.from({ length: 600 }, () => ({ __typename: 'Customer', rawId: first }));
    const query =
      'query ($of: [_Any!]!) { a: _entities(representations: $of) { __typename } b: _entities(representations: $of) { __typename } }';
    const { errors } = await testGraph.execute(query, { of });
    expect(errors).toMatchObject([
      { path: ['b'], message: expect.stringContaining('but has 1200'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('lets a type that is no entity fail with a code', async () => {
    const { errors } = await testGraph.execute(ENTITIES('... on Customer { title }'), { of: [{ __typename: 'Money' }] });
    expect(errors?.length).toBeGreaterThan(0);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('upstreamRecord', () => {
  it.each([
    ['through node', NODE.replace('title', 'upstreamRecord'), { id: global(first) }, 'node'],
    ['through _entities', ENTITIES('... on Customer { upstreamRecord }'), { of: [{ __typename: 'Customer', rawId: first }] }, '_entities'],
    ['through nodes', NODES.replace('title', 'upstreamRecord'), { ids: [global(first)] }, 'nodes'],
    [
      'through a portfolio',
      ENTITIES('... on Portfolio { upstreamRecord }'),
      { of: [{ __typename: 'Portfolio', rawId: first }] },
      '_entities',
    ],
    ['through a root field', 'query ($id: ID!) { customer(id: $id) { __typename upstreamRecord } }', { id: first }, 'customer'],
  ])('hold the record of the upstream and nothing of ours, %s', async (_name, query, variables, root) => {
    const { data, errors } = await testGraph.execute(query, variables);
    expect(errors).toBeUndefined();
    const { upstreamRecord } = [data[root]].flat()[0];
    expect(upstreamRecord.id).toBe(first);
    expect(Object.keys(upstreamRecord).filter((name) => name.startsWith('__') || name === 'rawId')).toEqual([]);
  });
});

describe('a record that is read as two types', () => {
  const ids = [global(first), global(first, 'Portfolio'), global(first)];
  const of = ['Customer', 'Portfolio', 'Customer'].map((__typename) => ({ __typename, rawId: first }));
  const TITLES = '... on Customer { title } ... on Portfolio { portfolioTitle: title }';

  it('is of the type that was asked for each time, and fetched once', async () => {
    const query = `query ($ids: [ID!]!, $of: [_Any!]!) {
      nodes(ids: $ids) { __typename ${TITLES} }
      _entities(representations: $of) { __typename ${TITLES} }
    }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { ids, of }));
    expect(errors).toBeUndefined();
    const types = ({ __typename }: { __typename: string }) => __typename;
    expect(data.nodes.map(types)).toEqual(['Customer', 'Portfolio', 'Customer']);
    expect(data._entities.map(types)).toEqual(['Customer', 'Portfolio', 'Customer']);
    expect(calls).toEqual([GET]);
  });
});

describe('the subgraph', () => {
  it('tells its schema with its federation directives', async () => {
    const { data } = await testGraph.execute('{ _service { sdl } }');
    expect(data._service.sdl).toBe(sdl);
    expect(data._service.sdl).toContain('@link(url: "https://specs.apollo.dev/federation/v2.9"');
  });

  it('gives every entity both keys, and one that several ids identify its `id`', async () => {
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
