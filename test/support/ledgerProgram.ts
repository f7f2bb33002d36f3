// The program of the thread of a ledger's file, as started by `controlledLedger.ts`. It follows instructions of a test, and otherwise runs the production program.
import { DatabaseSync } from 'node:sqlite';
import { BroadcastChannel, workerData } from 'node:worker_threads';
import type { Instruction, ReachedPoint } from './controlledLedger.ts';

const { path } = workerData as { readonly path: string };
const channel = new BroadcastChannel(path);
channel.unref();

let own: DatabaseSync | undefined;
let commits = 0;
let at: Instruction['at'];

function reach(point: string): void {
  if (at?.point !== point) return;
  const { gate } = at;
  at = undefined;
  channel.postMessage({ reached: point });
  // Exits without cleanup, as in a crash.
  if (gate) Atomics.wait(gate, 0, 0);
  else process.exit(1);
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  own = this;
  reach(`before ${sql}`);
  exec.call(this, sql);
  if (sql === 'COMMIT') commits += 1;
  reach(`after ${sql}`);
};

channel.onmessage = (message) => {
  const { data } = message as { readonly data: Instruction };
  if ('reached' in data) return;
  if (data.sql && own) exec.call(own, data.sql);
  at = data.at;
  channel.postMessage({ reached: 'reported', commits } satisfies ReachedPoint);
};

await import('../../src/ledger/sqliteWorker.ts');
