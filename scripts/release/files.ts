// Collects the files of a release in build/release, with their checksums: `node scripts/release/files.ts`, after `npm run pack` and `npm run image`.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exitWithError } from '../../src/lib/exit.ts';
import { StartError } from '../../src/lib/startup.ts';
import { readJson } from './pack/files.ts';

const TARGET = 'build/release';

const readVersion = (folder: string): string => readJson<{ readonly version: string }>(`${folder}/package.json`).version;

/** The files of a release by their names, and where they are built. */
function listFiles(): ReadonlyMap<string, string> {
  const server = `workspace-graph-${readVersion('.')}`;
  const client = `workspace-graph-client-${readVersion('client')}`;
  const image = `workspace-graph-image-${readVersion('.')}`;
  return new Map([
    [`${server}.tgz`, `build/${server}.tgz`],
    [`${server}.cdx.json`, 'build/workspace-graph/sbom.cdx.json'],
    [`${client}.tgz`, `build/${client}.tgz`],
    [`${client}.cdx.json`, 'build/workspace-graph-client/sbom.cdx.json'],
    ...['oci.tar', 'digest', 'cdx.json'].map((extension) => [`${image}.${extension}`, `build/${image}.${extension}`] as const),
  ]);
}

const hash = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function collect(files: ReadonlyMap<string, string>): void {
  const missing = [...files.values()].filter((file) => !existsSync(file));
  if (missing.length > 0) throw new StartError(`${missing.join(', ')} doesn’t exist. Run npm run pack and npm run image first.`);
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET, { recursive: true });
  for (const [name, source] of files) copyFileSync(source, join(TARGET, name));
  // In the format of `sha256sum --check`.
  const sums = [...files.keys()].sort().map((name) => `${hash(join(TARGET, name))}  ${basename(name)}\n`);
  writeFileSync(join(TARGET, 'SHA256SUMS'), sums.join(''));
}

try {
  collect(listFiles());
  console.log(readFileSync(join(TARGET, 'SHA256SUMS'), 'utf8').trim());
} catch (error) {
  exitWithError(error);
}
