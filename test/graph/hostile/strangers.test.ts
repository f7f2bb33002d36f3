import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { ListContacts } from '../../../src/upstream/contract/generated/operations.ts';
import { SenderSequence } from '../../../src/upstream/traffic/senders.ts';
import { BASE_WORK, TURN_WORK, Turns } from '../../../src/upstream/traffic/turns.ts';
import type { Transport } from '../../../src/upstream/transport/transport.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const SMALL = '{ contacts(first: 1) { nodes { rawId } } }';
/** Requests of the others. */
const COUNT = 16;

const repeat = (count: number, write: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => write(index)).join(separator);

/** Sends requests of strangers, then a small one of a known key. Returns the number of strangers' requests that had a response before it. */
async function countOvertaken(key: string | null, createQuery: (index: number) => string, get = false): Promise<number> {
  let responses = 0;
  const send = async (query: string) => {
    if (!get) return testGraph.executeAs(key, query);
    return fetch(`${testGraph.url}/graphql?${new URLSearchParams({ query })}`).then((response) => response.arrayBuffer());
  };
  const strangers = Array.from({ length: COUNT }, (_, index) => send(createQuery(index)).then(() => (responses += 1)));
  const before = await testGraph.execute(SMALL).then(({ data }) => {
    expect(data.contacts.nodes).toHaveLength(1);
    return responses;
  });
  await Promise.all(strangers);
  return before;
}

describe('client without a known API key', () => {
  beforeAll(async () => {
    await testGraph.execute(SMALL);
  });

  const fields = repeat(5, () => 'id rawId title customerName email');
  const DOCUMENTS: readonly [string, (index: number) => string][] = [
    ['long documents', (index) => `query Q${index} { ${repeat(50, (alias) => `a${alias}: customer(id: "x") { ${fields} }`)} }`],
    ['invalid documents', (index) => `query Q${index} { ${repeat(50, (alias) => `a${alias}: customer(id: "x") { ${fields} nope }`)} }`],
    ['documents with long comments', (index) => `#${index}${'x'.repeat(90_000)}\n{ __typename }`],
    ['introspection under different names', (index) => `query Q${index} { ... @defer { __schema { types { name fields { name } } } } }`],
  ];

  it.each(DOCUMENTS)('doesn’t delay the query of another key with %s', async (_, createQuery) => {
    expect(await countOvertaken(null, createQuery)).toBeLessThan(COUNT / 2);
  });

  it('doesn’t delay the query of another key with GET requests', async () => {
    const createQuery = (index: number) => `query Q${index} { ${repeat(30, (alias) => `a${alias}: customer(id: "x") { id title }`)} }`;
    expect(await countOvertaken(null, createQuery, true)).toBeLessThan(COUNT / 2);
  });

  it('shares its turns with all others until the upstream has accepted its key, and again when it rejects it', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const transport: Transport = { send: (request) => testGraph.gate.send(request), close: async () => {} };
    const upstream = createUpstream({ transport, timeoutMs: 20_000, callsPerRequest: 10 });
    const [credential, invented] = [createKeyCredential(key), createKeyCredential('invented')];
    const strangers = upstream.getSender(null);
    const [senders, calls] = await testGraph.recordCalls(async () => {
      const session = upstream.openSession(credential, 'a request');
      const before = [upstream.getSender(credential), upstream.getSender(invented), session.sender];
      session.finish();
      return before;
    });
    expect([senders, calls]).toEqual([[strangers, strangers, strangers], []]);
    const session = upstream.openSession(credential, 'another request');
    await session.access.getGrants();
    expect(session.sender).not.toBe(strangers);
    expect(upstream.getSender(credential)).toBe(session.sender);
    testGraph.sandbox.world.store.run('UPDATE api_keys SET revoked_at = :now WHERE name = :key', { key, now: testGraph.sandbox.now });
    await session.admit({ maxCalls: 1, minCalls: 0, expected: 1, probeCalls: 0, isLowerBound: false });
    await expect(session.call(ListContacts, { page: 1, pageSize: 1 })).rejects.toThrow('API key');
    expect(upstream.getSender(credential)).toBe(strangers);
    session.finish();
    await upstream.close();
  });
});

describe('schema that is read in parts', () => {
  // The test graph compares each result with that of graphql-js, byte by byte.
  const TYPE = 'name kind description specifiedByURL isOneOf';
  it.each([
    ['the standard introspection query', getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, schemaDescription: true }), {}],
    ['aliases', `{ a: __schema { b: queryType { c: fields { d: name e: type { f: name } } } __proto__: description } t: __typename }`, {}],
    [
      'merged fragments',
      `{ ...A } fragment A on Query { __schema { ...B types { ...T name } types { fields { name } } } }
      fragment B on __Schema { types { ...T fields { description } } directives { locations } } fragment T on __Type { ${TYPE} }`,
      {},
    ],
    [
      'arguments and conditions',
      `query ($old: Boolean = true, $name: String!, $no: Boolean!) { __type(name: $name) { ${TYPE}
      fields(includeDeprecated: $old) { name isDeprecated args(includeDeprecated: true) { name defaultValue } type @skip(if: $no) { name } } } }`,
      { name: 'Customer', no: false },
    ],
    ['a type that doesn’t exist', '{ __type(name: "Nothing") { name } }', {}],
    ['the SDL', '{ _service { sdl } __typename }', {}],
    ['later parts', '{ ... @defer { __schema { directives @stream { name args { name } } } } }', {}],
  ])('has the result of graphql-js with %s', async (_, query, variables) => {
    const before = testGraph.executor.compared;
    const first = await testGraph.executeAs(null, query, variables);
    expect(first).toMatchObject({ status: 200, errors: undefined });
    const again = await testGraph.executeAs(null, query, variables);
    expect(again.data).toEqual(first.data);
    if (!query.includes('_service')) expect(testGraph.executor.compared).toBe(before + 2);
  });

  it('fails as a whole if a condition is null', async () => {
    const query = 'query ($yes: Boolean = true) { __schema { types { name @include(if: $yes) } } }';
    const { data, errors } = await testGraph.executeAs(null, query, { yes: null });
    expect([data, errors]).toMatchObject([null, [{ path: ['__schema', 'types', 0], extensions: { code: 'BAD_USER_INPUT' } }]]);
  });
});

describe('document that is validated in stages', () => {
  const PADDING = `#${'x'.repeat(6_000)}`;
  it.each([
    ['unknown fields and types', '{ nope ...F viewer { missing } } fragment F on Nothing { id }'],
    ['errors of several rules', 'query ($unused: Int) { customer(id: 1.5, id: "x", other: 2) { id @skip @nope } node(id: {}) ...Missing }'],
    ['too many errors', `{ ${repeat(15, (index) => `a${index}`)} }`],
    ['a subscription that could be skipped', 'subscription ($no: Boolean!) { nope @skip(if: $no) }'],
    ['cyclic fragments', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A nope }'],
    ['conflicting fields', '{ viewer { scopes } viewer: workspace { id } }'],
  ])('has the errors of a short one with %s', async (_, query) => {
    const [short, long] = [await testGraph.execute(query), await testGraph.execute(`${query}\n${PADDING}`)];
    expect(short.status).toBe(400);
    expect(long.status).toBe(short.status);
    // In the order of their locations, while rules also report some at the end of an operation.
    const sort = (errors: typeof long.errors) => errors?.map((error) => JSON.stringify(error)).sort();
    expect(sort(long.errors)).toEqual(sort(short.errors));
  });

  it('succeeds if it’s valid', async () => {
    const { data, errors } = await testGraph.execute(`${SMALL}\n${PADDING}`);
    expect([errors, data?.contacts?.nodes]).toMatchObject([undefined, [{}]]);
  });
});

describe('work of several turns', () => {
  it.each([
    ['the complete schema', getIntrospectionQuery().replace('query ', 'query Turns'), 13],
    ['a long document', `{ __typename } #${'y'.repeat(6_000)}`, 6],
  ])('waits for a turn before each part of %s', async (_, query, turns) => {
    const waits = vi.spyOn(Turns.prototype, 'waitToWork');
    onTestFinished(() => waits.mockRestore());
    expect((await testGraph.executeAs(null, query)).status).toBe(200);
    expect(waits.mock.calls.filter(([, work]) => work >= TURN_WORK).length).toBeGreaterThanOrEqual(turns);
  });

  it('waits for a turn after each mutation that is rejected without a call', async () => {
    const waits = vi.spyOn(Turns.prototype, 'waitToWork');
    onTestFinished(() => waits.mockRestore());
    const { data } = await testGraph.execute(
      `mutation { ${repeat(30, (index) => `m${index}: roleCreate(input: { name: "" }) { __typename }`)} }`,
    );
    expect(new Set(Object.values(data).map((result) => (result as { __typename: string }).__typename))).toEqual(
      new Set(['ValidationError']),
    );
    expect(waits.mock.calls.filter(([, work]) => work === BASE_WORK)).toHaveLength(30);
  });

  it('runs one after the other for each sender, also after a failure', async () => {
    const sequence = new SenderSequence();
    const [one, other] = [new Key('one'), new Key('other')];
    const started: string[] = [];
    const first = Promise.withResolvers<string>();
    const start = (sender: Key, name: string, result: Promise<string>) =>
      sequence.run(sender, () => {
        started.push(name);
        return result;
      });
    const running = [start(one, '1', first.promise), start(one, '2', Promise.resolve('done')), start(other, '3', Promise.resolve('done'))];
    await running[2];
    expect(started).toEqual(['1', '3']);
    first.reject(new Error('failed'));
    await expect(running[0]).rejects.toThrow('failed');
    expect(await running[1]).toBe('done');
    expect(started).toEqual(['1', '3', '2']);
  });
});
