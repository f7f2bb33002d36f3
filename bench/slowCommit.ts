// Preloaded into a graph. Delays each commit of its ledger by `COMMIT_MS`, in any thread, like a disk with slow syncs.
import { DatabaseSync } from 'node:sqlite';

const ms = Number(process.env.COMMIT_MS ?? 0);
const never = new Int32Array(new SharedArrayBuffer(4));
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  exec.call(this, sql);
  if (sql === 'COMMIT' && ms > 0) Atomics.wait(never, 0, 0, ms);
};
