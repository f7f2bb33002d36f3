import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { GraphQLFormattedError, GraphQLScalarType } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { getSubgraphOptions, readConfig } from '../../../src/server/settings/config.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const repeat = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');

const send = async (query: string, variables?: object) => {
  const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
  return { status, data, messages: errors?.map(({ message, extensions }) => `${extensions.code}: ${message}`), calls };
};
const expectRefusal = (message: string) => ({ status: 400, data: undefined, messages: [expect.stringContaining(message)], calls: [] });

const createAliases = (count: number) => repeat(count, (index) => `a${index}: __typename`);

/** Each fragment spreads the next one twice: the last one is visited 2^14 times. */
const DOUBLING = `{ ...F0 } ${repeat(14, (index) => `fragment F${index} on Query { a${index}: __typename ...F${index + 1} ... on Query { ...F${index + 1} } }`)} fragment F14 on Query { z: __typename }`;

describe('invalid document', () => {
  it.each([
    [
      '1,001 comments',
      `{ contacts { __typename } } ${'#\n'.repeat(1_001)}`,
      'GRAPHQL_PARSE_FAILED: The document has more than 1000 comments',
    ],
    ['251 aliases', `{ contacts { __typename } ${createAliases(251)} }`, 'GRAPHQL_VALIDATION_FAILED: The operation has 251 aliases'],
    [
      '251 aliases, in fragments that are spread twice',
      `{ contacts { nodes { ...F } } more: contacts { nodes { ...F } } } fragment F on Contact { ${createAliases(125)} }`,
      'has 251 aliases after fragments are expanded, but the maximum is 250',
    ],
    ['aliases that double with each fragment level', DOUBLING, 'aliases'],
    [
      '251 aliases in the second operation',
      `query A { __typename } query B { contacts { __typename } ${createAliases(251)} }`,
      'has 251 aliases',
    ],
    [
      '251 directives',
      `query ($yes: Boolean = true) { contacts { __typename } ${repeat(251, () => '__typename @include(if: $yes)')} }`,
      'GRAPHQL_VALIDATION_FAILED: The operation has 251 directives',
    ],
    [
      '252 directives, on spreads of one fragment',
      `{ contacts { nodes { ${repeat(126, () => '...F @include(if: true)')} } } } fragment F on Contact { id @skip(if: false) }`,
      'has 252 directives',
    ],
    ['a repeated directive', '{ contacts @skip(if: true) @skip(if: true) { __typename } }', 'can only be used once'],
    [
      'repeated fields',
      `{ ${repeat(201, () => 'viewer { scopes }')} contacts { __typename } }`,
      'repeats fields: after fragments are expanded, more than 20000 pairs',
    ],
    [
      'fields repeated by fragments',
      `{ viewer { ${repeat(203, (i) => `...F${i}`)} } } ${repeat(203, (i) => `fragment F${i} on Viewer { scopes }`)}`,
      'repeats fields',
    ],
    [
      'fields repeated only after selections are merged',
      `{ ${repeat(15, (i) => `viewer { ...F${i} }`)} } ${repeat(15, (i) => `fragment F${i} on Viewer { ${repeat(14, () => 'scopes')} }`)}`,
      'repeats fields',
    ],
    [
      'repeated fields in an unused fragment',
      `{ contacts { __typename } } fragment F on Viewer { ${repeat(202, () => 'scopes')} }`,
      'repeats fields',
    ],
    [
      'repeated fields next to a fragment cycle',
      `{ ...A ...B } fragment A on Query { viewer { ...C } } fragment C on Viewer { ${repeat(202, () => 'scopes')} } fragment B on Query { viewer { __typename } ...B }`,
      'repeats fields',
    ],
    ['repeated unknown fields, reported once', `{ ${repeat(3_000, () => 'customerr')} }`, 'repeats fields'],
    ['the schema requested twice', '{ a: __schema { types { name } } b: __schema { types { name } } }', 'requests the schema 2 times'],
    [
      'the SDL requested together with a type',
      '{ _service { sdl } ...F } fragment F on Query { __type(name: "Query") { name } }',
      'requests the schema 2 times',
    ],
    ['the SDL requested 248 times', `{ ${repeat(248, (i) => `a${i}: _service { sdl }`)} }`, 'requests the schema 248 times'],
    ['51 operations', repeat(51, (index) => `query Q${index} { contacts { __typename } }`), 'has 51 operations, but the maximum is 50'],
    [
      'more than 100,000 characters',
      `{ contacts { __typename } } #${'x'.repeat(100_000)}`,
      'GRAPHQL_PARSE_FAILED: The document is longer than 100000 characters',
    ],
    [
      'more than 10,000 tokens',
      `{ contacts { __typename } ${'id '.repeat(10_000)} }`,
      'GRAPHQL_PARSE_FAILED: Syntax Error: Document contains',
    ],
    [
      'more than 100 levels',
      `{ contacts ${'{ a '.repeat(100)} ${'}'.repeat(101)}`,
      'GRAPHQL_PARSE_FAILED: The document is nested more than 100',
    ],
    ['unknown fragments with names of object properties', '{ ...constructor ...__proto__ }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('fails without a call: %s', async (_name, query, message) => {
    const { messages: all, ...rest } = await send(query);
    expect({ ...rest, messages: all?.slice(0, 1) }).toEqual(expectRefusal(message));
  });
});

describe('document that is parsed but invalid', () => {
  const INVALID = '{ appointmentSearch(filter: { createdAt: { gte: "yesterday" } }) { nodes { __typename } } }';

  it('costs one validation, whatever validates it and however often it is sent', async () => {
    const { schema } = getGraph(getSubgraphOptions(readConfig({ UPSTREAM_URL: testGraph.sandbox.url })));
    const parseLiteral = vi.spyOn(schema.getType('DateTime') as GraphQLScalarType, 'parseLiteral');
    const responses = [await send(INVALID), await send(INVALID), await send(INVALID)];
    const validated = parseLiteral.mock.calls.length;
    parseLiteral.mockRestore();
    expect(validated).toBe(1);
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]?.messages).toEqual([expect.stringContaining('Invalid value of "filter.createdAt.gte"')]);
  });

  it('returns at most ten errors, and one that says that there are more', async () => {
    const { errors = [] } = await testGraph.execute(`{ ${repeat(30, (index) => `unknown${index}`)} }`);
    expect(errors.map(({ message }) => message)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => expect.stringContaining(`"unknown${index}"`)),
      expect.stringContaining('Too many validation errors'),
    ]);
  });

  it('returns at most ten locations per error', async () => {
    const select = (field: string) => `viewer { ${repeat(30, (index) => `a${index}: ${field}`)} }`;
    const { errors = [] } = await testGraph.execute(`{ ${select('scopes')} ${select('__typename')} }`);
    expect(errors.map((error) => (error as unknown as GraphQLFormattedError).locations?.length)).toEqual([10]);
  });

  it('truncates messages to 2,000 characters', async () => {
    const { errors = [] } = await testGraph.execute(`{ ${'customer'.repeat(1_000)} }`);
    expect(errors.map(({ message }) => message.length)).toEqual([2_001]);
  });
});

describe('documents of clients and gateways', () => {
  it('can contain 99,000 characters with two UTF-16 units', async () => {
    expect((await testGraph.execute(`{ __typename } #${'😀'.repeat(99_000)}`)).errors).toBeUndefined();
  });

  it('can contain 100 requests that a gateway has merged under aliases', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => demoId(`contact ${index % 20}`));
    const query = `query ($of: [[_Any!]!]) { __typename ${repeat(100, (index) => `_v${index}_contact: contact(id: "${ids[index]}") { rawId: rawId }`)} }`;
    const { data, errors } = await testGraph.execute(query.replace(' ($of: [[_Any!]!])', ''));
    expect([errors, data._v99_contact]).toEqual([undefined, { rawId: ids[99] }]);
  });

  it('can contain different arguments under aliases of the gateway', async () => {
    const query = `{ contacts(first: 1) { nodes { rawId } } contacts__alias_0: contacts(first: 2) { nodes { rawId } } }`;
    const { data } = await testGraph.execute(query);
    expect([data.contacts.nodes.length, data.contacts__alias_0.nodes.length]).toEqual([1, 2]);
  });

  it('can contain 250 directives and 50 operations', async () => {
    const query = repeat(50, (index) => `query Q${index} { ${repeat(5, () => '__typename @include(if: true)')} }`);
    expect((await send(query)).messages).toEqual([expect.stringContaining('OPERATION_RESOLUTION_FAILURE')]);
  });
});

/** The slowest documents within the limits, by type. Without the limits, some took half a minute. */
const SLOW: readonly (readonly [name: string, query: string])[] = [
  ['a field repeated thousands of times', `{ ${repeat(9_900, () => '__typename')} }`],
  ['a field with a selection, repeated thousands of times', `{ ${repeat(2_400, () => 'viewer { __typename }')} }`],
  ['an alias repeated thousands of times', `{ ${repeat(3_300, () => 'a: __typename')} }`],
  [
    'hundreds of sibling fragments',
    `{ viewer { ${repeat(600, (i) => `...F${i}`)} } } ${repeat(600, (i) => `fragment F${i} on Viewer { __typename }`)}`,
  ],
  [
    'a chain of fragments',
    `{ ...F0 } ${repeat(1_000, (i) => `fragment F${i} on Query { __typename ...F${i + 1} }`)} fragment F1000 on Query { __typename }`,
  ],
  [
    'fragments that all spread each other',
    `{ ...F0 } ${repeat(60, (i) => `fragment F${i} on Query { ${repeat(60, (j) => `...F${j}`)} }`)} }`,
  ],
  [
    'operations that share a chain of fragments',
    `${repeat(50, (i) => `query Q${i} { ...F0 }`)} ${repeat(900, (i) => `fragment F${i} on Query { ...F${i + 1} }`)} fragment F900 on Query { __typename }`,
  ],
  ['unknown fields', `{ ${repeat(9_000, (i) => `customerr${i}`)} }`],
  ['a field with a name of 90,000 letters', `{ ${'customer'.repeat(11_250)} }`],
  ['an enum value of 90,000 letters', `{ customer(id: "x") { quotes(filter: { status: ${'CONCEPT'.repeat(12_800)} }) { __typename } } }`],
  ['deeply nested lists', `{ nodes(ids: ${'['.repeat(95)}"x"${']'.repeat(95)}) { id } }`],
  ['thousands of lines', `{ __typename ${'\n'.repeat(99_000)} }`],
];

/** CPU time in milliseconds: ten times what the slowest document needs. Wall time would depend on the load of the machine. */
const MAX_CPU_MS = 1_000;

describe('document that is slow to validate', () => {
  it.each(SLOW)('passes validation within the CPU limit: %s', async (_name, query) => {
    const before = process.threadCpuUsage();
    const { calls } = await send(query);
    const { user, system } = process.threadCpuUsage(before);
    expect(calls).toEqual([]);
    expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS);
  });
});

describe('long document', () => {
  /** The waits of the graph, which runs in this process, while it executes a document. Each reading of the clock returns a time that is `stepMs` later. */
  async function recordWaits(query: string, stepMs: number) {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
    const wait = vi.spyOn(timers, 'setTimeout');
    syncBuiltinESMExports();
    try {
      expect(await send(query)).toMatchObject({ status: 200, messages: undefined });
      return wait.mock.calls.map(([ms = 0]) => ms);
    } finally {
      clock.mockRestore();
      wait.mockRestore();
      syncBuiltinESMExports();
    }
  }

  it('leaves the process to other requests after each step, for as long as the step took', async () => {
    const customer = `customer(id: "${demoId('customer 0')}") { id title referenceNumber }`;
    const waits = await recordWaits(`{ ${repeat(100, (index) => `a${index}: ${customer}`)} }`, 7);
    // After parsing, four stages of validation, and the plan.
    expect(waits.length).toBe(6);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(7);
  });

  it('prepares a short one at once', async () => {
    expect(await recordWaits('{ __typename }', 7)).toEqual([]);
  });
});
