import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SchemaReading } from '../../../src/server/execution/schemaReading.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const SDL = '{ _service { sdl } }';
/** Introspection queries: the standard one, `__type`, and `__schema` inside a fragment under an alias. */
const INTROSPECTION_QUERIES = [
  getIntrospectionQuery(),
  '{ __type(name: "Query") { name } }',
  '{ ...F } fragment F on Query { a: __schema { types { name } } }',
] as const;

/** Misspelled names of existing fields, types, and values. The last two are in variables, which aren't validated with the document. */
const MISSPELLED = [
  ['{ customerss { id } }', {}],
  ['{ contacts { nodes { lastNam } } }', {}],
  ['{ contacts(firs: 1) { __typename } }', {}],
  ['{ node(id: "x") { lastName } }', {}],
  ['{ node(id: "x") { ... on Custome { id } } }', {}],
  ['{ customer(id: "x") { quotes(filter: { statuses: [CONFIRME] }) { __typename } } }', {}],
  ['query ($s: [QuoteStatus!]) { customer(id: "x") { quotes(filter: { statuses: $s }) { __typename } } }', { s: 'CONFIRME' }],
  ['query ($by: CustomerByInput!) { customersByIdentifier(by: $by) { id } }', { by: { emai: 'x' } }],
] as const;

const listCodes = (errors: readonly { extensions: Record<string, unknown> }[] | undefined) => [
  ...new Set(errors?.map(({ extensions }) => extensions.code)),
];

describe('schema', () => {
  const open = useTestGraph();
  const sdlOnly = useTestGraph({}, undefined, { env: { INTROSPECTION: 'sdl' } });
  const closed = useTestGraph({}, undefined, { env: { NODE_ENV: 'production' } });

  it('supports introspection outside production, with suggestions for misspelled names', async () => {
    for (const query of INTROSPECTION_QUERIES) expect((await open.execute(query)).errors).toBeUndefined();
    expect((await open.execute(SDL)).data._service.sdl).toContain('type Customer');
    for (const [query, variables] of MISSPELLED)
      expect((await open.execute(query, variables)).errors?.[0]?.message, query).toContain('Did you mean');
  });

  it.each([
    ['in production', closed],
    ['with INTROSPECTION=sdl', sdlOnly],
  ])('hides introspection and suggestions %s', async (_name, testGraph) => {
    for (const query of INTROSPECTION_QUERIES) {
      const { status, errors } = await testGraph.executeAs(null, query);
      expect([status, listCodes(errors)]).toEqual([400, ['GRAPHQL_VALIDATION_FAILED']]);
    }
    for (const [query, variables] of MISSPELLED) {
      const { status, errors } = await testGraph.execute(query, variables);
      expect([status, JSON.stringify(errors)], query).toEqual([400, expect.not.stringMatching(/did you mean/i)]);
    }
    expect((await testGraph.execute('{ __typename contacts(first: 1) { nodes { __typename } } }')).errors).toBeUndefined();
  });

  it('returns SDL with INTROSPECTION=sdl, but not in production', async () => {
    expect((await sdlOnly.execute(SDL)).data._service.sdl).toContain('type Customer');
    const { status, errors } = await closed.execute('{ ... on Query { s: _service { sdl } } }');
    expect([status, listCodes(errors), errors?.[0]?.message]).toEqual([
      400,
      ['GRAPHQL_VALIDATION_FAILED'],
      expect.stringContaining('Compose with an SDL file'),
    ]);
  });

  it('caches introspection per document, operation, and variables, for all callers', async () => {
    const query = 'query A($name: String!) { __type(name: $name) { name } } query B { __schema { queryType { name } } __typename }';
    const reads = vi.spyOn(SchemaReading.prototype, 'read');
    onTestFinished(() => reads.mockRestore());
    const executeQuery = async (operationName: string, variables: object, key: string | null) => {
      reads.mockClear();
      const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
      const response = await fetch(`${open.url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query, operationName, variables }),
      });
      return [(await response.json()) as object, reads.mock.calls.length];
    };
    const quote = { data: { __type: { name: 'Quote' } } };
    const schema = { data: { __schema: { queryType: { name: 'Query' } }, __typename: 'Query' } };
    expect([
      await executeQuery('A', { name: 'Quote' }, null),
      await executeQuery('A', { name: 'Quote' }, 'demo-owner'),
      await executeQuery('A', { name: 'Order' }, null),
      await executeQuery('B', {}, null),
      await executeQuery('B', {}, 'demo-reader'),
      await executeQuery('A', { name: 'Quote' }, null),
    ]).toEqual([
      [quote, 1],
      [quote, 0],
      [{ data: { __type: { name: 'Order' } } }, 1],
      [schema, 1],
      [schema, 0],
      [quote, 0],
    ]);
  });

  it('allows entity queries in production', async () => {
    const query = '{ _entities(representations: [{ __typename: "Customer", rawId: "x" }]) { __typename } }';
    expect((await closed.execute(query)).data).toEqual({ _entities: [{ __typename: 'Customer' }] });
  });

  it('has no GraphiQL page in production', async () => {
    const page = (testGraph: typeof open) => fetch(`${testGraph.url}/graphql`, { headers: { accept: 'text/html' } });
    expect([(await page(open)).status, (await page(closed)).status]).toEqual([200, 406]);
  });
});

describe('settings of introspection and GraphiQL', () => {
  it('default to a value that depends on NODE_ENV', () => {
    const readSettings = (env: Record<string, string>) => {
      const { INTROSPECTION, GRAPHIQL } = readConfig(env);
      return [INTROSPECTION, GRAPHIQL];
    };
    expect([readSettings({}), readSettings({ NODE_ENV: 'test' }), readSettings({ NODE_ENV: 'production' })]).toEqual([
      ['true', true],
      ['true', true],
      ['false', false],
    ]);
    expect(readSettings({ NODE_ENV: 'production', INTROSPECTION: 'sdl', GRAPHIQL: 'true' })).toEqual(['sdl', true]);
    expect(() => readConfig({ INTROSPECTION: 'maybe' })).toThrow('INTROSPECTION must be one of true, sdl, false, but is maybe.');
  });
});
