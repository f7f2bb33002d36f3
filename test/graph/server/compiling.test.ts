import { type DocumentNode, parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { BoundedCache } from '../../../src/lib/boundedCache.ts';
import { estimateDocumentBytes } from '../../../src/server/handler.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, { env: { COMPILE_AFTER: '1' } });
const interpreted = useTestGraph({}, undefined, { env: { COMPILE_AFTER: '0' } });
afterEach(() => {
  testGraph.executor.replaceCompiled = (compiled) => compiled;
  testGraph.sandbox.faults.clear();
});

/** Executes a function and counts the compiled queries and the results of compiled queries meanwhile. */
async function countCompiled<Result>(execute: () => Promise<Result>) {
  const { compiled, compared } = testGraph.executor;
  const result = await execute();
  return { result, compiled: testGraph.executor.compiled - compiled, compared: testGraph.executor.compared - compared };
}

const ID = demoId('customer 0');
const CONTACT = `contactCreate(input: { lastName: "Doe" }) { __typename }`;
/** Creates a query with `selections` selections when expanded: the fragment has ten, and each spread counts one more. */
const createLongQuery = (selections: number) =>
  `{ ${'...Ten '.repeat(Math.floor(selections / 11))} ${'__typename '.repeat(selections % 11)} } fragment Ten on Query { viewer { apiKey { ${'rawId '.repeat(8)} } } }`;

describe('repeated query', () => {
  it('compiles once and returns the results of the compiled query', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { title contact { lastName } } }';
    const { compiled, compared } = await countCompiled(async () => {
      for (let round = 0; round < 3; round += 1)
        expect((await testGraph.execute(query, { id: ID })).data.customer.title).toEqual(expect.any(String));
    });
    expect([compiled, compared]).toEqual([1, 3]);
  });

  it('compiles after COMPILE_AFTER executions', async () => {
    const later = await startTestGraph({}, undefined, { env: { COMPILE_AFTER: '3' } });
    const body = JSON.stringify({ query: '{ viewer { apiKey { rawId } } }' });
    const counts: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
      await sendRaw(later.app.url, { method: 'POST', headers, body });
      counts.push(later.executor.compared);
    }
    await later.close();
    expect(counts).toEqual([0, 0, 1, 2]);
  });

  it.each([
    ['a mutation', `mutation { ${CONTACT} }`],
    [
      'a query with a variable for a oneOf argument',
      'query ($by: CustomerByInput = { referenceNumber: "C-000001" }) { customersByIdentifier(by: $by) { title } }',
    ],
    [
      'a query with a variable within a oneOf argument',
      'query ($number: String = "C-000001") { customersByIdentifier(by: { referenceNumber: $number }) { title } }',
    ],
    ['a query with @defer', '{ contacts(first: 1) { __typename ... @defer { nodes { lastName } } } }'],
    ['a query with an alias __proto__', '{ __proto__: __typename viewer { __typename } }'],
    ['a document above the compile limit', createLongQuery(251)],
  ])('doesn’t compile if it is %s', async (_name, query) => {
    const { compiled } = await countCompiled(async () => {
      for (let round = 0; round < 3; round += 1) expect((await testGraph.execute(query)).status).not.toBe(500);
    });
    expect(compiled).toBe(0);
  });

  it('compiles literals of oneOf arguments', async () => {
    const query = '{ customersByIdentifier(by: { referenceNumber: "C-000001" }) { title } }';
    const { compiled, compared } = await countCompiled(() => testGraph.execute(query));
    expect([compiled, compared]).toEqual([1, 1]);
  });

  it('compiles at the maximum length', async () => {
    expect((await countCompiled(() => testGraph.execute(createLongQuery(250)))).compiled).toBe(1);
  });

  it('falls back to graphql-js if it can’t be compiled', async () => {
    testGraph.executor.replaceCompiled = () => null;
    const query = '{ companyProfile { city } }';
    const { compiled } = await countCompiled(async () => {
      for (let round = 0; round < 2; round += 1) expect((await testGraph.execute(query)).data.companyProfile.city).toBe('Amsterdam');
    });
    expect(compiled).toBe(1);
  });

  it('falls back to graphql-js if the compiled query fails', async () => {
    testGraph.executor.replaceCompiled = (compiled) => compiled && { ...compiled, query: () => Promise.reject(new Error('It does.')) };
    const [{ data, errors }] = await testGraph.recordCalls(() => testGraph.execute('{ companyProfile { city street } }'));
    expect([data.companyProfile.city, errors]).toEqual(['Amsterdam', undefined]);
  });

  it('gets evicted from the cache after many others', async () => {
    const send = (name: string) => testGraph.execute(`{ ${name}: __typename }`);
    const { compiled } = await countCompiled(async () => {
      for (let index = 0; index <= 512; index += 1) await send(`n${index}`);
    });
    expect(compiled).toBe(513);
    expect((await countCompiled(() => send('n512'))).compiled).toBe(0);
    expect((await countCompiled(() => send('n0'))).compiled).toBe(1);
  });
});

describe('DOCUMENT_CACHE_MB', () => {
  it('limits the compiled queries, evicting the least recently used', async () => {
    // 1 MB fits 174 selections.
    const small = await startTestGraph({}, undefined, { env: { COMPILE_AFTER: '1', DOCUMENT_CACHE_MB: '1' } });
    const countCompiledBy = async (name: string) => {
      const before = small.executor.compiled;
      const query = `{ viewer { ${Array.from({ length: 80 }, (_, index) => `${name}${index}: scopes`).join(' ')} } }`;
      await postQuery(small.app.url, 'demo-owner', query);
      return small.executor.compiled - before;
    };
    const counts: number[] = [];
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) counts.push(await countCompiledBy(name));
    await small.close();
    expect(counts).toEqual([1, 1, 0, 1, 0, 1]);
  });

  it('limits parsed documents by their tokens, evicting the oldest', () => {
    const cache = new BoundedCache<DocumentNode>({ weight: { max: 1024 * 1024, weightOf: estimateDocumentBytes } });
    const text = (index: number) => `{ ${'a '.repeat(100)} n${index}: b }`;
    for (let index = 0; index < 100; index += 1) cache.set(text(index), parse(text(index), { maxTokens: 1_000 }));
    const isCached = Array.from({ length: 100 }, (_, index) => cache.get(text(index)) !== undefined);
    // 57 kB each: 18 fit.
    expect([isCached.filter(Boolean).length, isCached.lastIndexOf(false)]).toEqual([18, 81]);
  });
});

describe('operations of one document', () => {
  const source = `
    query Title($id: ID!, $yes: Boolean = false) { customer(id: $id) { ...F @include(if: $yes) rawId } }
    query Email($id: ID!) { customer(id: $id) { ...F } }
    fragment F on Customer { email }`;
  const send = (operationName: unknown, query = source) =>
    sendRaw(testGraph.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ query, operationName, variables: { id: ID } }),
    }).then(({ body }) => JSON.parse(body.toString()));

  it('compile separately', async () => {
    const { compiled } = await countCompiled(async () => {
      for (let round = 0; round < 2; round += 1) {
        expect((await send('Title')).data).toEqual({ customer: { rawId: ID } });
        expect((await send('Email')).data).toEqual({ customer: { email: expect.any(String) } });
      }
    });
    expect(compiled).toBe(2);
  });

  it('differ from operations of the same name in another document', async () => {
    const other = 'query Title($id: ID!) { customer(id: $id) { title } }';
    for (let round = 0; round < 2; round += 1) {
      expect((await send('Title', other)).data).toEqual({ customer: { title: expect.any(String) } });
      expect((await send('Title')).data).toEqual({ customer: { rawId: ID } });
    }
  });

  it('require a non-empty name, unless the document has only one', async () => {
    const only = '{ companyProfile { countryCode } }';
    for (let round = 0; round < 2; round += 1) {
      for (const name of [undefined, null, '']) {
        expect((await send(name)).errors[0].extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
        expect((await send(name, only)).data.companyProfile.countryCode).toBe('NL');
      }
    }
  });
});

describe('conditions', () => {
  /** `F` is spread twice and its fields are repeated, each under different conditions. */
  const query = `query ($a: Boolean!, $b: Boolean! = false, $id: ID!) {
    customer(id: $id) { ...F @include(if: $a) ...F @skip(if: $b) title @skip(if: $a) } 
    again: customer(id: $id) { contact @include(if: $a) { lastName } contact { rawId } }
  } fragment F on Customer { title email @include(if: $b) }`;

  it('compile separately for each combination', async () => {
    const combinations = [true, false]
      .flatMap((a) => [{ a }, { a, b: true }, { a, b: false }])
      .map((combination) => ({ ...combination, id: ID }));
    const { compiled } = await countCompiled(async () => {
      for (const variables of [...combinations, ...combinations]) {
        const [{ data }, expected] = [await testGraph.execute(query, variables), await interpreted.execute(query, variables)];
        expect([variables, data]).toEqual([variables, expected.data]);
      }
    });
    // Omitting a variable is the same combination as its default.
    expect(compiled).toBe(4);
  });

  it('fail as before if they aren’t booleans', async () => {
    for (const a of [null, 'yes', 1, undefined]) {
      for (let round = 0; round < 2; round += 1) {
        const { status, errors } = await testGraph.execute(query, { a, id: ID });
        expect([a, status, errors]).toEqual([a, 400, (await interpreted.execute(query, { a, id: ID })).errors]);
      }
    }
  });

  it('compile for the first sixteen combinations', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const many = `query (${names.map((name) => `$${name}: Boolean!`)}) { ${names.map((name) => `${name}: __typename @skip(if: $${name})`).join(' ')} }`;
    const { compiled, compared } = await countCompiled(async () => {
      for (let combination = 0; combination < 32; combination += 1) {
        const variables = Object.fromEntries(names.map((name, index) => [name, (combination & (1 << index)) > 0]));
        const included = names.filter((name) => !variables[name]).map((name) => [name, 'Query']);
        expect((await testGraph.execute(many, variables)).data).toEqual(Object.fromEntries(included));
      }
    });
    expect([compiled, compared]).toEqual([16, 16]);
  });
});

const toJson = (error: unknown) => JSON.stringify(error);

describe('compiled query with an error', () => {
  it.each([
    ['of a record', 'Customer/GetCustomer', '{ customer(id: "x") { title } contacts(first: 1) { nodes { rawId } } }', 'status'],
    ['of a list', 'Catalog/GetProduct', `{ customer(id: "${ID}") { quotes(first: 3) { nodes { lines { product { name } } } } } }`, 'body'],
    ['of an argument', 'none', '{ customers(first: -1) { nodes { title } } companyProfile { city } }', 'status'],
    ['of a cursor', 'none', '{ customers(first: 2, after: "x") { nodes { title } } }', 'status'],
  ])('returns the same result as graphql-js without repeating calls: error %s', async (_name, operation, query, kind) => {
    const fault = kind === 'status' ? { operation, status: 404 } : { operation, body: '{' };
    for (const { sandbox } of [testGraph, interpreted]) sandbox.faults.add(fault);
    for (let round = 0; round < 2; round += 1) {
      const [result, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
      const [expected, expectedCalls] = await interpreted.recordCalls(() => interpreted.execute(query));
      // The order of errors and of concurrent calls depends on timing.
      const normalize = ({ data, errors, status }: typeof result) => [
        JSON.stringify([status, data]),
        (errors ?? []).map(toJson).toSorted(),
      ];
      expect([normalize(result), calls.toSorted(), result.errors === undefined]).toEqual([
        normalize(expected),
        expectedCalls.toSorted(),
        false,
      ]);
    }
    interpreted.sandbox.faults.clear();
  });
});

describe('check of compiled queries in tests', () => {
  it.each([
    ['another value', { data: { companyProfile: { city: 'Utrecht' } } }],
    ['another order', { data: { companyProfile: { city: 'Amsterdam', countryCode: 'NL' } } }],
    ['missing fields', { data: { companyProfile: {} } }],
  ])('detects a compiled query that returns %s', async (_name, result) => {
    const wrong = await startTestGraph({}, undefined, { env: { COMPILE_AFTER: '1' } });
    wrong.executor.replaceCompiled = (compiled) => compiled && { ...compiled, query: async () => result };
    const body = JSON.stringify({ query: '{ companyProfile { countryCode city } }' });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
    const normalize = await sendRaw(wrong.app.url, { method: 'POST', headers, body });
    expect(normalize.body.toString()).toContain('INTERNAL_SERVER_ERROR');
    expect([wrong.executor.compared, wrong.executor.differences.length]).toEqual([1, 1]);
    await expect(wrong.close()).rejects.toThrow('Compiled queries returned other results');
  });
});
