import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of libfaketime from Debian's package, which intercepts a program's clock calls. */
const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;

/** Whether libfaketime is installed. */
export const hasFaketime = existsSync(LIBRARY);

/** Suffix for the name of a suite. Explains why it's skipped. */
export const faketimeNote = hasFaketime ? '' : ' (skipped: libfaketime is not installed)';

/** The clock of programs started with `env`. */
export interface MovableClock {
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock's offset from this machine's clock, also for running programs. */
  set(offsetSeconds: number): void;
}

/**
 * A clock that is controlled by a file in the folder. It only affects the wall clock, as an administrator would. No system sets its monotonic clock back, and
 * if one did, timers that Node.js has already started would be late. Tests in one process set the monotonic clock back instead.
 */
export function createMovableClock(folder: string): MovableClock {
  const file = join(folder, 'offset');
  const set = (offsetSeconds: number) => {
    // Replaced atomically, because programs read the file whenever they read the clock.
    writeFileSync(`${file}.next`, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}s\n`);
    renameSync(`${file}.next`, file);
  };
  set(0);
  return {
    set,
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  };
}
