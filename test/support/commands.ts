import type { CommandContext } from '../../cli/bulk/command.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../src/ledger/sqliteStore.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { StartError } from '../../src/lib/startup.ts';
import { httpTransport } from '../../src/upstream/transport/http.ts';
import type { Transport } from '../../src/upstream/transport/transport.ts';
import { createClockAhead } from './clock.ts';
import { startGraph } from './testGraph.ts';

/** Longer than a call takes. */
const LEASE_MS = 60_000;

export interface CommandSettings {
  readonly key?: string;
  /** Of the command, and of its graph. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Wraps the transport of the graph. */
  readonly transport?: (usual: Transport) => Transport;
  readonly clock?: Clock;
  readonly wait?: (ms: number) => Promise<void>;
  /** File with the ledger of the graph. Default: a ledger in memory. */
  readonly ledgerFile?: string;
}

export interface CommandResult {
  /** Exit code. 1 for a StartError. */
  readonly code: number;
  readonly out: string;
  /** Progress, summary and error. */
  readonly err: string;
  /** Duration of each wait of the command, in milliseconds. */
  readonly waits: readonly number[];
}

/** Runs a command in this process, with a graph of its own over a sandbox. Waits end at once, and advance the clocks of both. */
export async function runCommand(
  run: (args: readonly string[], context: CommandContext) => Promise<number>,
  url: string,
  args: readonly string[],
  settings: CommandSettings = {},
): Promise<CommandResult> {
  const { key = 'demo-owner', env, ledgerFile, signal = new AbortController().signal, transport } = settings;
  const waits: number[] = [];
  let [out, err, skippedMs] = ['', '', 0];
  const skip = async (ms: number) => {
    skippedMs += ms;
  };
  const { clock = createClockAhead(() => skippedMs), wait = skip } = settings;
  try {
    const code = await run(args, {
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
        const createLedger = (path: string) =>
          new Ledger({ store: new SqliteLedgerStore(path, clock), leaseMs: LEASE_MS, isDurable: true, clock });
        const graph = await startGraph(url, {
          clock,
          ...(env && { env }),
          ...(ledgerFile !== undefined && { ledger: createLedger(ledgerFile) }),
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
