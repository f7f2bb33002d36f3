import { BroadcastChannel } from 'node:worker_threads';
import { SqliteLedgerStore } from '../../src/ledger/sqliteStore.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** An order to the thread of a ledger's file. */
export interface Hit {
  /** Run on the thread's own connection. */
  readonly sql?: string;
  /** Where it ends, such as `before COMMIT`; with a `gate`, where it waits until that is notified. */
  readonly at?: { readonly point: string; readonly gate?: Int32Array | undefined } | undefined;
}

/** A message of the thread: a point that it has come to, or `told`. */
export interface Reached {
  readonly reached: string;
  readonly commits?: number;
}

/** A ledger's store of which the thread can be hit. */
export interface HitLedger {
  readonly store: SqliteLedgerStore;
  /** Obeyed when this is fulfilled, with the transactions that were committed so far. */
  tell(hit: Hit): Promise<number>;
  /** Fulfilled when the thread comes to this point. */
  reaches(point: string): Promise<Reached>;
  close(): Promise<void>;
}

/** Opens a file as a ledger. */
export async function openHitLedger(path: string, clock?: Clock): Promise<HitLedger> {
  const channel = new BroadcastChannel(path);
  const store = new SqliteLedgerStore(path, clock, new URL('./ledgerProgram.ts', import.meta.url));
  await store.open();
  const reaches = (point: string) =>
    new Promise<Reached>((resolve) => {
      const listen = (event: Event) => {
        const { data } = event as unknown as { readonly data: Reached };
        if (data.reached !== point) return;
        channel.removeEventListener('message', listen);
        resolve(data);
      };
      channel.addEventListener('message', listen);
    });
  const tell = async (hit: Hit) => {
    const told = reaches('told');
    channel.postMessage(hit);
    return (await told).commits ?? 0;
  };
  return {
    store,
    tell,
    reaches,
    close: async () => {
      await store.close();
      channel.close();
    },
  };
}

/** A gate that is shut. */
export const shutGate = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

export function openGate(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
