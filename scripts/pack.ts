// Makes the npm package: `npm run pack` emits JavaScript to build/workspace-graph, and packs that to build/workspace-graph-<version>.tgz. Node runs no TypeScript
// below node_modules, so the sources, which the repository runs as they are, cannot be published themselves.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Lock, type Manifest, publishedLock, publishedManifest } from './packageManifest.ts';

/** Files that are published unchanged: those that the server and `analytics-types` read at run time, and the documentation. */
const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs/**/*.md',
  'docs/images/*.png',
  'examples/[0-9]*',
  'src/tools/documents/*.graphql',
  'src/cli/analyticsTypes/{conditions,queries}.ts',
  'src/server/graphiql/page/panel.{css,js}',
  'schema.graphql',
  'subgraph.graphql',
];

const { values } = parseArgs({ options: { to: { type: 'string', default: 'build' } } });
const target = resolve(values.to);
const staged = join(target, 'workspace-graph');

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} exited with status ${status}, expected 0:\n${stdout}${stderr}`);
  return stdout;
}

const readJson = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (name: string, content: unknown) => writeFileSync(join(staged, name), `${JSON.stringify(content, null, 2)}\n`);

rmSync(staged, { recursive: true, force: true });
run('tsc', ['-p', 'tsconfig.package.json', '--outDir', staged]);
for (const file of globSync(FILES, { exclude: ['docs/site/**'] })) {
  mkdirSync(dirname(join(staged, file)), { recursive: true });
  cpSync(file, join(staged, file));
}
const manifest = publishedManifest(readJson<Manifest>('package.json'));
writeJson('package.json', manifest);
writeJson('npm-shrinkwrap.json', publishedLock(readJson<Lock>('package-lock.json'), manifest));
console.log(join(target, run('npm', ['pack', '--silent', staged, '--pack-destination', target]).trim()));
