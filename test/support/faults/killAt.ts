// Preloaded into a graph. Kills its process, as `kill -9` does, at one point of a ledger transaction: `KILL_AT` is the point, and `KILL_IN` the number of the
// transaction, starting from 1.
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

const [at, transaction] = [process.env.KILL_AT, Number(process.env.KILL_IN)];
const counts = new Map<string, number>();

function reach(point: string): void {
  const count = (counts.get(point) ?? 0) + 1;
  counts.set(point, count);
  if (point === at && count === transaction) process.kill(process.pid, 'SIGKILL');
}

// The main thread sends groups to the ledger's thread. This module runs in both threads.
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (this: Worker, message: { readonly request?: { readonly kind: string } }) {
  if (message.request?.kind === 'write') reach('before it is sent');
  postMessage.call(this, message);
};

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  if (sql === 'COMMIT') reach('before its commit');
  exec.call(this, sql);
  if (sql === 'COMMIT') reach('after its commit');
};
