import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { StartError } from '../lib/startup.ts';

/** A file that is only appended to, and that can be cut back to an earlier size. */
export class PartFile {
  readonly #fd: number;
  #size: number;

  /** Opens a file at the size that a checkpoint names, or creates it. Throws StartError if it's shorter. */
  constructor(path: string, size: number) {
    this.#fd = openSync(path, size === 0 ? 'w' : 'r+');
    if (fstatSync(this.#fd).size < size)
      throw new StartError(`${path} is shorter than its checkpoint. Use --restart to discard both and start again.`);
    ftruncateSync(this.#fd, size);
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Appends all bytes. If it fails, the size is unchanged, so that the next append overwrites what was written. */
  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#size + done);
    this.#size += bytes.length;
  }

  /** Waits until everything is on disk. */
  sync(): void {
    fdatasyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
