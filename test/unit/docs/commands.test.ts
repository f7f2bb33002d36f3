import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/failures/errorCodes.ts';
import { OLDEST_NODE } from '../../../src/lib/nodeVersion.ts';
import { REMOVED_SETTINGS } from '../../../src/server/settings/config.ts';
import { SETTINGS } from '../../../src/server/settings/settings.ts';
import { codeBlocks } from '../../support/codeBlocks.ts';
import { docPages } from '../../support/docPages.ts';
import { listInlineCode } from '../../support/markdown.ts';
import { parseShellCommands } from '../../support/shellCommands.ts';

describe('commands of the pages', () => {
  it.each(codeBlocks.filter(({ language }) => language === 'sh').map((block) => [block.place, block] as const))(
    'name, in %s, existing programs, scripts, options, and settings',
    (_, { text }) => {
      const problems = parseShellCommands(text).flatMap(({ env, words }) => [
        ...env.filter((name) => !isVariable(name)).map((name) => `no variable ${name}`),
        ...findProblems(words),
      ]);
      expect(problems).toEqual([]);
    },
  );
  it('name existing programs, scripts, and options in the text', () => {
    const problems = [...docPages].flatMap(([file, page]) =>
      listInlineCode(page)
        .filter((code) => /^(?:[A-Z_]+=\S+ )*(?:npm (?:run|start|--prefix)|npx|node) (?!install)/.test(code))
        .flatMap((code) => parseShellCommands(code).flatMap(({ words }) => findProblems(words).map((problem) => `${file}: ${problem}`))),
    );
    // Upgrading names the scripts of former versions, too.
    expect(problems.filter((problem) => !problem.startsWith('docs/upgrading.md'))).toEqual([]);
  });

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
      Array.from(page.matchAll(/(?<!\bnpx )\bnode (?:--\S+ )*[\w./-]+\.ts\b/g), ([text]) => `${file}: ${text}`),
    );
    // CONTRIBUTING.md puts the checkout's Node.js first in PATH.
    expect(commands.filter((command) => !/^(?:docs\/decisions\/|CONTRIBUTING\.md)/.test(command))).toEqual([]);
  });
});

it('describes each npm script in one line of CONTRIBUTING.md', () => {
  const [, table = ''] = /^\| npm script \|[^\n]*\n\| --- [^\n]*\n((?:\|[^\n]*\n)+)/m.exec(docPages.get('CONTRIBUTING.md') ?? '') ?? [];
  const described = Array.from(table.matchAll(/^\| `([\w:]+)` \|/gm), ([, name]) => name);
  expect(described.sort()).toEqual(Object.keys(scripts).sort());
});

it('names only existing environment variables in the pages', () => {
  const named = [...docPages].flatMap(([file, page]) =>
    listInlineCode(page).flatMap((code) => {
      const [name] =
        /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?==)|^(?:UPSTREAM|SANDBOX|MCP|SUBGRAPH|LEDGER|SHUTDOWN|COST)_[A-Z0-9_]+$/.exec(code) ?? [];
      return name && !Object.hasOwn(ERROR_CODES, name) && !isVariable(name) && !(file === 'docs/upgrading.md' && name in REMOVED_SETTINGS)
        ? [`${file}: ${name}`]
        : [];
    }),
  );
  expect(named).toEqual([]);
});

/** The contents of the files that match the patterns. Excludes packages that `scripts/install.ts` installed: their sources have over 100 MB. */
const readFiles = (patterns: readonly string[]) =>
  globSync(patterns, { exclude: ['**/node_modules'] }).map((file) => readFileSync(file, 'utf8'));

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Sources whose variables the pages can name, in addition to the settings of the graph and the sandbox. */
const sources = readFiles([
  '{bench,deploy,scripts,test,sandbox,examples,src,cli}/**/*.ts',
  '.ci/*',
  'package.json',
  'vitest.config.ts',
]).join('\n');
/** Variables of shells and of Node.js. Those of OpenTelemetry start with `OTEL_`. */
const ALWAYS = new Set(['PATH', 'NODE_OPTIONS']);
const isVariable = (name: string): boolean =>
  name in SETTINGS ||
  ALWAYS.has(name) ||
  name.startsWith('OTEL_') ||
  new RegExp(`\\benv\\.${name}\\b|\\b${name} = |[{,] ${name}\\b|'${name}'|\\$\\{?${name}\\b`).test(sources);

/** Packages whose programs the tests in test/interop run. */
const { dependencies: vendorTools } = JSON.parse(readFileSync('test/interop/package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Programs that the pages can name without a check of their arguments. */
const PROGRAMS = new Set(['curl', 'docker', 'export', 'git', 'cd', 'cp', 'kubectl']);

/** Sources of the commands of the npm package, whose help texts name their options. */
const commandSources = readFiles(['cli/**/*.ts', 'src/ledger/**/*.ts']).join('\n');

/** The options among the words that a program's help doesn't name. `--help` itself needs no mention. */
const findUnknownOptions = (words: readonly string[], source: string): string[] =>
  words
    .filter((word) => word.startsWith('--') && word !== '--' && word !== '--help')
    .map((word) => word.replace(/=.*/, ''))
    .filter((option) => !new RegExp(`${option}\\b`).test(source))
    .map((option) => `no option ${option}`);

const readSource = (file: string): string => (/^(?:cli|src)\//.test(file) ? commandSources : readFileSync(file, 'utf8'));

/** Problems of `npm --prefix <folder> <script>`. */
function findProblemsOfPrefix([, folder = '', name = '']: readonly string[]): string[] {
  const manifest = `${folder}/package.json`;
  if (!existsSync(manifest)) return [`no file ${manifest}`];
  return Object.hasOwn(JSON.parse(readFileSync(manifest, 'utf8')).scripts ?? {}, name) ? [] : [`no script ${name} in ${manifest}`];
}

function findProblems([program = '', ...words]: readonly string[]): string[] {
  if (program === '' || PROGRAMS.has(program)) return [];
  if (program === 'npm') {
    if (words[0] === '--prefix') return findProblemsOfPrefix(words);
    const [command = '', ...rest] = words;
    if (command === 'ci' || command === 'install' || command === 'test') return [];
    const name = command === 'start' ? 'start' : rest.find((word) => !word.startsWith('-'));
    if (name === undefined || !Object.hasOwn(scripts, name)) return [`no script ${name}`];
    const [file = ''] = /(?<=\bnode (?:--\S+ )*)(?!scripts\/install)\S+\.ts\b/.exec(scripts[name] ?? '') ?? [];
    return rest.includes('--') ? findUnknownOptions(rest.slice(rest.indexOf('--') + 1), readSource(file)) : [];
  }
  if (program === 'node') {
    // Other programs are those of installed packages.
    const index = words.findIndex((word) => word.endsWith('.ts'));
    const file = words[index];
    if (file === undefined) return [];
    return existsSync(file) ? findUnknownOptions(words.slice(index), readSource(file)) : [`no file ${file}`];
  }
  if (program === 'npx') {
    const [name = '', ...rest] = words.filter((word) => word !== '-y');
    if (name === 'node') return findProblems([name, ...rest]);
    const isKnown = name === 'workspace-graph' || name in vendorTools || existsSync(`node_modules/.bin/${name}`);
    if (!isKnown) return [`no program ${name}`];
    return name === 'workspace-graph' ? findUnknownOptions(words, commandSources) : [];
  }
  return existsSync(program) ? [] : [`no program ${program}`];
}
