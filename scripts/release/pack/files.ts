import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs a program, and returns its output. Throws if it fails. */
export function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} exited with status ${status}, expected 0:\n${stdout}${stderr}`);
  return stdout;
}

export const readJson = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'));

export const writeJson = (file: string, content: unknown): void => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);

/** Writes a file and its folders. */
export function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Copies the files that match the patterns to another folder, with the same paths. */
export function copyFiles(patterns: readonly string[], from: string, to: string, exclude: readonly string[] = []): void {
  for (const file of globSync(patterns, { cwd: from, exclude })) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    // Not a link to it, through which what is written later would reach the original.
    copyFileSync(join(from, file), join(to, file));
  }
}

/** A declaration with the file names that its imports have in the package. TypeScript only rewrites them in JavaScript. */
export const rewriteImports = (declaration: string): string =>
  declaration.replaceAll(/(from |import\()(["']\.[^"']*)\.ts(["'])/g, '$1$2.js$3');

/** Packs a folder in `target`. Returns the path of the file. */
export const packFolder = (folder: string, target: string): string =>
  join(target, run('npm', ['pack', '--silent', folder, '--pack-destination', target]).trim());
