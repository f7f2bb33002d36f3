import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { StartError } from '../../src/lib/startup.ts';
import { isPresent, openOutput, removeFile } from '../bulk/files.ts';

/** State of a file: what is written, and its SHA-256 in hexadecimal. Formats add their own members. */
export interface FormatState {
  readonly bytes: number;
  readonly sha256: string;
}

/** Size of the buffer that reads the file of an earlier run. Chosen. */
const BUFFER_BYTES = 1024 ** 2;

export const createChangedError = (path: string) =>
  new StartError(`${path} is missing, or differs from its checkpoint. Use --restart to discard both and start again.`);

/** A file that is only appended to, and that can be cut back to an earlier size. */
export class PartFile {
  readonly #fd: number;
  /** Of everything up to the size. */
  readonly #hash = createHash('sha256');
  #size = 0;

  /** Creates the file, or opens it after what an earlier run wrote. Throws StartError if it doesn't start with that. */
  constructor(path: string, written: FormatState | undefined) {
    if (!written) removeFile(path);
    else if (!isPresent(path)) throw createChangedError(path);
    this.#fd = openOutput(path, written ? 'append' : 'create');
    if (!written) return;
    this.#read(written.bytes);
    if (this.state.sha256 !== written.sha256) throw createChangedError(path);
    ftruncateSync(this.#fd, this.#size);
  }

  get size(): number {
    return this.#size;
  }

  get state(): FormatState {
    return { bytes: this.#size, sha256: this.#hash.copy().digest('hex') };
  }

  #read(bytes: number): void {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    for (let count = 1; count > 0 && this.#size < bytes; this.#size += count) {
      count = readSync(this.#fd, buffer, 0, Math.min(BUFFER_BYTES, bytes - this.#size), this.#size);
      this.#hash.update(buffer.subarray(0, count));
    }
  }

  /** Appends all bytes. If it fails, the size is unchanged, so that the next append overwrites what was written. */
  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#size + done);
    this.#size += bytes.length;
    this.#hash.update(bytes);
  }

  /** Waits until everything is on disk. */
  sync(): void {
    fdatasyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
