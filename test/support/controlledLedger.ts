import { BroadcastChannel } from 'node:worker_threads';
import { SqliteLedgerStore } from '../../src/ledger/sqliteStore.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** An instruction for the thread of a ledger's file. */
export interface Instruction {
  /** SQL to execute on the thread's connection. */
  readonly sql?: string;
  /** Where the thread exits, such as `before COMMIT`. With a `gate`, it waits there until the gate opens instead. */
  readonly at?: { readonly point: string; readonly gate?: Int32Array | undefined } | undefined;
}

/** A message of the thread: the name of a point that it has reached, or `reported`. */
export interface ReachedPoint {
  readonly reached: string;
  readonly commits?: number;
}

/** A ledger store with a thread that can be made to fail. */
export interface ControlledLedger {
  readonly store: SqliteLedgerStore;
  /** Resolves when the thread has executed the instruction, with the number of transactions that it has committed so far. */
  execute(hit: Instruction): Promise<number>;
  /** Resolves when the thread reaches this point. */
  waitForPoint(point: string): Promise<ReachedPoint>;
  close(): Promise<void>;
}

/** Opens a file as a ledger store. */
export async function openControlledLedger(path: string, clock?: Clock): Promise<ControlledLedger> {
  const channel = new BroadcastChannel(path);
  const store = new SqliteLedgerStore(path, clock, new URL('./ledgerProgram.ts', import.meta.url));
  await store.open();
  const waitForPoint = (point: string) =>
    new Promise<ReachedPoint>((resolve) => {
      const listen = (event: Event) => {
        const { data } = event as unknown as { readonly data: ReachedPoint };
        if (data.reached !== point) return;
        channel.removeEventListener('message', listen);
        resolve(data);
      };
      channel.addEventListener('message', listen);
    });
  const instruct = async (hit: Instruction) => {
    const reported = waitForPoint('reported');
    channel.postMessage(hit);
    return (await reported).commits ?? 0;
  };
  return {
    store,
    execute: instruct,
    waitForPoint,
    close: async () => {
      await store.close();
      channel.close();
    },
  };
}

/** A closed gate. */
export const createClosedGate = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

export function openGate(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
