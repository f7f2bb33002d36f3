import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBlocks } from '../../support/codeBlocks.ts';
import { parseShellCommands } from '../../support/shellCommands.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';
import { install, listFiles, packInto, run } from './packages.ts';

/** The Node.js that runs the package, as in package.test.ts. */
const { PACKAGE_NODE = process.execPath } = process.env;

/** Packages of the programs for the other clients, which the README only names. */
const OTHER_CLIENTS = ['@urql/core', 'relay-runtime', 'wonka'];

/** The commands of the README: some that install packages, then another one. */
const commands = listBlocks('client package').flatMap(([, { text }]) => parseShellCommands(text).map(({ words }) => words));
const isInstall = ([program, command]: readonly string[]) => program === 'npm' && command === 'install';

/** A strict configuration, with the declarations of the packages checked too. Those of Node.js are the repository’s. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  },
};

let folder = '';
let client = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  const packed = packInto(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const versions: Readonly<Record<string, string>> = { ...manifest.dependencies, ...manifest.devDependencies };
  const named = commands.filter(isInstall).flatMap((words) => words.slice(2).filter((word) => !word.startsWith('-')));
  const files: Readonly<Record<string, string>> = { 'workspace-graph': packed.server, '@workspace-graph/client': packed.client };
  install(
    folder,
    [...named, ...OTHER_CLIENTS].map((name) => files[name] ?? `${name}@${versions[name]}`),
  );
  client = join(folder, 'node_modules/@workspace-graph/client');
  cpSync('examples/start', folder, { recursive: true, filter: (path) => basename(path) !== 'gql' });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const [program = '', ...args] of commands.filter((words) => !isInstall(words))) run(program, args, folder);
}, LONG_TEST_MS);

// Removes hundreds of third-party packages, so that the search for secrets after the run skips them.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The packages that a module of the client imports, directly or through others. */
function listImportedPackages(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport )"([^"]+)"/g)) {
    if (!path.startsWith('.')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
    else for (const name of listImportedPackages(join(file, '..', path), seen)) packages.add(name);
  }
  return packages;
}

/** Errors in the programs and in the declarations of both packages. Those of some other packages don’t compile with these settings. */
function findTypeErrors(): string[] {
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], { encoding: 'utf8', cwd: folder });
  return stdout
    .split('\n')
    .filter((line) => /^(?!node_modules\/(?!(?:@workspace-graph|workspace-graph)\/))\S+\(\d+,\d+\): error/.test(line));
}

/** The packages that each entry may import. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'dist/index.js': [],
  'dist/apollo/index.js': ['@apollo/client', 'graphql', 'rxjs'],
  'dist/codegen/index.js': ['@graphql-codegen/client-preset', 'node:path', 'node:url'],
  'dist/live/index.js': [],
  'dist/react/index.js': ['react'],
  'dist/relay/index.js': ['relay-runtime'],
  'dist/testing/index.js': ['workspace-graph'],
  'dist/urql/index.js': ['@urql/core', 'graphql', 'wonka'],
};

describe('client package installed in an empty folder', () => {
  it('compiles the programs of its README with the generated types', () => {
    expect(findTypeErrors()).toEqual([]);
  });

  it.each(['apollo', 'urql'])('adds one comment with the README’s program for %s although its response is lost', (name) => {
    // The README only contains the test for Apollo Client.
    const test = readFileSync('examples/start/src/addComment.test.ts', 'utf8')
      .replace('./apollo.ts', `./${name}.ts`)
      .replace('client.query({ query: ListCustomers })', name === 'urql' ? 'client.query(ListCustomers, {})' : '$&');
    writeFileSync(join(folder, 'src/addComment.test.ts'), test);
    const output = run(process.execPath, ['--test', '--test-reporter=tap', 'src/addComment.test.ts'], folder);
    expect(output).toMatch(/^# pass 1$/m);
  });

  it.each(['apollo', 'urql', 'relay'])('bundles the README’s program for %s with Vite', async (name) => {
    const lib = { entry: join(folder, `src/${name}.ts`), formats: ['es' as const] };
    const built = await build({ root: folder, configFile: false, logLevel: 'error', build: { lib, write: false } });
    const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
    const code = chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
    expect(code).toContain('TOKEN_EXPIRED');
    expect(code).not.toMatch(/from ?["']@workspace-graph/);
  });

  it('starts a test graph on the oldest supported version of Node.js', () => {
    const program = `
      import { createTestGraph } from '@workspace-graph/client/testing';
      const graph = await createTestGraph();
      const body = JSON.stringify({ query: '{ viewer { workspace { name } } }' });
      const headers = { authorization: \`Bearer \${graph.keys.owner}\`, 'content-type': 'application/json' };
      console.log(await (await fetch(graph.url, { method: 'POST', headers, body })).text());
      await graph.close();`;
    const output = run(PACKAGE_NODE, ['--input-type=module', '--eval', program], folder);
    expect(JSON.parse(output)).toMatchObject({ data: { viewer: { workspace: { name: 'Demo Works' } } } });
  });

  it('imports in each entry only the packages of its own integration', () => {
    const entries = globSync('dist/{index,*/index}.js', { cwd: client });
    expect(entries.sort()).toEqual(Object.keys(ALLOWED).sort());
    for (const entry of entries)
      expect([...listImportedPackages(join(client, entry))].filter((name) => !ALLOWED[entry]?.includes(name))).toEqual([]);
  });

  it('contains only built files, with their declarations, and documentation', () => {
    const files = listFiles(client);
    const others = files.filter((file) => !file.startsWith('dist/'));
    expect(others).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'failure.graphql', 'package.json', 'sbom.cdx.json', 'schema.graphql']);
    const scripts = files.filter((file) => file.endsWith('.js'));
    expect(scripts.filter((file) => !files.includes(file.replace(/\.js$/, '.d.ts')))).toEqual([]);
    expect(files.filter((file) => file.startsWith('dist/') && !/\.(js|d\.ts)$/.test(file))).toEqual([]);
    expect(JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'))).not.toHaveProperty('private');
  });
});
