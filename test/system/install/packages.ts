import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { listLinks } from '../../support/markdown.ts';

/** The Node.js that runs the packages and the app. `node scripts/check/nodeVersions.ts` sets it to test other versions. */
export const { PACKAGE_NODE = process.execPath } = process.env;

/** Runs a program, and returns its output. Fails the test if the program fails. */
export function run(program: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, PATH: `${dirname(PACKAGE_NODE)}:${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}` },
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

/** Packs both packages in a folder. Returns the paths of their files. */
export function packInto(folder: string): { readonly server: string; readonly client: string } {
  const [server = '', client = ''] = run(process.execPath, ['scripts/release/pack/main.ts', '--to', folder]).trim().split('\n');
  return { server, client };
}

/** Installs packages in a folder, from npm's cache where possible. */
export function install(folder: string, packages: readonly string[]): void {
  run('npm', ['install', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund', ...packages]);
}

/** Relative links in a package's Markdown files to files that it doesn't contain. */
export const findDeadLinks = (installed: string): string[] =>
  listFiles(installed)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      listLinks(readFileSync(join(installed, file), 'utf8'))
        .filter((link) => !/^(?:[a-z]+:|#)/.test(link) && !existsSync(join(installed, dirname(file), link.replace(/#.*/, ''))))
        .map((link) => `${file}: ${link}`),
    );

/** Paths of a package's own files. */
export const listFiles = (installed: string): string[] =>
  readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
    .filter((file) => !file.startsWith('node_modules'))
    .sort();
