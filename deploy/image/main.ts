// Builds the container image without a daemon: `npm run image [-- --base debian|node] [--run]` writes build/workspace-graph-image-<version>.oci.tar, the digest
// of its manifest, and an SBOM. The base `debian` has no shell; `node` is the one that the Dockerfile names. `--run` also starts the image. With `--folder`, only
// prepares the folder that the Dockerfile copies from, for `docker build`.
import '../../scripts/help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, run, writeJson } from '../../scripts/release/pack/files.ts';
import { createImageComponent, createSbom, listNpmComponents } from '../../scripts/release/pack/sbom.ts';
import type { Lock, Manifest } from '../../scripts/release/pack/serverManifest.ts';
import { exitWithError } from '../../src/lib/exit.ts';
import { StartError } from '../../src/lib/startup.ts';
import { createBase, listMissingPackages } from './base.ts';
import { Buildah } from './buildah.ts';
import { checkImage } from './check.ts';
import { listOptionalPaths, prepareFolder } from './folder.ts';
import { findMissingPrograms } from './programs.ts';

const NAME = 'localhost/workspace-graph';
const BASE_NAME = 'localhost/workspace-graph-base';
const TARGET = resolve('build');
const NODE_PACKAGE = `node-linux-${process.arch}`;

/** The commit that the image is built from. Undefined outside a repository. */
function readRevision(): string | undefined {
  try {
    return run('git', ['rev-parse', 'HEAD']).trim();
  } catch {
    return undefined;
  }
}

function checkRequirements(base: string, isRun: boolean): void {
  if (base !== 'debian' && base !== 'node') throw new StartError(`Unknown base ${base}. Expected debian or node.`);
  const programs = ['buildah', ...(base === 'debian' ? ['apt-get', 'dpkg-deb'] : []), ...(isRun ? ['runc'] : [])];
  const packages = [...findMissingPrograms(programs), ...(base === 'debian' ? listMissingPackages() : [])];
  if (packages.length > 0)
    throw new StartError(
      `Building the image requires programs that aren’t installed. Install them: apt-get install --no-install-recommends ${packages.join(' ')}\nOr use Docker: npm run image -- --folder && docker build -t workspace-graph .`,
    );
  if (process.getuid?.() !== 0) throw new StartError('Building the image requires root. Run the command with sudo.');
}

/** Builds the base without a shell. Returns the options that select it, and what it contains. */
function buildBase(buildah: Buildah, work: string, lock: Lock) {
  const root = join(work, 'base');
  const libraries = createBase(root, join('node_modules', NODE_PACKAGE, 'bin/node'), work);
  buildah.build(BASE_NAME, 'deploy/image/Dockerfile.base', root);
  return {
    options: ['--build-arg', `BASE=${BASE_NAME}`],
    components: [...libraries, ...listNpmComponents([`node_modules/${NODE_PACKAGE}`], lock)],
  };
}

/** Builds the image from what `prepareFolder` has prepared, and writes its files to `target`. */
function buildImage(buildah: Buildah, base: string, work: string): void {
  const manifest = readJson<Manifest>('package.json');
  const lock = readJson<Lock>('package-lock.json');
  const { options, components } = base === 'debian' ? buildBase(buildah, work, lock) : { options: [], components: [] };
  const revision = readRevision();
  const labels = [`version=${manifest.version}`, ...(revision ? [`revision=${revision}`] : [])];
  buildah.build(NAME, 'Dockerfile', '.', [...options, ...labels.flatMap((label) => ['--label', `org.opencontainers.image.${label}`])]);

  const file = join(TARGET, `workspace-graph-image-${manifest.version}`);
  rmSync(`${file}.oci.tar`, { force: true });
  const digest = buildah.writeArchive(NAME, `${file}.oci.tar`, manifest.version, `${file}.digest`);
  const optional = listNpmComponents(listOptionalPaths(lock), lock);
  writeJson(`${file}.cdx.json`, createSbom(createImageComponent(manifest, digest), [...components, ...optional]));
  console.log(`${file}.oci.tar\n${digest}`);
}

async function startImage(buildah: Buildah, work: string): Promise<void> {
  const result = await checkImage(buildah.mount(NAME), buildah.readConfig(NAME), work);
  if ('readyMs' in result) return console.log(`Started with a read-only root file system: ready after ${Math.round(result.readyMs)} ms.`);
  const note = `The image was built, but not started, because runc can’t start containers on this machine: ${result.problem}`;
  console.log(process.env.GITHUB_ACTIONS ? `::warning::${note.replaceAll('\n', ' ')}` : note);
}

async function createImage(base: string, isRun: boolean): Promise<void> {
  checkRequirements(base, isRun);
  await prepareFolder(TARGET);
  const work = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    const buildah = new Buildah(join(work, 'buildah'));
    buildImage(buildah, base, work);
    if (isRun) await startImage(buildah, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'debian' },
    run: { type: 'boolean', default: false },
    folder: { type: 'boolean', default: false },
  },
});
// The modes of files are part of the image.
process.umask(0o022);
if (values.folder) console.log(await prepareFolder(TARGET));
else await createImage(values.base, values.run).catch(exitWithError);
