import { toDateTime } from '../../src/lib/dateTime.ts';
import { StartError } from '../../src/lib/startup.ts';
import { InterruptedError } from '../bulk/command.ts';
import { type ExportPaths, isPresent, moveFile, removeFile, replaceFile } from '../bulk/files.ts';
import { RequestError } from '../bulk/graphResponse.ts';
import { type Checkpoint, type ExportIdentity, readCheckpoint, writeCheckpoint } from './checkpoint.ts';

import type { CreateWriter, FormatWriter } from './formatWriter.ts';
import { hashFile, type Manifest } from './manifest.ts';
import { createChangedError, PartFile } from './partFile.ts';
import type { Batch, Place } from './ranges.ts';
import type { Extent } from './rows.ts';

/** Members of the manifest that are known before the export starts. */
type ManifestBase = Pick<Manifest, 'root' | 'where' | 'format' | 'idFormat' | 'columns' | 'timeColumn' | 'producer' | 'since'>;

/** What an export reads. */
export interface ExportSource<Row> {
  /** Determines the rows to read. */
  open(): Promise<Extent & { readonly place: Place }>;
  /** Number of matching rows before `until`. */
  count(until: number): Promise<number>;
  /** Reads the rows after a place. */
  read(until: number, place: Place): AsyncGenerator<Batch<Row>>;
}

export interface ExportOptions<Row> {
  readonly source: ExportSource<Row>;
  readonly createWriter: CreateWriter<Row>;
  readonly paths: ExportPaths;
  readonly identity: ExportIdentity;
  /** Signs the checkpoint. */
  readonly caller: string;
  readonly manifest: ManifestBase;
  /** Whether to replace an existing file. */
  readonly isOverwriting: boolean;
  /** Whether to discard an existing checkpoint. */
  readonly isRestarting: boolean;
  /** Whether rows can leave the time range while it's read, because their timestamps change. */
  readonly isMoving: boolean;
  /** Aborted with an InterruptedError. */
  readonly signal: AbortSignal;
  /** Called once, before the first row. */
  readonly onStart: (start: Pick<Checkpoint, 'expected' | 'rows'>) => void;
  /** Called after each batch of rows. */
  readonly onRows: (rows: number) => void;
}

const formatTime = (seconds: number) => toDateTime(seconds) ?? String(seconds);

/** An export that writes its rows. */
class RunningExport<Row> {
  readonly #options: ExportOptions<Row>;
  readonly #file: PartFile;
  readonly #writer: FormatWriter<Row>;
  readonly #unavailable: Record<string, number>;
  #checkpoint: Checkpoint;
  #place: Checkpoint['place'];
  #rows: number;

  constructor(options: ExportOptions<Row>, start: Omit<Checkpoint, 'file'> & { readonly file?: Checkpoint['file'] }) {
    const { createWriter, paths } = options;
    const { expected, file: state, place, rows, unavailable } = start;
    this.#options = options;
    this.#file = new PartFile(paths.part, state);
    this.#writer = createWriter({ file: this.#file, state, expected });
    this.#unavailable = { ...unavailable };
    this.#place = place;
    this.#rows = rows;
    this.#checkpoint = { ...start, file: state ?? this.#file.state };
  }

  /** Writes all rows and returns the manifest of the complete file. Saves a checkpoint if the upstream fails, or if it's interrupted. */
  async run(): Promise<Manifest> {
    try {
      await this.#writeRows();
      const atEnd = await this.#orInterrupted(this.#options.source.count(this.#checkpoint.until));
      return this.#finish(atEnd);
    } catch (error) {
      // Not after a failure of the disk: the previous checkpoint is valid.
      if (error instanceof RequestError || error instanceof InterruptedError) this.#save();
      throw error;
    } finally {
      this.#file.close();
    }
  }

  /** Rejects when the export is interrupted. Not `Promise.race` with one promise for all calls, which would retain the results of all calls. */
  async #orInterrupted<Result>(promise: Promise<Result>): Promise<Result> {
    const { signal } = this.#options;
    // An interrupted export doesn't wait for it.
    promise.catch(() => {});
    signal.throwIfAborted();
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([promise, interrupted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #writeRows(): Promise<void> {
    const { source, onRows } = this.#options;
    const batches = source.read(this.#checkpoint.until, this.#place);
    let unsaved = 0;
    for (;;) {
      const { value, done } = await this.#orInterrupted(batches.next());
      if (done) break;
      this.#writer.write(value.rows);
      for (const name of value.unavailable) this.#unavailable[name] = (this.#unavailable[name] ?? 0) + 1;
      this.#place = value.place;
      this.#rows += value.rows.length;
      unsaved += value.rows.length;
      if (unsaved >= this.#writer.rowsPerSave) {
        this.#save();
        unsaved = 0;
      }
      onRows(this.#rows);
    }
    this.#save();
  }

  /** Saves the rows first, then the checkpoint that refers to them. */
  #save(): void {
    const file = this.#writer.save();
    this.#file.sync();
    this.#checkpoint = { ...this.#checkpoint, place: this.#place, rows: this.#rows, unavailable: { ...this.#unavailable }, file };
    writeCheckpoint(this.#options, this.#checkpoint);
  }

  #finish(atEnd: number): Manifest {
    const { manifest: base, isMoving } = this.#options;
    this.#writer.finish();
    this.#file.sync();
    const { until, expected, rows, unavailable } = this.#checkpoint;
    const manifest: Manifest = {
      version: 1,
      ...base,
      until: formatTime(until),
      rows: { written: rows, atStart: expected, atEnd },
      verified: isMoving ? rows >= atEnd : rows === atEnd,
      unavailable,
      ...this.#file.state,
    };
    this.#checkpoint = { ...this.#checkpoint, manifest };
    writeCheckpoint(this.#options, this.#checkpoint);
    return manifest;
  }
}

/** Publishes a complete file under its final name. Can be repeated after a crash. Throws StartError if the file isn't the one whose rows were counted. */
async function publish(paths: ExportPaths, manifest: Manifest): Promise<Manifest> {
  const target = manifest.verified ? paths.out : paths.unverified;
  const isPublished = !isPresent(paths.part);
  const path = isPublished ? target : paths.part;
  if (!isPresent(path) || (await hashFile(path)) !== manifest.sha256) throw createChangedError(path);
  if (!isPublished) {
    replaceFile(paths.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
    moveFile(paths.part, target);
  }
  removeFile(paths.checkpoint);
  return manifest;
}

/** Runs an export, or continues it after its checkpoint. Throws RequestError if the graph fails, and InterruptedError after a signal. */
export async function runExport<Row>(options: ExportOptions<Row>): Promise<Manifest> {
  const { source, paths, isOverwriting, isRestarting, onStart } = options;
  // Before the file is truncated, so that it never continues another file.
  if (isRestarting) removeFile(paths.checkpoint);
  const saved = readCheckpoint(options);
  const isPublished = saved?.manifest !== undefined && !isPresent(paths.part);
  if (!isPublished && !isOverwriting && isPresent(paths.out))
    throw new StartError(`${paths.out} exists. Choose another file, or use --overwrite.`);
  if (saved?.manifest) return publish(paths, saved.manifest);
  const start = saved ?? { ...(await source.open()), rows: 0, unavailable: {} };
  onStart(start);
  return publish(paths, await new RunningExport(options, start).run());
}
