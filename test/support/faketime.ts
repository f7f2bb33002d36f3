import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's package `libfaketime` puts the library that stands between a program and the clocks of the system. */
const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;

/** Whether libfaketime is installed. */
export const hasFaketime = existsSync(LIBRARY);

/** End of the name of a suite, so that a skipped one says why. */
export const faketimeNote = hasFaketime ? '' : ' (skipped: libfaketime is not installed)';

/** The clock of programs that are started with `env`. */
export interface MovableClock {
  readonly env: Readonly<Record<string, string>>;
  /** Sets it so many seconds off the clock of this machine, also for programs that run. */
  set(offsetSeconds: number): void;
}

/**
 * A clock that is kept in a file of the folder. Only the wall clock is moved, as an administrator would move it: no system sets its monotonic clock back, and
 * timers of Node that were armed before would not fire for as long. Tests in one process set that one back.
 */
export function movableClock(folder: string): MovableClock {
  const file = join(folder, 'offset');
  const set = (offsetSeconds: number) => {
    // In one step: programs read the file each time they look at the clock.
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
