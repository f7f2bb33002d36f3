import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../src/lib/startup.ts';
import { isPresent } from '../bulk/files.ts';

/** Tables of a state. */
const TABLES = "('meta', 'rows')";

/** Throws StartError if the results would replace the imported file, or a file without the state of the import that wrote it. */
export function checkOut(file: string, out: string): void {
  if (!isPresent(out)) return;
  const [input, output] = [statSync(file), statSync(out, { throwIfNoEntry: false })];
  if (input.dev === output?.dev && input.ino === output.ino)
    throw new StartError(`--out must not be the imported file. Choose another file than ${out}.`);
  if (!isPresent(`${out}.state`)) throw createStateError(out, 'there’s no');
}

/** Creates the error for a file with the results of an import whose state was lost. A new state would send all rows again. */
export const createStateError = (out: string, problem: 'there’s no' | 'no import is stored in'): StartError =>
  new StartError(
    `${out} (--out) exists, but ${problem} ${out}.state. If the file contains the results of an import, restore that state, because all rows would be sent again without it. Otherwise, choose another --out.`,
  );

/** Throws StartError for a database of another program. */
export function checkOwnDatabase(database: DatabaseSync, path: string): void {
  const foreign = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ${TABLES}`).get();
  if (foreign) throw new StartError(`${path} is a database of another program. Choose another --out.`);
}
