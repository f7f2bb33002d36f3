import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../../src/lib/startup.ts';
import { decodeUtf8 } from '../../src/lib/utf8.ts';

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

/** Only the owner can access the files, because they contain records, IDs and filters. */
const MODE = 0o600;

/** Maximum size of a file that is read as a whole. Chosen: a checkpoint of 150 million rows as Parquet. */
const MAX_TEXT_BYTES = 32 * 1024 ** 2;

const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Flags by purpose. Opening a named pipe doesn't block. Windows lacks some of them, which are then undefined, and have no effect. */
const FLAGS = { create: O_WRONLY | O_CREAT | O_EXCL, read: O_NOFOLLOW | O_NONBLOCK, append: O_RDWR | O_NOFOLLOW | O_NONBLOCK };

/** Codes for symbolic links, also of FreeBSD, for sockets, and for directories. */
const FOREIGN_CODES: readonly unknown[] = ['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'];

export const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

const createForeignError = (path: string) =>
  new StartError(`Can’t use ${path}: it isn’t a regular file of this user with a single name. Delete it, or choose another file.`);

function isOwn(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() && stats.nlink <= 1 && (!process.geteuid || stats.uid === process.geteuid());
}

/**
 * Opens a file of an export: a new one, or one that an earlier run created. Throws StartError for links and files of other users, so that no other file is
 * read or overwritten.
 */
export function openOutput(path: string, purpose: keyof typeof FLAGS): number {
  let fd: number;
  try {
    fd = openSync(path, FLAGS[purpose], MODE);
  } catch (error) {
    throw FOREIGN_CODES.includes((error as NodeJS.ErrnoException).code) ? createForeignError(path) : error;
  }
  if (isOwn(fd)) return fd;
  closeSync(fd);
  throw createForeignError(path);
}

/** Reads a file of an export. Undefined if it doesn't exist, and empty if it's too large or not UTF-8. */
export function readOutput(path: string): string | undefined {
  let fd: number;
  try {
    fd = openOutput(path, 'read');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    return fstatSync(fd).size > MAX_TEXT_BYTES ? '' : (decodeUtf8(readFileSync(fd)) ?? '');
  } finally {
    closeSync(fd);
  }
}

/** Whether a path exists, also as a symbolic link without a target. */
export const isPresent = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Removes a file if it exists, or a symbolic link without its target. */
export function removeFile(path: string): void {
  if (isPresent(path)) unlinkSync(path);
}

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
export function replaceFile(path: string, text: string): void {
  const next = `${path}.new`;
  removeFile(next);
  const fd = openOutput(next, 'create');
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  moveFile(next, path);
}
