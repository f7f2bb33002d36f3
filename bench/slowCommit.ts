// Loaded into a graph: each commit of its ledger takes `COMMIT_MS` longer, in whichever thread it is made, as on a disk that is slow to confirm.
import { DatabaseSync } from 'node:sqlite';

const ms = Number(process.env.COMMIT_MS ?? 0);
const never = new Int32Array(new SharedArrayBuffer(4));
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  exec.call(this, sql);
  if (sql === 'COMMIT' && ms > 0) Atomics.wait(never, 0, 0, ms);
};
