import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Paths of the files of an export. */
export interface ExportPaths {
  /** The complete file. */
  readonly out: string;
  /** The incomplete file. */
  readonly part: string;
  readonly checkpoint: string;
  readonly lock: string;
  readonly manifest: string;
  /** The complete file, if the counts differ. */
  readonly unverified: string;
}

export const getPaths = (out: string): ExportPaths => ({
  out,
  part: `${out}.part`,
  checkpoint: `${out}.checkpoint`,
  lock: `${out}.lock`,
  manifest: `${out}.manifest.json`,
  unverified: `${out}.unverified`,
});

/** Makes renamed and created files of a directory durable. Windows has no such operation. */
function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Renames a file, durably. */
export function moveFile(from: string, to: string): void {
  renameSync(from, to);
  syncDirectory(dirname(to));
}

/** Replaces a file as a whole: after a crash, it has either its old or its new content. */
export function replaceFile(path: string, text: string, mode = 0o666): void {
  const next = `${path}.new`;
  const fd = openSync(next, 'w', mode);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  moveFile(next, path);
}
