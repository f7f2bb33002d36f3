import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { toFileError } from '../../src/lib/startup.ts';
import type { TableFile } from './table.ts';

/** Opens a file of this machine. Reading it throws StartError if that fails. */
export const openTable = (path: string, sheet?: string): TableFile => ({
  name: path,
  sheet,
  read: async function* () {
    try {
      yield* createReadStream(path) as AsyncIterable<Buffer>;
    } catch (error) {
      throw toFileError(error, 'FILE', path);
    }
  },
  // The parser reports errors itself.
  parseCsv: (text, options) => pipeline(text, parse(options), () => undefined),
});
