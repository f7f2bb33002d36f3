// The worker thread of a ledger file: opens the file, and processes requests in order of arrival.
import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { LedgerDatabase, toFailure } from './sqliteDatabase.ts';
import type { ThreadData, ThreadRequest, ThreadResponse } from './sqliteThread.ts';

const port = parentPort;
if (!port) throw new Error('This module must run in a worker thread.');

// If the file can't be opened, the error ends the thread and is reported to the thread that started it.
const { path, createdAt, known } = workerData as ThreadData;
const database = new LedgerDatabase(path, createdAt, known);
port.postMessage({ id: 0, result: database.identity } satisfies ThreadResponse);

function processRequest(request: ThreadRequest): NonNullable<ThreadResponse['result']> | null {
  if (request.kind === 'write') return database.write(request.now, request.changes);
  if (request.kind === 'find') return database.find(request.now, request.ids);
  if (request.kind === 'unsettled') return database.unsettled(request.now);
  if (request.kind === 'id') return database.id;
  if (request.kind === 'close') {
    database.close();
    // Node writes the compile cache when a thread exits by itself. This thread is terminated instead.
    flushCompileCache();
  }
  return null;
}

port.on('message', ({ id, request }: { readonly id: number; readonly request: ThreadRequest }) => {
  try {
    port.postMessage({ id, result: processRequest(request) } satisfies ThreadResponse);
  } catch (error) {
    port.postMessage({ id, failure: toFailure(error) } satisfies ThreadResponse);
  }
});
