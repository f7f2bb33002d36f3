import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runExportCommand } from '../../cli/export/command.ts';
import type { Manifest } from '../../cli/export/manifest.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { demoId } from '../sandbox/sandbox.ts';
import { type CommandResult, type CommandSettings, runCommand } from './commands.ts';

/** Creates an empty folder, and returns the path of a file in it. */
export const createOut = (name = 'out.jsonl'): string => join(mkdtempSync(join(tmpdir(), 'export-')), name);

/** Runs `export` in this process: see `runCommand`. */
export const runExport = (url: string, args: readonly string[], settings: CommandSettings = {}): Promise<CommandResult> =>
  runCommand(runExportCommand, url, args, settings);

// biome-ignore lint/suspicious/noExplicitAny: tests compare rows
type ExportedRow = Record<string, any>;

export const parseLines = (text: string): ExportedRow[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ExportedRow);

export const readRows = (out: string): ExportedRow[] => parseLines(readFileSync(out, 'utf8'));

export const readManifest = (out: string): Manifest => JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8')) as Manifest;

/** Names of the files of an export that exist, without that of the export itself. */
export const listFiles = (out: string): string[] =>
  ['', '.part', '.checkpoint', '.checkpoint.new', '.lock', '.manifest.json', '.unverified'].filter((suffix) =>
    existsSync(`${out}${suffix}`),
  );

/** Adds orders to the demo workspace. `createdAt` is SQL with the number `n` of the order, from 1. */
export function addOrders({ store }: World, count: number, createdAt: string): void {
  const names = store.all<{ readonly name: string }>("SELECT name FROM pragma_table_info('orders', 'main')").map(({ name }) => name);
  const values: Readonly<Record<string, string>> = {
    id: "printf('%08x-0000-4000-8000-%012x', (n * 7919) % 1000003, n)",
    quote_id: "printf('ffffffff-0000-4000-8000-%012x', n)",
    reference_number: "printf('B-%07d', n)",
    status: '1 + n % 3',
    total_once_minor: '(n * 7919) % 10000000',
    created_at: createdAt,
    updated_at: createdAt,
    cancelled_at: `CASE WHEN n % 3 = 2 THEN ${createdAt} END`,
  };
  store.exec(`PRAGMA foreign_keys = OFF;
    CREATE INDEX IF NOT EXISTS main.orders_of_export ON orders (workspace_id, created_at, id);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}),
      base AS (SELECT * FROM main.orders WHERE workspace_id = '${demoId('workspace')}' LIMIT 1)
    INSERT INTO main.orders (${names.join(', ')}) SELECT ${names.map((name) => values[name] ?? `base.${name}`).join(', ')} FROM numbers CROSS JOIN base;
    PRAGMA foreign_keys = ON;`);
}
