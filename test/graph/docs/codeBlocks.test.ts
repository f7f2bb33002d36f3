import { existsSync, globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { FULL } from '../../../sandbox/demo.ts';
import { type Admin, startAdmin } from '../../../sandbox/kernel/admin.ts';
import { OLDEST_NODE } from '../../../src/cli/nodeVersion.ts';
import { ERROR_CODES } from '../../../src/failures/errorCodes.ts';
import { SETTINGS } from '../../../src/server/settings/settings.ts';
import { readOverlay } from '../../../src/upstream/contract/overlay.ts';
import { docPages } from '../../support/docPages.ts';
import { type CodeBlock, listCodeBlocks, listInlineCode } from '../../support/markdown.ts';
import { parseCurlRequest, parseShellCommands } from '../../support/shellCommands.ts';
import { revenueInput } from '../../support/snippets/revenueByMonth.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { validateCodeBlock } from '../../support/validateCodeBlock.ts';

// The seed and sizes of `npm start`.
const testGraph = useTestGraph({ seed: 1, sizes: FULL });
let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin(testGraph.sandbox, 0);
});
afterAll(() => admin.close());

const blocks = [...docPages].flatMap(([file, page]) => listCodeBlocks(page, file));
const checked = blocks.filter(({ unchecked }) => unchecked === undefined);
const listBlocks = (language: string) =>
  checked.filter((block) => block.language === language).map((block) => [block.place, block] as const);

/** Whether the text has a placeholder for the reader's value. Such a block is validated but not executed. */
const hasPlaceholder = (text: string) => /…|<key>/.test(text);

/** The block after the given one. */
const getNextBlock = (block: CodeBlock): CodeBlock | undefined => blocks[blocks.indexOf(block) + 1];

/** The response that the page shows after a request: the next block, if it is JSON with `data`. */
const getDocumentedResponse = (block: CodeBlock): object | undefined => {
  const next = getNextBlock(block);
  if (next?.language !== 'json' || next.unchecked !== undefined) return;
  const json = JSON.parse(next.text);
  return 'data' in json ? json : undefined;
};

describe('code blocks of the pages', () => {
  it('pass validation unless they give a reason not to', () => {
    expect(checked.map(({ language }) => language).filter((language) => !LANGUAGES.has(language))).toEqual([]);
    expect(blocks.flatMap(({ place, unchecked }) => (unchecked === undefined ? [] : [`${place.split(':')[0]}: ${unchecked}`]))).toEqual(
      UNCHECKED,
    );
  });

  it.each(listBlocks('graphql'))('%s is valid and returns the documented response', async (_, block) => {
    const document = validateCodeBlock(block.text);
    if (!document || hasPlaceholder(block.text)) return;
    const next = getNextBlock(block);
    const variables = next?.language === 'json' && next.isAttached ? JSON.parse(next.text) : {};
    const { data, errors } = await testGraph.execute(block.text, variables);
    expect(errors).toBeUndefined();
    // Errors in the results of analytics queries and mutations have these.
    for (const result of Object.values(data)) for (const name of ['issues', 'code']) expect(result).not.toHaveProperty(name);
    expect(findEmptyLists(data)).toEqual([]);
    const expected = getDocumentedResponse(block);
    if (expected) expect({ data }).toMatchObject(expected);
  });

  it.each(listBlocks('json'))('%s is JSON, and the cost of an example matches', async (_, { text, exampleName: example }) => {
    const json = JSON.parse(text);
    if (!example) return;
    const query = readFileSync(`examples/${example}.graphql`, 'utf8');
    const variables = existsSync(`examples/${example}.variables.json`) ? readFileSync(`examples/${example}.variables.json`, 'utf8') : '{}';
    const { cost } = await testGraph.execute(query, JSON.parse(variables));
    const quota = { limit: expect.any(Number), remaining: expect.any(Number), resetsInSeconds: expect.any(Number) };
    expect(Object.keys(json).sort()).toEqual(Object.keys(cost ?? {}).sort());
    expect({ ...cost }).toMatchObject({ ...json, quota });
  });

  it.each(listBlocks('sql'))('%s is executed', async (_, { text }) => {
    const { data, errors } = await testGraph.execute(
      'query ($sql: String!) { analyticsSql(sql: $sql) { __typename ... on AnalyticsQueryError { message } } }',
      { sql: text },
    );
    expect([data, errors]).toEqual([{ analyticsSql: { __typename: 'AnalyticsResult' } }, undefined]);
  });

  // Files that tsc or buf compiles need no other check.
  it.each([...listBlocks('ts'), ...listBlocks('proto')])('%s is part of a compiled file', (_, { place, text }) => {
    // Readers of the client's page create these files, so it contains them with their imports.
    const isWhole = place.startsWith('client/README.md:');
    expect(
      compiled.filter((file) => (isWhole ? file === text : file.includes(text.trim()))),
      text,
    ).not.toEqual([]);
  });

  it('run if they are part of a program', async () => {
    const { data } = await testGraph.execute('query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { __typename } }', {
      query: revenueInput,
    });
    expect(data).toEqual({ analyticsQuery: { __typename: 'AnalyticsResult' } });
  });

  it.each(listBlocks('yaml'))('%s is YAML, and an overlay is accepted', (_, { place, text }) => {
    expect(parseYaml(text)).toEqual(expect.any(Object));
    if (place.startsWith('docs/overlay.md:')) expect(readOverlay(text)).not.toHaveProperty('problems');
  });

  it.each(listBlocks('sh'))('%s names existing programs, scripts, files, and settings, and its requests succeed', async (_, block) => {
    const commands = parseShellCommands(block.text);
    const problems = commands.flatMap(({ env, words }) => [
      ...env.filter((name) => !isVariable(name)).map((name) => `no variable ${name}`),
      ...findProblems(words),
    ]);
    expect(problems).toEqual([]);
    for (const { words } of commands) if (words[0] === 'curl' && !hasPlaceholder(words.join(' '))) await send(words.slice(1), block);
    await fetch(`${admin.url}/faults`, { method: 'DELETE' });
  });
});

describe('commands of the pages', () => {
  it('name the required version of Node.js before the first command of the npm package', () => {
    const [major, minor] = OLDEST_NODE.split('.');
    const silent = [...docPages].filter(([, page]) => {
      const command = page.search(/^[^|`\n]*\bnpx workspace-graph\b/m);
      return command !== -1 && !page.slice(0, command).includes(`Node.js ${major}.${minor}`);
    });
    expect(silent.map(([file]) => file)).toEqual([]);
  });

  it('run the checkout with its own Node.js, because the installed one can be too old', () => {
    const commands = [...docPages].flatMap(([file, page]) =>
      Array.from(page.matchAll(/(?<!\.bin\/)\bnode [\w./-]+\.ts\b/g), ([text]) => `${file}: ${text}`),
    );
    expect(commands.filter((command) => !command.startsWith('docs/decisions/'))).toEqual([]);
  });
});

it('names only existing environment variables in the pages', () => {
  const named = [...docPages].flatMap(([file, page]) =>
    listInlineCode(page).flatMap((code) => {
      const [name] =
        /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?==)|^(?:UPSTREAM|SANDBOX|MCP|SUBGRAPH|LEDGER|SHUTDOWN|COST)_[A-Z0-9_]+$/.exec(code) ?? [];
      return name && !Object.hasOwn(ERROR_CODES, name) && !isVariable(name) ? [`${file}: ${name}`] : [];
    }),
  );
  expect(named).toEqual([]);
});

const LANGUAGES = new Set(['', 'graphql', 'json', 'proto', 'ts', 'sh', 'sql', 'yaml']);

/** Unchecked blocks, by page, with the reason in the page. */
const UNCHECKED: readonly string[] = [
  'docs/adding-an-operation.md: parts of a binding, with words left out',
  'docs/agents.md: tool directives aren’t part of the schema; test/graph/tools/planChecks executes this plan',
  'docs/sign-in.md: the session and the cookie belong to your server',
  'docs/telemetry.md: third-party packages in a separate folder; test/system/telemetry loads them the same way',
];

/** The contents of the files that match the patterns. Excludes packages that `scripts/install.ts` installed: their sources have over 100 MB. */
const readFiles = (patterns: readonly string[]) =>
  globSync(patterns, { exclude: ['**/node_modules'] }).map((file) => readFileSync(file, 'utf8'));

const compiled = readFiles(['examples/**/*.{ts,tsx}', 'proto/**/*.proto', 'sandbox/**/*.ts', 'src/**/*.ts', 'test/support/snippets/*.ts']);

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Sources whose variables the pages can name, in addition to the settings of the graph and the sandbox. */
const sources = readFiles(['{bench,scripts,test,sandbox,examples,src}/**/*.ts', '.ci/*', 'package.json', 'vitest.config.ts']).join('\n');
/** Variables of shells and of Node.js. */
const ALWAYS = new Set(['PATH', 'NODE_OPTIONS']);
const isVariable = (name: string): boolean =>
  name in SETTINGS ||
  ALWAYS.has(name) ||
  new RegExp(`\\benv\\.${name}\\b|\\b${name} = |[{,] ${name}\\b|'${name}'|\\$\\{?${name}\\b`).test(sources);

/** Packages whose programs the tests in test/interop run. */
const { dependencies: vendorTools } = JSON.parse(readFileSync('test/interop/package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Programs that the pages can name without a check of their arguments. */
const PROGRAMS = new Set(['curl', 'docker', 'export', 'git', 'kubectl', 'cd']);

/** Sources of the commands of the npm package, whose help texts name their options. */
const commandSources = readFiles(['src/{cli,export,ledger,verify}/**/*.ts']).join('\n');

/** The options among the words that a program's help doesn't name. `--help` itself needs no mention. */
const findUnknownOptions = (words: readonly string[], source: string): string[] =>
  words
    .filter((word) => word.startsWith('--') && word !== '--' && word !== '--help')
    .map((word) => word.replace(/=.*/, ''))
    .filter((option) => !new RegExp(`${option}\\b`).test(source))
    .map((option) => `no option ${option}`);

function findProblems([program = '', ...words]: readonly string[]): string[] {
  if (program === '' || PROGRAMS.has(program)) return [];
  if (program === 'npm') {
    const [command = '', ...rest] = words;
    if (command === 'ci' || command === 'install' || command === 'test') return [];
    const name = command === 'start' ? 'start' : rest.find((word) => !word.startsWith('-'));
    if (name === undefined || !Object.hasOwn(scripts, name)) return [`no script ${name}`];
    const [file = ''] = /(?!scripts\/install)\b[\w/-]+\.ts\b/.exec(scripts[name] ?? '') ?? [];
    const own = rest.slice(rest.indexOf('--') + 1);
    return rest.includes('--') ? findUnknownOptions(own, file.startsWith('src/') ? commandSources : readFileSync(file, 'utf8')) : [];
  }
  if (program === 'npx') {
    const [name = ''] = words.filter((word) => word !== '-y');
    const isKnown = name === 'workspace-graph' || name in vendorTools || existsSync(`node_modules/.bin/${name}`);
    if (!isKnown) return [`no program ${name}`];
    return name === 'workspace-graph' ? findUnknownOptions(words, commandSources) : [];
  }
  return existsSync(program) ? [] : [`no program ${program}`];
}

/** The URLs of `npm start` and their counterparts in this test. */
const getHosts = (): Readonly<Record<string, string>> => ({
  'http://127.0.0.1:4000': testGraph.url,
  'http://127.0.0.1:4010': testGraph.sandbox.url,
  'http://127.0.0.1:4011': admin.url,
});

/** Paths of the pages in a response that have no rows: what a reader would see if the demo data has no record for a filter. */
const findEmptyLists = (value: object, path = ''): string[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (Array.isArray(member) && member.length === 0 && (name === 'nodes' || name === 'edges')) return [`${path}${name}`];
    return typeof member === 'object' && member !== null ? findEmptyLists(member, `${path}${name}.`) : [];
  });

async function send(words: readonly string[], block: CodeBlock): Promise<void> {
  const { url, method, headers, body } = parseCurlRequest(words);
  const host = getHosts()[new URL(url).origin];
  // supergraph.test.ts tests the supergraph of the examples.
  if (!host) return expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4100\//);
  const response = await fetch(host + new URL(url).pathname, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const json = JSON.parse(text);
  expect(json).not.toHaveProperty('errors');
  expect(findEmptyLists(json.data ?? {})).toEqual([]);
  const expected = getDocumentedResponse(block);
  if (expected && json.data) expect(json).toMatchObject(expected);
}
