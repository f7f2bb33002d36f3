import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const times = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');

const refused = async (query: string, variables?: object) => {
  const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
  return { status, data, told: errors?.map(({ message, extensions }) => `${extensions.code}: ${message}`), calls };
};
const refusal = (told: string) => ({ status: 400, data: undefined, told: [expect.stringContaining(told)], calls: [] });

const aliases = (count: number) => times(count, (index) => `a${index}: __typename`);

/** Each spreads the next one twice: what is written in one line is met 2^14 times. */
const DOUBLING = `{ ...F0 } ${times(14, (index) => `fragment F${index} on Query { a${index}: __typename ...F${index + 1} ... on Query { ...F${index + 1} } }`)} fragment F14 on Query { z: __typename }`;

describe('a document is refused, before anything is sent,', () => {
  it.each([
    ['251 aliases', `{ contacts { __typename } ${aliases(251)} }`, 'GRAPHQL_VALIDATION_FAILED: The operation has 251 aliases'],
    [
      '251 aliases in fragments that are spread twice',
      `{ contacts { nodes { ...F } } more: contacts { nodes { ...F } } } fragment F on Contact { ${aliases(125)} }`,
      'has 251 aliases after fragments are expanded, but the maximum is 250',
    ],
    ['aliases that double with each fragment', DOUBLING, 'aliases'],
    [
      '251 aliases in an operation that is not the first',
      `query A { __typename } query B { contacts { __typename } ${aliases(251)} }`,
      'has 251 aliases',
    ],
    [
      '251 directives',
      `query ($yes: Boolean = true) { contacts { __typename } ${times(251, () => '__typename @include(if: $yes)')} }`,
      'GRAPHQL_VALIDATION_FAILED: The operation has 251 directives',
    ],
    [
      '252 directives, on spreads of one fragment',
      `{ contacts { nodes { ${times(126, () => '...F @include(if: true)')} } } } fragment F on Contact { id @skip(if: false) }`,
      'has 252 directives',
    ],
    ['one directive twice', '{ contacts @skip(if: true) @skip(if: true) { __typename } }', 'can only be used once'],
    [
      'fields that are repeated',
      `{ ${times(201, () => 'viewer { scopes }')} contacts { __typename } }`,
      'repeats fields: after fragments are expanded, more than 20000 pairs',
    ],
    [
      'fields that are repeated by fragments',
      `{ viewer { ${times(203, (i) => `...F${i}`)} } } ${times(203, (i) => `fragment F${i} on Viewer { scopes }`)}`,
      'repeats fields',
    ],
    [
      'fields that are repeated where fields meet, and nowhere in the text',
      `{ ${times(15, (i) => `viewer { ...F${i} }`)} } ${times(15, (i) => `fragment F${i} on Viewer { ${times(14, () => 'scopes')} }`)}`,
      'repeats fields',
    ],
    [
      'fields that are repeated in a fragment that nobody spreads',
      `{ contacts { __typename } } fragment F on Viewer { ${times(202, () => 'scopes')} }`,
      'repeats fields',
    ],
    [
      'fields that are repeated behind fragments that lead back to themselves',
      `{ ...A ...B } fragment A on Query { viewer { ...C } } fragment C on Viewer { ${times(202, () => 'scopes')} } fragment B on Query { viewer { __typename } ...B }`,
      'repeats fields',
    ],
    [
      'names that nobody knows and that are repeated, and are not told one by one',
      `{ ${times(3_000, () => 'customerr')} }`,
      'repeats fields',
    ],
    ['the schema twice', '{ a: __schema { types { name } } b: __schema { types { name } } }', 'requests the schema 2 times'],
    [
      'the SDL and a type',
      '{ _service { sdl } ...F } fragment F on Query { __type(name: "Query") { name } }',
      'requests the schema 2 times',
    ],
    ['the SDL 248 times', `{ ${times(248, (i) => `a${i}: _service { sdl }`)} }`, 'requests the schema 248 times'],
    ['51 operations', times(51, (index) => `query Q${index} { contacts { __typename } }`), 'has 51 operations, but the maximum is 50'],
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
    ['a fragment that is not there, by the name of something else', '{ ...constructor ...__proto__ }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('for %s', async (_name, query, told) => {
    const { told: all, ...rest } = await refused(query);
    expect({ ...rest, told: all?.slice(0, 1) }).toEqual(refusal(told));
  });
});

describe('what clients and gateways send', () => {
  it('passes: 100 requests that a gateway has joined into one, under an alias each', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => demoId(`contact ${index % 20}`));
    const query = `query ($of: [[_Any!]!]) { __typename ${times(100, (index) => `_v${index}_contact: contact(id: "${ids[index]}") { rawId: rawId }`)} }`;
    const { data, errors } = await testGraph.execute(query.replace(' ($of: [[_Any!]!])', ''));
    expect([errors, data._v99_contact]).toEqual([undefined, { rawId: ids[99] }]);
  });

  it('passes: arguments that differ, under aliases of the gateway', async () => {
    const query = `{ contacts(first: 1) { nodes { rawId } } contacts__alias_0: contacts(first: 2) { nodes { rawId } } }`;
    const { data } = await testGraph.execute(query);
    expect([data.contacts.nodes.length, data.contacts__alias_0.nodes.length]).toEqual([1, 2]);
  });

  it('passes: 250 directives, and 50 operations', async () => {
    const query = times(50, (index) => `query Q${index} { ${times(5, () => '__typename @include(if: true)')} }`);
    expect((await refused(query)).told).toEqual([expect.stringContaining('OPERATION_RESOLUTION_FAILURE')]);
  });
});

/** Of each kind the worst that the limits let pass. Some took half a minute before there were limits. */
const SLOW: readonly (readonly [name: string, query: string])[] = [
  ['one field thousands of times', `{ ${times(9_900, () => '__typename')} }`],
  ['one field with a selection thousands of times', `{ ${times(2_400, () => 'viewer { __typename }')} }`],
  ['one alias thousands of times', `{ ${times(3_300, () => 'a: __typename')} }`],
  [
    'hundreds of fragments side by side',
    `{ viewer { ${times(600, (i) => `...F${i}`)} } } ${times(600, (i) => `fragment F${i} on Viewer { __typename }`)}`,
  ],
  [
    'a chain of fragments',
    `{ ...F0 } ${times(1_000, (i) => `fragment F${i} on Query { __typename ...F${i + 1} }`)} fragment F1000 on Query { __typename }`,
  ],
  [
    'fragments that all spread each other',
    `{ ...F0 } ${times(60, (i) => `fragment F${i} on Query { ${times(60, (j) => `...F${j}`)} }`)} }`,
  ],
  [
    'operations that share a chain of fragments',
    `${times(50, (i) => `query Q${i} { ...F0 }`)} ${times(900, (i) => `fragment F${i} on Query { ...F${i + 1} }`)} fragment F900 on Query { __typename }`,
  ],
  ['fields that nobody knows', `{ ${times(9_000, (i) => `customerr${i}`)} }`],
  ['a field with a name of 90,000 letters', `{ ${'customer'.repeat(11_250)} }`],
  ['an enum value of 90,000 letters', `{ customer(id: "x") { quotes(filter: { status: ${'CONCEPT'.repeat(12_800)} }) { __typename } } }`],
  ['a list in a list in a list', `{ nodes(ids: ${'['.repeat(95)}"x"${']'.repeat(95)}) { id } }`],
  ['thousands of lines', `{ __typename ${'\n'.repeat(99_000)} }`],
];

/** CPU time in milliseconds: ten times what the slowest takes, and far below what it took. Wall time would depend on what else the machine runs. */
const MAX_CPU_MS = 1_000;

describe('a document that is slow to check', () => {
  it.each(SLOW)('is dealt with in no time: %s', async (_name, query) => {
    const before = process.threadCpuUsage();
    const { calls } = await refused(query);
    const { user, system } = process.threadCpuUsage(before);
    expect(calls).toEqual([]);
    expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS);
  });
});
