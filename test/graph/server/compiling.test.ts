import { type DocumentNode, parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { BoundedCache } from '../../../src/lib/boundedCache.ts';
import { parsedBytes } from '../../../src/server/documents/documentBytes.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, { env: { COMPILE_AFTER: '1' } });
const plain = useTestGraph({}, undefined, { env: { COMPILE_AFTER: '0' } });
afterEach(() => {
  testGraph.executor.replaceCompiled = (made) => made;
  testGraph.sandbox.faults.clear();
});

/** Runs `act`, and counts the queries that were compiled and the answers of compiled queries meanwhile. */
async function counted<Result>(act: () => Promise<Result>) {
  const { compiled, compared } = testGraph.executor;
  const result = await act();
  return { result, compiled: testGraph.executor.compiled - compiled, compared: testGraph.executor.compared - compared };
}

const ID = demoId('customer 0');
const CONTACT = `contactCreate(input: { lastName: "Doe" }) { __typename }`;
/** So many selections, with fragments written out: the fragment has ten, and its spread is one more. */
const long = (selections: number) =>
  `{ ${'...Ten '.repeat(Math.floor(selections / 11))} ${'__typename '.repeat(selections % 11)} } fragment Ten on Query { viewer { apiKey { ${'rawId '.repeat(8)} } } }`;

describe('a query that comes again', () => {
  it('is compiled once, and answered by what was compiled', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { title contact { lastName } } }';
    const { compiled, compared } = await counted(async () => {
      for (let times = 0; times < 3; times += 1)
        expect((await testGraph.execute(query, { id: ID })).data.customer.title).toEqual(expect.any(String));
    });
    expect([compiled, compared]).toEqual([1, 3]);
  });

  it('is compiled when it has come as often as is set', async () => {
    const later = await startTestGraph({}, undefined, { env: { COMPILE_AFTER: '3' } });
    const body = JSON.stringify({ query: '{ viewer { apiKey { rawId } } }' });
    const counts: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
      await sendRaw(later.app.url, { method: 'POST', headers, body });
      counts.push(later.executor.compared);
    }
    await later.close();
    expect(counts).toEqual([0, 0, 1, 2]);
  });

  it.each([
    ['a change', `mutation { ${CONTACT} }`],
    ['an argument that takes one of several', '{ customersByIdentifier(by: { referenceNumber: "C-000001" }) { title } }'],
    ['an answer in parts', '{ contacts(first: 1) { __typename ... @defer { nodes { lastName } } } }'],
    ['a name that would be the prototype of an object', '{ __proto__: __typename viewer { __typename } }'],
    ['a document that takes long to compile', long(251)],
  ])('is not compiled when it is %s', async (_name, query) => {
    const { compiled } = await counted(async () => {
      for (let times = 0; times < 3; times += 1) expect((await testGraph.execute(query)).status).not.toBe(500);
    });
    expect(compiled).toBe(0);
  });

  it('is compiled at the longest that may be', async () => {
    expect((await counted(() => testGraph.execute(long(250)))).compiled).toBe(1);
  });

  it('is left to the usual executor when it cannot be compiled', async () => {
    testGraph.executor.replaceCompiled = () => null;
    const query = '{ companyProfile { city } }';
    const { compiled } = await counted(async () => {
      for (let times = 0; times < 2; times += 1) expect((await testGraph.execute(query)).data.companyProfile.city).toBe('Amsterdam');
    });
    expect(compiled).toBe(1);
  });

  it('is left to it when what was compiled fails', async () => {
    testGraph.executor.replaceCompiled = (made) => made && { ...made, query: () => Promise.reject(new Error('It does.')) };
    const [{ data, errors }] = await testGraph.recordCalls(() => testGraph.execute('{ companyProfile { city street } }'));
    expect([data.companyProfile.city, errors]).toEqual(['Amsterdam', undefined]);
  });

  it('goes when many others have come since', async () => {
    const ask = (name: string) => testGraph.execute(`{ ${name}: __typename }`);
    const { compiled } = await counted(async () => {
      for (let index = 0; index <= 512; index += 1) await ask(`n${index}`);
    });
    expect(compiled).toBe(513);
    expect((await counted(() => ask('n512'))).compiled).toBe(0);
    expect((await counted(() => ask('n0'))).compiled).toBe(1);
  });
});

describe('what documents may take of the memory', () => {
  it('is set in megabytes: queries that are compiled go when the next ones do not fit', async () => {
    // 1 MB is room for 174 selections.
    const small = await startTestGraph({}, undefined, { env: { COMPILE_AFTER: '1', DOCUMENT_CACHE_MB: '1' } });
    const compiledBy = async (name: string) => {
      const before = small.executor.compiled;
      const query = `{ viewer { ${Array.from({ length: 80 }, (_, index) => `${name}${index}: scopes`).join(' ')} } }`;
      await postQuery(small.app.url, 'demo-owner', query);
      return small.executor.compiled - before;
    };
    const counts: number[] = [];
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) counts.push(await compiledBy(name));
    await small.close();
    expect(counts).toEqual([1, 1, 0, 1, 0, 1]);
  });

  it('counts a parsed document by its tokens, so that the oldest goes first', () => {
    const cache = new BoundedCache<DocumentNode>({ weight: { max: 1024 * 1024, weightOf: parsedBytes } });
    const text = (index: number) => `{ ${'a '.repeat(100)} n${index}: b }`;
    for (let index = 0; index < 100; index += 1) cache.set(text(index), parse(text(index), { maxTokens: 1_000 }));
    const kept = Array.from({ length: 100 }, (_, index) => cache.get(text(index)) !== undefined);
    // 57 kB each: 18 of them fit.
    expect([kept.filter(Boolean).length, kept.lastIndexOf(false)]).toEqual([18, 81]);
  });
});

describe('operations of one document', () => {
  const source = `
    query Title($id: ID!, $yes: Boolean = false) { customer(id: $id) { ...F @include(if: $yes) rawId } }
    query Email($id: ID!) { customer(id: $id) { ...F } }
    fragment F on Customer { email }`;
  const ask = (operationName: unknown, query = source) =>
    sendRaw(testGraph.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ query, operationName, variables: { id: ID } }),
    }).then(({ body }) => JSON.parse(body.toString()));

  it('are compiled each by itself, and do not touch each other', async () => {
    const { compiled } = await counted(async () => {
      for (let times = 0; times < 2; times += 1) {
        expect((await ask('Title')).data).toEqual({ customer: { rawId: ID } });
        expect((await ask('Email')).data).toEqual({ customer: { email: expect.any(String) } });
      }
    });
    expect(compiled).toBe(2);
  });

  it('are not mixed up with those of the same name in another document', async () => {
    const other = 'query Title($id: ID!) { customer(id: $id) { title } }';
    for (let times = 0; times < 2; times += 1) {
      expect((await ask('Title', other)).data).toEqual({ customer: { title: expect.any(String) } });
      expect((await ask('Title')).data).toEqual({ customer: { rawId: ID } });
    }
  });

  it('must be named, and the only one need not be; no name is not an empty one', async () => {
    const only = '{ companyProfile { countryCode } }';
    for (let times = 0; times < 2; times += 1) {
      for (const name of [undefined, null]) {
        expect((await ask(name)).errors[0].extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
        expect((await ask(name, only)).data.companyProfile.countryCode).toBe('NL');
      }
      for (const query of [source, only]) expect((await ask('', query)).errors[0].extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
    }
  });
});

describe('conditions', () => {
  /** `F` is spread twice, and its fields once more: each under conditions of its own. */
  const query = `query ($a: Boolean!, $b: Boolean! = false, $id: ID!) {
    customer(id: $id) { ...F @include(if: $a) ...F @skip(if: $b) title @skip(if: $a) } 
    again: customer(id: $id) { contact @include(if: $a) { lastName } contact { rawId } }
  } fragment F on Customer { title email @include(if: $b) }`;

  it('are met in each way by what was compiled for it', async () => {
    const ways = [true, false].flatMap((a) => [{ a }, { a, b: true }, { a, b: false }]).map((way) => ({ ...way, id: ID }));
    const { compiled } = await counted(async () => {
      for (const variables of [...ways, ...ways]) {
        const [{ data }, expected] = [await testGraph.execute(query, variables), await plain.execute(query, variables)];
        expect([variables, data]).toEqual([variables, expected.data]);
      }
    });
    // A variable that is not given is as its default.
    expect(compiled).toBe(4);
  });

  it('that are no booleans are refused as before', async () => {
    for (const a of [null, 'yes', 1, undefined]) {
      for (let times = 0; times < 2; times += 1) {
        const { status, errors } = await testGraph.execute(query, { a, id: ID });
        expect([a, status, errors]).toEqual([a, 400, (await plain.execute(query, { a, id: ID })).errors]);
      }
    }
  });

  it('of many kinds are compiled for the first sixteen ways', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const many = `query (${names.map((name) => `$${name}: Boolean!`)}) { ${names.map((name) => `${name}: __typename @skip(if: $${name})`).join(' ')} }`;
    const { compiled, compared } = await counted(async () => {
      for (let way = 0; way < 32; way += 1) {
        const variables = Object.fromEntries(names.map((name, index) => [name, (way & (1 << index)) > 0]));
        const left = names.filter((name) => !variables[name]).map((name) => [name, 'Query']);
        expect((await testGraph.execute(many, variables)).data).toEqual(Object.fromEntries(left));
      }
    });
    expect([compiled, compared]).toEqual([16, 16]);
  });
});

const inJson = (error: unknown) => JSON.stringify(error);

describe('a compiled query that meets an error', () => {
  it.each([
    ['in a record', 'Customer/GetCustomer', '{ customer(id: "x") { title } contacts(first: 1) { nodes { rawId } } }', 'status'],
    ['in a list', 'Catalog/GetProduct', `{ customer(id: "${ID}") { quotes(first: 3) { nodes { lines { product { name } } } } } }`, 'body'],
    ['in an argument', 'none', '{ customers(first: -1) { nodes { title } } companyProfile { city } }', 'status'],
    ['in a cursor', 'none', '{ customers(first: 2, after: "x") { nodes { title } } }', 'status'],
  ])('%s answers as the usual executor does, and asks nothing twice', async (_name, operation, query, kind) => {
    const fault = kind === 'status' ? { operation, status: 404 } : { operation, body: '{' };
    for (const { sandbox } of [testGraph, plain]) sandbox.faults.add(fault);
    for (let times = 0; times < 2; times += 1) {
      const [answer, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
      const [expected, expectedCalls] = await plain.recordCalls(() => plain.execute(query));
      // The order of errors, and of calls that are made at the same time, is a matter of timing.
      const told = ({ data, errors, status }: typeof answer) => [JSON.stringify([status, data]), (errors ?? []).map(inJson).toSorted()];
      expect([told(answer), calls.toSorted(), answer.errors === undefined]).toEqual([told(expected), expectedCalls.toSorted(), false]);
    }
    plain.sandbox.faults.clear();
  });
});

describe('the check of the suite', () => {
  it.each([
    ['another value', { data: { companyProfile: { city: 'Utrecht' } } }],
    ['another order', { data: { companyProfile: { city: 'Amsterdam', countryCode: 'NL' } } }],
    ['less', { data: { companyProfile: {} } }],
  ])('finds what is compiled and answers %s', async (_name, answer) => {
    const wrong = await startTestGraph({}, undefined, { env: { COMPILE_AFTER: '1' } });
    wrong.executor.replaceCompiled = (made) => made && { ...made, query: async () => answer };
    const body = JSON.stringify({ query: '{ companyProfile { countryCode city } }' });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
    const told = await sendRaw(wrong.app.url, { method: 'POST', headers, body });
    expect(told.body.toString()).toContain('INTERNAL_SERVER_ERROR');
    expect([wrong.executor.compared, wrong.executor.differences.length]).toEqual([1, 1]);
    await expect(wrong.close()).rejects.toThrow('Compiled queries answer otherwise');
  });
});
