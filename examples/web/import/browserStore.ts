import { type CheckedRow, MAX_SAMPLE, type RowStore, type Sample, type StoredRow } from '../../../cli/import/rowStore.ts';
import { StartError } from '../../../src/lib/startup.ts';

/** An import that this browser has started. */
interface StoredImport {
  readonly key: string;
  readonly importId: string;
  /** What must be the same in each run, by name. */
  readonly identity: Readonly<Record<string, string>>;
}

/** What is known about a row before it's sent. */
const NEW_ROW = { sentAt: null, storageId: null, input: null, isChanged: 0 } as const;

const toPromise = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('workspace-graph-imports', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('imports', { keyPath: 'key' });
    request.result.createObjectStore('rows', { keyPath: ['key', 'identity'] });
  };
  return toPromise(request);
}

/**
 * The rows of an import in this browser. Reads come from memory. What was sent is on disk before it's sent, so that it survives a crash of the tab, the browser,
 * or the device.
 */
export class BrowserStore implements RowStore {
  #database: IDBDatabase;
  readonly #key: string;
  readonly #rows: Map<string, StoredRow>;
  readonly #occurrences = new Map<string, number>();
  readonly #references = new Map<string, string>();
  /** Null if the import hasn't been started. */
  stored: StoredImport | null;

  private constructor(database: IDBDatabase, key: string, stored: StoredImport | null, rows: readonly StoredRow[]) {
    this.#database = database;
    this.#key = key;
    this.stored = stored;
    this.#rows = new Map(rows.map((row) => [row.identity, row]));
  }

  static async open(key: string): Promise<BrowserStore> {
    const database = await openDatabase();
    const transaction = database.transaction(['imports', 'rows']);
    const [stored, rows] = await Promise.all([
      toPromise(transaction.objectStore('imports').get(key)),
      toPromise(transaction.objectStore('rows').getAll(IDBKeyRange.bound([key], [key, []]))),
    ]);
    return new BrowserStore(database, key, stored ?? null, rows);
  }

  close(): void {
    this.#database.close();
  }

  /** Stores the rows, and what identifies the import. */
  async start(identity: StoredImport['identity']): Promise<StoredImport> {
    // Otherwise, the browser can delete the rows when space is short. Not awaited, because a browser may ask the user.
    void navigator.storage.persist();
    this.stored ??= { key: this.#key, importId: crypto.randomUUID(), identity };
    await this.#write(this.list(), this.stored);
    return this.stored;
  }

  restart(): void {
    this.#occurrences.clear();
  }

  countOccurrence(content: string): number {
    const count = (this.#occurrences.get(content) ?? 0) + 1;
    this.#occurrences.set(content, count);
    return count;
  }

  findReference(key: string): string | undefined {
    return this.#references.get(key);
  }

  addReference(key: string, json: string): void {
    this.#references.set(key, json);
  }

  find(identity: string): StoredRow | undefined {
    return this.#rows.get(identity);
  }

  forgetLines(): void {
    for (const row of this.#rows.values()) this.#rows.set(row.identity, { ...row, line: null, isChanged: 0 });
  }

  add(row: CheckedRow): void {
    const known = this.#rows.get(row.identity);
    const mayBeApplied = known !== undefined && known.sentAt !== null;
    const checked = mayBeApplied ? { ...known, line: row.line, isChanged: Number(known.content !== row.content) } : { ...NEW_ROW, ...row };
    this.#rows.set(row.identity, checked);
  }

  removeMissing(): Sample<StoredRow> {
    const missing = [...this.#rows.values()].filter(({ line }) => line === null);
    // Those of an earlier run remain on disk, where they do no harm.
    for (const { identity, sentAt } of missing) if (sentAt === null) this.#rows.delete(identity);
    const applied = missing.filter(({ sentAt }) => sentAt !== null);
    return { count: applied.length, first: applied.slice(0, MAX_SAMPLE) };
  }

  save(rows: readonly StoredRow[]): Promise<void> {
    for (const row of rows) this.#rows.set(row.identity, row);
    return this.#write(rows);
  }

  list(): readonly StoredRow[] {
    return [...this.#rows.values()].sort((one, other) => (one.line ?? Infinity) - (other.line ?? Infinity));
  }

  listLastDone(count: number): readonly StoredRow[] {
    const done = [...this.#rows.values()].filter(({ status }) => status === 'DONE');
    return done.sort((one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0)).slice(0, count);
  }

  /** Starts a transaction. Opens the database again if the browser has closed it, as phones do for a page in the background. */
  async #begin(): Promise<{ readonly transaction: IDBTransaction; readonly isReopened: boolean }> {
    const begin = () => this.#database.transaction(['imports', 'rows'], 'readwrite', { durability: 'strict' });
    try {
      return { transaction: begin(), isReopened: false };
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      this.#database = await openDatabase();
      return { transaction: begin(), isReopened: true };
    }
  }

  async #write(changed: Iterable<StoredRow>, started?: StoredImport): Promise<void> {
    const { transaction, isReopened } = await this.#begin();
    // Whatever closed the database can also have deleted its content.
    const [rows, stored] = isReopened ? [this.#rows.values(), this.stored] : [changed, started];
    if (stored) transaction.objectStore('imports').put(stored);
    for (const row of rows) transaction.objectStore('rows').put({ ...row, key: this.#key });
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => {
        // The next write opens it again: a connection that is lost can remain open.
        this.#database.close();
        const { error } = transaction;
        const advice = error?.name === 'QuotaExceededError' ? 'Free up space, and try again.' : 'Try again.';
        const reason = error?.message ?? 'the transaction was aborted.';
        reject(new StartError(`This browser can’t store what is sent: ${reason} ${advice}`, { cause: error }));
      };
    });
  }
}
