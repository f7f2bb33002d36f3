import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from '../../sandbox/kernel/world.ts';
import { runExportCommand } from '../../src/export/command.ts';
import type { Manifest } from '../../src/export/manifest.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { StartError } from '../../src/lib/startup.ts';
import { httpTransport } from '../../src/upstream/transport/http.ts';
import type { Transport } from '../../src/upstream/transport/transport.ts';
import { demoId } from '../sandbox/sandbox.ts';
import { createClockAhead } from './clock.ts';
import { startGraph } from './testGraph.ts';

export interface ExportSettings {
  readonly key?: string;
  /** Of the command, and of its graph. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Wraps the transport of the graph. */
  readonly transport?: (usual: Transport) => Transport;
  readonly clock?: Clock;
  readonly wait?: (ms: number) => Promise<void>;
}

export interface ExportResult {
  /** Exit code. 1 for a StartError. */
  readonly code: number;
  readonly out: string;
  /** Progress, summary and error. */
  readonly err: string;
  /** Duration of each wait of the export, in milliseconds. */
  readonly waits: readonly number[];
}

/** Creates an empty folder, and returns the path of a file in it. */
export const createOut = (name = 'out.jsonl'): string => join(mkdtempSync(join(tmpdir(), 'export-')), name);

/** Runs `export` in this process, with a graph of its own over a sandbox. Waits end at once, and advance the clocks of both. */
export async function runExport(url: string, args: readonly string[], settings: ExportSettings = {}): Promise<ExportResult> {
  const { key = 'demo-owner', env, signal = new AbortController().signal, transport } = settings;
  const waits: number[] = [];
  let [out, err, skippedMs] = ['', '', 0];
  const skip = async (ms: number) => {
    skippedMs += ms;
  };
  const { clock = createClockAhead(() => skippedMs), wait = skip } = settings;
  try {
    const code = await runExportCommand(args, {
      env: Object.defineProperties({ UPSTREAM_URL: url, WORKSPACE_API_KEY: key }, Object.getOwnPropertyDescriptors(env ?? {})),
      out: (text) => {
        out += text;
      },
      err: {
        isTTY: false,
        write: (text) => {
          err += text;
        },
      },
      signal,
      clock,
      wait: (ms) => {
        waits.push(ms);
        return wait(ms);
      },
      startGraph: async () => {
        const usual = httpTransport({ url, connections: 4 });
        const graph = await startGraph(url, {
          clock,
          ...(env && { env }),
          upstream: { wait, clock, transport: transport ? transport(usual) : usual },
        });
        return { url: `${graph.app.url}/graphql`, upstreamUrl: url, close: () => graph.close() };
      },
    });
    return { code, out, err, waits };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { code: 1, out, err: `${err}${error.message}`, waits };
  }
}

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
