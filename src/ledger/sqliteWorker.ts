// The thread of a ledger's file: opens it, and answers each request in the order in which they come.
import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf, LedgerDatabase } from './sqliteDatabase.ts';
import type { Reply, Request } from './sqliteThread.ts';

const port = parentPort;
if (!port) throw new Error('This module must run in a worker thread.');

// A file that cannot be opened ends the thread with the failure, which its starter is told.
const database = new LedgerDatabase((workerData as { readonly path: string }).path);

function answer(request: Request): NonNullable<Reply['answer']> | null {
  if (request.kind === 'write') return database.write(request.now, request.changes);
  if (request.kind === 'find') return database.find(request.now, request.ids);
  if (request.kind === 'unsettled') return database.unsettled(request.now);
  if (request.kind === 'close') {
    database.close();
    // Node keeps compiled code when a thread ends by itself, and this one is ended by its starter.
    flushCompileCache();
  }
  return null;
}

port.on('message', ({ id, request }: { readonly id: number; readonly request: Request }) => {
  try {
    port.postMessage({ id, answer: answer(request) } satisfies Reply);
  } catch (error) {
    port.postMessage({ id, failure: failureOf(error) } satisfies Reply);
  }
});
