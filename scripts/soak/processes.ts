import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphProcess, startGraph, startProcess } from '../../test/support/faults/process.ts';

/** A sandbox with demo data in a file. */
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

/** How long a call to the upstream may take, in milliseconds: short, so that slow ones come to an end while the load lasts. */
export const UPSTREAM_TIMEOUT_MS = 2_000;
/** For so long after its start an act counts as running when its graph has died: the call, and what the graph allows beside it. */
export const LEASE_MS = UPSTREAM_TIMEOUT_MS + 15_000;

/** Memory and file handles of a process. */
export interface Usage {
  /** Once garbage is collected. */
  readonly heapMb: number;
  readonly rssMb: number;
  /** Open files and sockets. */
  readonly handles: number;
}

const HEAP = new URL('heap.ts', import.meta.url).href;

/** A graph that may die and come back. */
export class MortalGraph {
  readonly #env: Readonly<Record<string, string>>;
  #process: GraphProcess | undefined;

  constructor(upstreamUrl: string, ledgerUrl: string) {
    this.#env = { UPSTREAM_URL: upstreamUrl, LEDGER_URL: ledgerUrl, UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS) };
  }

  /** Another one after each start; nobody listens there in between. */
  get url(): string {
    return this.#process?.url ?? '';
  }

  async start(): Promise<void> {
    this.#process = await startGraph(this.#env, ['--expose-gc', '--import', HEAP]);
  }

  async dieAndComeBack(): Promise<void> {
    await this.#process?.kill();
    await this.start();
  }

  /** Null where the system does not tell: on all but Linux. */
  async usage(): Promise<Usage | null> {
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
