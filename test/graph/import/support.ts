import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runImportCommand } from '../../../cli/import/command.ts';
import { type CommandResult, type CommandSettings, runCommand } from '../../support/commands.ts';

/** A file to import, with the ledger of the graph next to it. */
export interface ImportFile {
  readonly path: string;
  readonly ledgerFile: string;
}

/** Creates a file in an empty folder. */
export function createFile(text: string | Buffer, name = 'rows.csv'): ImportFile {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  writeFileSync(join(folder, name), text);
  return { path: join(folder, name), ledgerFile: join(folder, 'ledger.sqlite') };
}

/** Runs `import` in this process, with a graph of its own over a sandbox. */
export const runImport = (
  url: string,
  { path, ledgerFile }: ImportFile,
  args: readonly string[],
  settings: CommandSettings = {},
): Promise<CommandResult> => runCommand(runImportCommand, url, [path, ...args], { ledgerFile, ...settings });

// biome-ignore lint/suspicious/noExplicitAny: tests compare results
export type Result = Record<string, any>;

export const readResults = ({ path }: ImportFile): Result[] =>
  readFileSync(`${path}.results.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Result);
