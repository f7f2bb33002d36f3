import { parse } from 'csv-parse/browser/esm/sync';
import type { CsvRecord, TableFile } from '../../../cli/import/table.ts';

/** A file that was read as a whole. */
export const createTable = (name: string, bytes: Uint8Array, sheet: string | undefined): TableFile => ({
  name,
  sheet,
  read: async function* () {
    yield bytes;
  },
  parseCsv: async function* (text, options) {
    let all = '';
    for await (const chunk of text) all += chunk;
    const records: CsvRecord[] = [];
    const onRecord = (record: unknown) => {
      records.push(record as CsvRecord);
      return null;
    };
    try {
      parse(all, { ...options, on_record: onRecord });
    } finally {
      // Also if the next one is invalid, because its line follows from these.
      yield* records;
    }
  },
});
