import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Maximum length of the lines that wait to be written, in characters. Chosen: seconds of the log of a process under full load. */
const MAX_WAITING = 4 * 1024 * 1024;
/** Interval at which a pipe is retried that is full and doesn't block, in milliseconds. */
const RETRY_MS = 100;
/** How long `close` waits for the remaining lines, in milliseconds. Chosen: a disk that works needs a few. */
const CLOSE_MS = 1_000;

const LINE_FEED = 0x0a;

export interface LogOutputOptions {
  /** Default: standard output. */
  readonly fd?: number;
  /** Called with the number of lines that were dropped. */
  readonly onDrop?: (lines: number) => void;
  /** Called when lines can be written again, with the number of lines that were dropped since the last call. */
  readonly onRecovery?: (lines: number) => void;
}

/**
 * Writes log lines in the background. Drops lines that can't be written, and those that exceed `MAX_WAITING` because writing is slow: the log must never stop the
 * graph. Not `pino.destination`, which ends the process at the first failed write, and at exit repeats that write indefinitely.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number;
  readonly #onDrop: (lines: number) => void;
  readonly #onRecovery: (lines: number) => void;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWriting = false;
  /** Whether the last byte that was written isn't the end of a line. */
  #isMidLine = false;
  /** Lines dropped since `onRecovery` was last called. */
  #dropped = 0;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor({ fd = 1, onDrop = () => {}, onRecovery = () => {} }: LogOutputOptions = {}) {
    this.#fd = fd;
    this.#onDrop = onDrop;
    this.#onRecovery = onRecovery;
  }

  /** Never throws or waits. */
  write(line: string): void {
    if (this.#waitingLength + line.length > MAX_WAITING) {
      this.#drop(1);
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (!this.#isWriting) this.#writeWaiting();
  }

  /** Waits for the remaining lines, but no longer than a second. Returns whether all of them were written or dropped. */
  async close(): Promise<boolean> {
    if (!this.#isWriting) return true;
    this.#drained ??= Promise.withResolvers();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, CLOSE_MS);
    await Promise.race([this.#drained.promise, late.promise]);
    clearTimeout(timer);
    return !this.#isWriting;
  }

  /** Writes the waiting lines synchronously, for a process that is about to exit. Lines of a write in progress aren't repeated, because that write completes regardless. */
  flush(): void {
    let rest = this.#takeWaiting();
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest));
    } catch {
      // The process ends: there is no one left to report it to.
    }
  }

  #takeWaiting(): Buffer {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    return Buffer.from(text);
  }

  #writeWaiting(): void {
    this.#isWriting = true;
    const lines = this.#takeWaiting();
    this.#write(this.#isMidLine ? Buffer.concat([Buffer.of(LINE_FEED), lines]) : lines);
  }

  #write(bytes: Buffer): void {
    write(this.#fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#write(bytes), RETRY_MS).unref();
        return;
      }
      if (written > 0) this.#isMidLine = bytes[written - 1] !== LINE_FEED;
      if (error) this.#end(countLines(bytes));
      else if (written < bytes.length) this.#write(bytes.subarray(written));
      else this.#end(0);
    });
  }

  /** Called when a write has ended, with the number of lines that it failed to write. */
  #end(failed: number): void {
    this.#isWriting = false;
    if (failed > 0) this.#drop(failed);
    else if (this.#dropped > 0) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.#onRecovery(dropped);
    }
    if (this.#isWriting) return;
    if (this.#waiting.length > 0) this.#writeWaiting();
    else this.#drained?.resolve();
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#onDrop(lines);
  }
}

/** Number of lines that end within these bytes. A line feed at their start ends a line that was written before. */
function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED, 1); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
