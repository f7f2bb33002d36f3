import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Runs a program, and returns its output. Fails the test if the program fails. */
export function run(program: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, PATH: `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}` },
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

/** Paths of a package's own files. */
export const listFiles = (installed: string): string[] =>
  readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
    .filter((file) => !file.startsWith('node_modules'))
    .sort();
