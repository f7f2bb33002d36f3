import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphProcess, startGraph, startProcess } from '../../support/faults/process.ts';

/** Starts a sandbox with demo data in a file. */
export async function startSandbox(data: string): Promise<{ readonly url: string; readonly adminUrl: string }> {
  const env = {
    SANDBOX_HOST: '127.0.0.1',
    SANDBOX_PORT: '0',
    SANDBOX_ADMIN_PORT: '0',
    SANDBOX_DATA: data,
    SANDBOX_RATE_LIMIT: '1000000',
  };
  const { captures } = await startProcess(process.execPath, ['sandbox/main.ts'], env, /Sandbox on (\S+)[\s\S]*Admin API: (\S+)\/faults/);
  return { url: captures[0] ?? '', adminUrl: captures[1] ?? '' };
}

/** Timeout of an upstream call, in milliseconds. Short, so that slow calls end during the run. */
export const UPSTREAM_TIMEOUT_MS = 2_000;
/** How long an operation counts as running after its graph was killed, in milliseconds: the call timeout plus the margin that the graph allows. */
export const LEASE_MS = UPSTREAM_TIMEOUT_MS + 15_000;

/** Memory and file handles of a process. */
export interface Usage {
  /** After garbage collection. */
  readonly heapMb: number;
  readonly rssMb: number;
  /** Number of open files and sockets. */
  readonly handles: number;
}

const HEAP = new URL('heap.ts', import.meta.url).href;

/** A graph that can be killed and restarted. */
export class RestartableGraph {
  readonly #env: Readonly<Record<string, string>>;
  #process: GraphProcess | undefined;

  constructor(upstreamUrl: string, ledgerUrl: string) {
    this.#env = { UPSTREAM_URL: upstreamUrl, LEDGER_URL: ledgerUrl, UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS) };
  }

  /** Changes with each start. No process listens there in between. */
  get url(): string {
    return this.#process?.url ?? '';
  }

  async start(): Promise<void> {
    this.#process = await startGraph(this.#env, ['--expose-gc', '--import', HEAP]);
  }

  async killAndRestart(): Promise<void> {
    await this.#process?.kill();
    await this.start();
  }

  /** Null if the system doesn't report it, as on all systems but Linux. */
  async measureUsage(): Promise<Usage | null> {
    try {
      const folder = `/proc/${this.#process?.pid}`;
      const heapMb = Math.round(Number(await this.#process?.requestMessage()) / 1024 / 1024);
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(join(folder, 'status'), 'utf8'))?.[1];
      return { heapMb, rssMb: Math.round(Number(kilobytes) / 1024), handles: readdirSync(join(folder, 'fd')).length };
    } catch {
      return null;
    }
  }
}
