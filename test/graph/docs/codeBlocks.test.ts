import { existsSync, globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { FULL } from '../../../sandbox/demo.ts';
import { type Admin, startAdmin } from '../../../sandbox/kernel/admin.ts';
import { ERROR_CODES } from '../../../src/failures/errorCodes.ts';
import { SETTINGS } from '../../../src/server/settings/settings.ts';
import { docPages } from '../../support/docPages.ts';
import { type CodeBlock, codeBlocks, inlineCodeOf } from '../../support/markdown.ts';
import { curlRequest, shellCommands } from '../../support/shellCommands.ts';
import { revenueInput } from '../../support/snippets/revenueByMonth.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { validateCodeBlock } from '../../support/validateCodeBlock.ts';

// The data that `npm start` begins with.
const testGraph = useTestGraph({ seed: 1, sizes: FULL });
let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin(testGraph.sandbox, 0);
});
afterAll(() => admin.close());

const blocks = [...docPages].flatMap(([file, page]) => codeBlocks(page, file));
const checked = blocks.filter(({ unchecked }) => unchecked === undefined);
const of = (language: string) => checked.filter((block) => block.language === language).map((block) => [block.place, block] as const);

/** A place that the reader fills in: such a block is read and not run. */
const hasPlaceholder = (text: string) => /…|<key>/.test(text);

/** The block behind one. */
const behind = (block: CodeBlock): CodeBlock | undefined => blocks[blocks.indexOf(block) + 1];

/** An answer stands behind what it answers, and has `data`. */
const answerTo = (block: CodeBlock): object | undefined => {
  const next = behind(block);
  if (next?.language !== 'json' || next.unchecked !== undefined) return;
  const json = JSON.parse(next.text);
  return 'data' in json ? json : undefined;
};

describe('the code blocks of the pages', () => {
  it('are checked, but for those that say why not', () => {
    expect(checked.map(({ language }) => language).filter((language) => !LANGUAGES.has(language))).toEqual([]);
    expect(blocks.flatMap(({ place, unchecked }) => (unchecked === undefined ? [] : [`${place.split(':')[0]}: ${unchecked}`]))).toEqual(
      UNCHECKED,
    );
  });

  it.each(of('graphql'))('%s is valid, and answers', async (_, block) => {
    const document = validateCodeBlock(block.text);
    if (!document || hasPlaceholder(block.text)) return;
    const next = behind(block);
    const variables = next?.language === 'json' && next.isAttached ? JSON.parse(next.text) : {};
    const { data, errors } = await testGraph.execute(block.text, variables);
    expect(errors).toBeUndefined();
    for (const answer of Object.values(data)) expect(answer).not.toHaveProperty('issues');
    const answer = answerTo(block);
    if (answer) expect({ data }).toMatchObject(answer);
  });

  it.each(of('json'))('%s is JSON, and the numbers of an example are those that it costs', async (_, { text, exampleName: answers }) => {
    const json = JSON.parse(text);
    if (!answers) return;
    const query = readFileSync(`examples/${answers}.graphql`, 'utf8');
    const variables = existsSync(`examples/${answers}.variables.json`) ? readFileSync(`examples/${answers}.variables.json`, 'utf8') : '{}';
    const { cost } = await testGraph.execute(query, JSON.parse(variables));
    const quota = { limit: expect.any(Number), remaining: expect.any(Number), resetsInSeconds: expect.any(Number) };
    expect(Object.keys(json).sort()).toEqual(Object.keys(cost ?? {}).sort());
    expect({ ...cost }).toMatchObject({ ...json, quota });
  });

  it.each(of('sql'))('%s is answered', async (_, { text }) => {
    const { data, errors } = await testGraph.execute(
      'query ($sql: String!) { analyticsSql(sql: $sql) { __typename ... on AnalyticsQueryError { message } } }',
      { sql: text },
    );
    expect([data, errors]).toEqual([{ analyticsSql: { __typename: 'AnalyticsResult' } }, undefined]);
  });

  // Files that tsc or buf compiles need no second check.
  it.each([...of('ts'), ...of('proto')])('%s is part of a file that is compiled', (_, { text }) => {
    expect(
      compiled.filter((file) => file.includes(text.trim())),
      text,
    ).not.toEqual([]);
  });

  it('run, where they are only a part of a program', async () => {
    const { data } = await testGraph.execute('query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { __typename } }', {
      query: revenueInput,
    });
    expect(data).toEqual({ analyticsQuery: { __typename: 'AnalyticsResult' } });
  });

  it.each(of('yaml'))('%s is YAML', (_, { text }) => {
    expect(parseYaml(text)).toEqual(expect.any(Object));
  });

  it.each(of('sh'))('%s names programs, scripts, files and settings that there are, and its requests are answered', async (_, block) => {
    const commands = shellCommands(block.text);
    const problems = commands.flatMap(({ env, words }) => [
      ...env.filter((name) => !isVariable(name)).map((name) => `no variable ${name}`),
      ...problemsOf(words),
    ]);
    expect(problems).toEqual([]);
    for (const { words } of commands) if (words[0] === 'curl' && !hasPlaceholder(words.join(' '))) await send(words.slice(1), block);
  });
});

it('the pages name environment variables that there are', () => {
  const named = [...docPages].flatMap(([file, page]) =>
    inlineCodeOf(page).flatMap((code) => {
      const [name] =
        /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?==)|^(?:UPSTREAM|SANDBOX|MCP|SUBGRAPH|LEDGER|SHUTDOWN|COST)_[A-Z0-9_]+$/.exec(code) ?? [];
      return name && !Object.hasOwn(ERROR_CODES, name) && !isVariable(name) ? [`${file}: ${name}`] : [];
    }),
  );
  expect(named).toEqual([]);
});

const LANGUAGES = new Set(['', 'graphql', 'json', 'proto', 'ts', 'sh', 'sql', 'yaml']);

/** Blocks that cannot be checked, by page, with the reason that they give. */
const UNCHECKED: readonly string[] = [
  'docs/adding-an-operation.md: parts of a binding, with words left out',
  'docs/agents.md: tool directives aren’t part of the schema; test/graph/tools/planChecks executes this plan',
  'docs/telemetry.md: third-party packages in a separate folder; test/system/telemetry loads them the same way',
];

/** The texts of the project's files that match a pattern. Leaves out packages that `scripts/install.ts` installed in a folder: they have over 100 MB of sources. */
const textsOf = (patterns: readonly string[]) =>
  globSync(patterns, { exclude: ['**/node_modules'] }).map((file) => readFileSync(file, 'utf8'));

const compiled = textsOf(['examples/**/*.{ts,tsx}', 'proto/**/*.proto', 'sandbox/**/*.ts', 'src/**/*.ts', 'test/support/snippets/*.ts']);

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Variables that programs of the repository read, beside the settings of the graph and the sandbox. */
const sources = textsOf(['{bench,scripts,test,sandbox,examples,src}/**/*.ts', '.ci/*', 'package.json', 'vitest.config.ts']).join('\n');
/** Variables of shells and of Node. */
const ALWAYS = new Set(['PATH', 'NODE_OPTIONS']);
const isVariable = (name: string): boolean =>
  name in SETTINGS ||
  ALWAYS.has(name) ||
  new RegExp(`\\benv\\.${name}\\b|\\b${name} = |[{,] ${name}\\b|'${name}'|\\$\\{?${name}\\b`).test(sources);

/** Packages of which the tests in test/interop run the programs. */
const { dependencies: vendorTools } = JSON.parse(readFileSync('test/interop/package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Programs that the pages may name without more. */
const PROGRAMS = new Set(['curl', 'docker', 'export', 'git', 'kubectl', 'cd']);

function problemsOf([program = '', ...words]: readonly string[]): string[] {
  if (program === '' || PROGRAMS.has(program)) return [];
  if (program === 'npm') {
    const [command = '', ...rest] = words;
    if (command === 'ci' || command === 'install' || command === 'test') return [];
    const name = command === 'start' ? 'start' : rest.find((word) => !word.startsWith('-'));
    return name !== undefined && Object.hasOwn(scripts, name) ? [] : [`no script ${name}`];
  }
  if (program === 'npx') {
    const [name = ''] = words.filter((word) => word !== '-y');
    const isKnown = name === 'workspace-graph' || name in vendorTools || existsSync(`node_modules/.bin/${name}`);
    return isKnown ? [] : [`no program ${name}`];
  }
  if (program === 'node') return existsSync(words.find((word) => !word.startsWith('-')) ?? '') ? [] : [`no file ${words.join(' ')}`];
  return existsSync(program) ? [] : [`no program ${program}`];
}

/** The ports of `npm start`, and who listens on them here. */
const hosts = (): Readonly<Record<string, string>> => ({
  'http://127.0.0.1:4000': testGraph.url,
  'http://127.0.0.1:4010': testGraph.sandbox.url,
  'http://127.0.0.1:4011': admin.url,
});

async function send(words: readonly string[], block: CodeBlock): Promise<void> {
  const { url, method, headers, body } = curlRequest(words);
  const host = hosts()[new URL(url).origin];
  // The supergraph of the examples is run by supergraph.test.ts.
  if (!host) return expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4100\//);
  const response = await fetch(host + new URL(url).pathname, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  await fetch(`${admin.url}/faults`, { method: 'DELETE' });
  expect(response.status, text).toBe(200);
  const json = JSON.parse(text);
  expect(json).not.toHaveProperty('errors');
  const answer = answerTo(block);
  if (answer && json.data) expect(json).toMatchObject(answer);
}
