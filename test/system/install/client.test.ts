import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listBlocks } from '../../support/codeBlocks.ts';
import { parseShellCommands } from '../../support/shellCommands.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';
import { findViolations } from '../browser/accessibility.ts';
import { PHONE_WIDTH, useBrowser } from '../browser/browser.ts';
import { signInWithKey } from '../browser/page.ts';
import { findDeadLinks, listFiles, PACKAGE_NODE, packInto, run } from './packages.ts';

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
    jsx: 'react-jsx',
    noEmit: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  },
};

/** Contains everything below. */
let root = '';
/** The app that `workspace-graph create` has created. */
let app = '';
/** The programs of the README. They use the packages of the app. */
let folder = '';
let client = '';

type Versions = Record<string, string>;
type Manifest = Record<'dependencies' | 'devDependencies', Versions>;

const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8'));

/** Installs the packages of the app, and those that the README names. One installation, because it takes most of the time of these tests. */
function installApp(): void {
  const versions = readManifest('package.json');
  const manifest = readManifest(join(app, 'package.json'));
  const named = commands.filter(isInstall).flatMap((words) => words.slice(2).filter((word) => !word.startsWith('-')));
  for (const name of [...named, ...OTHER_CLIENTS])
    if (!manifest.devDependencies[name])
      manifest.dependencies[name] ??= { ...versions.dependencies, ...versions.devDependencies }[name] ?? '';
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], app);
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'package-'));
  packInto(root);
  // A tool that takes the path for a glob or a URL, or doesn’t quote it, fails.
  app = join(root, 'my app (1) {a,b} [c]');
  run(PACKAGE_NODE, [join(root, 'workspace-graph/dist/main.js'), 'create', app, '--packages', root]);
  installApp();
  folder = join(root, 'start');
  cpSync('examples/start', folder, { recursive: true, filter: (path) => basename(path) !== 'gql' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  symlinkSync(join(app, 'node_modules'), join(folder, 'node_modules'));
  client = join(folder, 'node_modules/@workspace-graph/client');
  for (const [program = '', ...args] of commands.filter((words) => !isInstall(words))) run(program, args, folder);
}, LONG_TEST_MS);

// Removes hundreds of third-party packages, so that the search for secrets after the run skips them.
afterAll(() => rmSync(root, { recursive: true, force: true }));

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
    .filter((line) =>
      /^(?!(?:\.\.\/my app[^/]*\/)?node_modules\/(?!(?:@workspace-graph|workspace-graph)\/)).+\(\d+,\d+\): error/.test(line),
    );
}

/** The packages that each entry may import. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'dist/index.js': [],
  'dist/apollo/index.js': ['@apollo/client', 'graphql', 'rxjs'],
  'dist/codegen/index.js': ['@graphql-codegen/client-preset', 'node:fs'],
  'dist/fetch/index.js': ['graphql'],
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

  it.each([
    ['apollo', 'await client.query({ query: ListCustomers })'],
    ['urql', 'await client.query(ListCustomers, {})'],
    ['fetch', '{ data: await client.query(ListCustomers) }'],
  ])('adds one comment with the README’s program for %s although its response is lost', (name, listCustomers) => {
    // The README only contains the test for Apollo Client.
    const test = readFileSync('examples/start/src/addComment.test.ts', 'utf8')
      .replace('./apollo.ts', `./${name}.ts`)
      .replace('await client.query({ query: ListCustomers })', listCustomers);
    writeFileSync(join(folder, 'src/addComment.test.ts'), test);
    const output = run(PACKAGE_NODE, ['--test', '--test-reporter=tap', 'src/addComment.test.ts'], folder);
    expect(output).toMatch(/^# pass 1$/m);
  });

  it.each(['apollo', 'urql', 'relay', 'fetch'])('bundles the README’s program for %s with Vite', async (name) => {
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
    expect(findDeadLinks(client)).toEqual([]);
    expect(others).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'failure.graphql', 'package.json', 'sbom.cdx.json', 'schema.graphql']);
    const scripts = files.filter((file) => file.endsWith('.js'));
    expect(scripts.filter((file) => !files.includes(file.replace(/\.js$/, '.d.ts')))).toEqual([]);
    expect(files.filter((file) => file.startsWith('dist/') && !/\.(js|d\.ts)$/.test(file))).toEqual([]);
    expect(JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'))).not.toHaveProperty('private');
  });
});

const DRAFTS = `{ quoteSearch(filter: { statuses: [CONCEPT] }, first: 50) {
  nodes { id referenceNumber version lines { productId priceType quantity } discounts { discountId } }
} }`;
const UPDATE = 'mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { __typename } }';

describe('app that workspace-graph create has created', () => {
  const testGraph = useTestGraph();
  const browser = useBrowser();
  /** The draft quotes, in the order of the app. */
  const listDrafts = async () => (await testGraph.execute(DRAFTS)).data.quoteSearch.nodes;

  it('compiles, and passes its own checks', () => {
    run('npm', ['run', 'lint'], app);
    run('npm', ['test'], app);
    // As outside of a test, with the production build of React.
    run('env', ['--unset=NODE_ENV', 'npm', 'run', 'build'], app);
  });

  it('fits a phone, and asks before it replaces what another client has saved, also without storage', async () => {
    vi.stubEnv('GRAPH_ORIGIN', testGraph.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await preview({ root: app, configFile: join(app, 'vite.config.ts'), logLevel: 'error', preview: { port: 0 } });
    onTestFinished(() => server.close());
    const url = server.resolvedUrls?.local[0] ?? '';
    const index = 45;
    const { id, referenceNumber, version, lines, discounts } = (await listDrafts())[index];
    const { page: phone } = await browser.openPhone(url);
    await signInWithKey(phone);
    await phone.getByRole('link', { name: /^Q-/ }).first().click();
    for (const name of ['Change quantities', 'Cancel', 'Draft quotes']) {
      await phone.getByRole('link', { name, exact: true }).waitFor();
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);
      await phone.getByRole('link', { name, exact: true }).click();
    }
    // A URL of a quote survives a reload, and Back stays in the app.
    await phone.getByRole('searchbox').fill(referenceNumber);
    await phone.waitForURL(`${url}?q=${referenceNumber}`);
    await phone.getByRole('link', { name: referenceNumber }).click();
    const heading = phone.getByRole('heading', { name: referenceNumber });
    await heading.waitFor();
    await phone.reload();
    await heading.waitFor();
    await phone.goBack();
    await phone.getByRole('link', { name: referenceNumber }).waitFor();
    expect(await phone.getByRole('searchbox').inputValue()).toBe(referenceNumber);

    const { page, problems } = await browser.openWithoutStorage(url);
    const getButton = (name: string) => page.getByRole('button', { name, exact: true });
    const checkAccessibility = async () => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findViolations(page)).toEqual([]);
      }
    };
    expect(await page.title()).toBe('Sign in');
    await signInWithKey(page, 'nonsense');
    await page.getByText('The API key is invalid').waitFor();
    await checkAccessibility();

    // This key can't search.
    await signInWithKey(page, 'demo-regional');
    await getButton('Try again').click();
    await getButton('Try again').waitFor();
    await checkAccessibility();
    await getButton('Sign out').click();

    await signInWithKey(page);
    const rows = page.getByRole('row');
    // With the row of the headings.
    for (const loaded of [21, 41]) {
      await rows.nth(loaded - 1).waitFor();
      await getButton('Load more').scrollIntoViewIfNeeded();
      await rows.nth(loaded).waitFor();
    }
    await checkAccessibility();
    await page.getByRole('link', { name: referenceNumber }).click();
    await page.getByRole('link', { name: 'Change quantities' }).waitFor();
    await checkAccessibility();
    await page.getByRole('link', { name: 'Change quantities' }).click();
    await page.getByRole('textbox').first().fill('7');
    const elsewhere = { quoteId: id, expectedVersion: version, lines: lines.map((line: object) => ({ ...line, quantity: 3 })), discounts };
    expect((await testGraph.execute(UPDATE, { input: elsewhere })).data.quoteUpdate.__typename).toBe('QuoteUpdatePayload');
    await getButton('Save').click();
    await page.getByText('Someone else has changed this quote to 3 ×').waitFor();
    await checkAccessibility();
    expect((await listDrafts())[index].lines[0].quantity).toBe(3);
    await getButton('Save anyway').click();
    await page.getByRole('cell', { name: '7', exact: true }).waitFor();
    expect([(await listDrafts())[index].lines[0].quantity, problems]).toEqual([7, []]);

    // The responses are lost until the user tries again.
    await page.getByRole('link', { name: 'Change quantities' }).click();
    await page.getByRole('textbox').first().fill('8');
    await page.route('**/graphql', async (route) => {
      await route.fetch();
      return route.abort();
    });
    await getButton('Save').click();
    await page.getByText('This may not have been saved.').waitFor();
    await page.unrouteAll();
    await getButton('Try again').click();
    await page.getByRole('cell', { name: '8', exact: true }).waitFor();
    expect((await listDrafts())[index]).toMatchObject({
      version: String(Number(version) + 3),
      lines: [{ quantity: 8 }, ...lines.slice(1).map(() => expect.anything())],
    });
  });
});
