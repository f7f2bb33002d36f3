import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StartError } from '../lib/startup.ts';
import type { DatabaseResult, EntryChange, Failure, StoredRow } from './sqliteDatabase.ts';

/** A request to the thread. `open` is confirmed once the file is open. */
export type ThreadRequest =
  | { readonly kind: 'open' }
  | { readonly kind: 'write'; readonly now: number; readonly changes: readonly EntryChange[] }
  | { readonly kind: 'find'; readonly now: number; readonly ids: readonly string[] }
  | { readonly kind: 'unsettled'; readonly now: number }
  | { readonly kind: 'id' }
  | { readonly kind: 'close' };

/** What a thread starts with: the file, the time if it's created, and the identity of the file that earlier threads have used. */
export interface ThreadData {
  readonly path: string;
  readonly createdAt: number;
  readonly known: string | undefined;
}

/** A response of the thread. The one with the ID 0 contains the identity of the file, once it's open. */
export interface ThreadResponse {
  readonly id: number;
  readonly result?: readonly DatabaseResult[] | readonly StoredRow[] | string | null;
  readonly failure?: Failure;
}

/**
 * How long the thread may take for its next response once the file is open, in milliseconds. Chosen: healthy disks write within a second. After that, the disk
 * is treated as hung, and all pending requests fail, so that stuck changes don't block the queue for other requests.
 */
const STALL_MS = 5_000;

/** How long the thread may take to start and open the file, in milliseconds. Chosen: a busy machine takes seconds. */
const START_MS = 30_000;

const createStallError = () => new Error('The ledger thread didn’t respond in time.');

/** The program of the thread. Next to this file with the same extension: `.ts` in the repository, `.js` in the package. */
const PROGRAM = new URL(`./sqliteWorker${extname(import.meta.url)}`, import.meta.url);

/** Restores the class of an error that ended the thread. Errors cross threads with their members, but without their class. */
const restoreClass = (error: Error): Error => (error.name === 'StartError' ? new StartError(error.message, { cause: error }) : error);

/**
 * A `LedgerDatabase` in a separate thread, so that a slow disk blocks nothing else. If the thread ends, its pending requests fail, although their changes may
 * have been written. The next request starts a new thread. An idle thread doesn't keep the process alive.
 */
export class DatabaseThread {
  readonly #path: string;
  readonly #now: () => number;
  readonly #program: URL;
  readonly #pending = new Map<number, PromiseWithResolvers<ThreadResponse['result']>>();
  #worker: Worker | undefined;
  #lastId = 0;
  #stallTimer: NodeJS.Timeout | undefined;
  #isOpen = false;
  #isStalled = false;
  #known: string | undefined;

  constructor(path: string, now: () => number, program: URL = PROGRAM) {
    this.#path = path;
    this.#now = now;
    this.#program = program;
  }

  /** Throws if the file can't be opened. */
  async open(): Promise<void> {
    await this.#request({ kind: 'open' });
  }

  async write(now: number, changes: readonly EntryChange[]): Promise<readonly DatabaseResult[]> {
    return (await this.#request({ kind: 'write', now, changes })) as readonly DatabaseResult[];
  }

  async find(now: number, ids: readonly string[]): Promise<string | null> {
    return (await this.#request({ kind: 'find', now, ids })) as string | null;
  }

  async getId(): Promise<string> {
    return (await this.#request({ kind: 'id' })) as string;
  }

  async unsettled(now: number): Promise<readonly StoredRow[]> {
    return (await this.#request({ kind: 'unsettled', now })) as readonly StoredRow[];
  }

  /** Ends the thread after its pending requests. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const isClosed = await this.#request({ kind: 'close' }).then(
      () => true,
      () => false,
    );
    const ended = worker.terminate();
    // A hung disk can keep the thread from ending.
    if (isClosed) await ended;
  }

  async #request(request: ThreadRequest): Promise<ThreadResponse['result']> {
    if (this.#isStalled) throw createStallError();
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const pending = Promise.withResolvers<ThreadResponse['result']>();
    this.#pending.set(this.#lastId, pending);
    this.#worker.postMessage({ id: this.#lastId, request });
    if (!this.#stallTimer) this.#restartStallTimer();
    return pending.promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#program, {
      name: 'ledger',
      workerData: { path: this.#path, createdAt: this.#now(), known: this.#known } satisfies ThreadData,
    });
    let cause: unknown;
    worker.on('message', (response: ThreadResponse) => this.#handleResponse(response));
    worker.on('error', (error: Error) => {
      cause = restoreClass(error);
    });
    worker.on('exit', (code) => {
      this.#worker = undefined;
      this.#isOpen = false;
      this.#isStalled = false;
      this.#rejectAll(cause ?? new Error(`The ledger thread exited with code ${code}.`));
    });
    // After the listeners are added, because listening for messages refs the thread again.
    worker.unref();
    return worker;
  }

  #handleResponse({ id, result = null, failure }: ThreadResponse): void {
    this.#isOpen = true;
    this.#isStalled = false;
    if (id === 0) this.#known ??= String(result);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure) pending?.reject(Object.assign(new Error(failure.message), failure));
    else pending?.resolve(result);
    this.#restartStallTimer();
  }

  /** Restarts the stall timer if responses are pending. The timer keeps the process alive until they arrive. */
  #restartStallTimer(): void {
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    if (this.#pending.size > 0) this.#stallTimer = setTimeout(() => this.#handleStall(), this.#isOpen ? STALL_MS : START_MS);
  }

  /** Rejects pending and new requests until the thread responds again. */
  #handleStall(): void {
    this.#isStalled = true;
    this.#rejectAll(createStallError());
  }

  #rejectAll(error: unknown): void {
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
