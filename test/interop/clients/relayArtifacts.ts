import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { listBlocks } from '../../support/codeBlocks.ts';

/** The configuration of docs/clients/relay.md, and what the tests need in addition. */
const CONFIG = {
  ...Object.assign({}, ...listBlocks('relay').map(([, { text }]): object => JSON.parse(text))),
  artifactDirectory: './artifacts',
  useImportTypeSyntax: true,
  noSourceControl: true,
};

/** Compiles the documents in a separate project, so that no generated files end up in this one. `more` extends its configuration, and `modules` its sources. */
export async function compileDocuments(
  directory: string,
  more: object = {},
  modules: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(join(directory, 'artifacts'));
  await cp('schema.graphql', join(directory, 'schema.graphql'));
  await cp('test/interop/clients/relay', join(directory, 'src'), { recursive: true });
  for (const [name, text] of Object.entries(modules)) await writeFile(join(directory, 'src', name), text);
  await writeFile(join(directory, 'relay.config.json'), JSON.stringify({ ...CONFIG, ...more }));
  const compiler = resolve('test/interop/node_modules/relay-compiler/cli.js');
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: directory });
  // Artifacts import each other without file extensions, which Node.js requires.
  const artifacts = await readdir(join(directory, 'artifacts'));
  for (const name of artifacts) await symlink(name, join(directory, 'artifacts', name.replace(/\.ts$/, '')));
}

/** Compiles artifacts from `relay/`, further modules, and `schema.graphql` for the tests of one file. A compiler error fails these tests. */
export function useRelayArtifacts(modules?: Readonly<Record<string, string>>) {
  let directory: string | undefined;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'relay-'));
    await compileDocuments(directory, {}, modules);
  });
  afterAll(() => directory && rm(directory, { recursive: true }));
  const getPath = (name: string) => {
    if (!directory) throw new Error('There are artifacts only while tests run.');
    return join(directory, 'artifacts', `${name}.graphql.ts`);
  };
  const load = async <Artifact>(name: string): Promise<Artifact> => {
    const loaded: { readonly default: Artifact } = await import(getPath(name));
    return loaded.default;
  };
  /** The source text of the artifact, including its types. */
  const source = (name: string) => readFile(getPath(name), 'utf8');
  return Object.assign(load, { source });
}
