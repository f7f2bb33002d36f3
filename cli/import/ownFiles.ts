import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../src/lib/startup.ts';
import { isPresent } from '../bulk/files.ts';

/** Tables of a state. */
const TABLES = "('meta', 'rows')";

/** Throws StartError if the results would replace a file that no import wrote. Results have the state of their import next to them. */
export function checkOut(file: string, out: string): void {
  if (!isPresent(out)) return;
  const [input, output] = [statSync(file), statSync(out, { throwIfNoEntry: false })];
  if (input.dev === output?.dev && input.ino === output.ino)
    throw new StartError(`--out must not be the imported file. Choose another file than ${out}.`);
  if (!isPresent(`${out}.state`))
    throw new StartError(`${out} (--out) exists, and isn’t the result of an import, because there’s no ${out}.state. Choose another file.`);
}

/** Throws StartError for a database of another program. */
export function checkOwnDatabase(database: DatabaseSync, path: string): void {
  const foreign = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ${TABLES}`).get();
  if (foreign) throw new StartError(`${path} is a database of another program. Choose another --out.`);
}
