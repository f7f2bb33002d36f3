import type { CellRow } from '../schema/search/indexes.ts';
import type { ExportColumn, ExportRow } from './columns.ts';
import type { ExportSource } from './run.ts';
import type { IndexSource } from './source.ts';

/** Reads the values of columns. Values that aren't available are null. */
export function createColumnSource(index: IndexSource, columns: readonly ExportColumn[]): ExportSource<ExportRow> {
  const names = columns.map(({ column }) => column);
  return {
    open: () => index.open(),
    count: (until) => index.count(until),
    read: async function* (until, place, onUnavailable) {
      const toRow = (row: CellRow): ExportRow =>
        columns.map(({ name, read }) => {
          const value = read(row);
          if (value === undefined) onUnavailable(name);
          return value ?? null;
        });
      for await (const { rows, place: next } of index.read(names, until, place)) yield { rows: rows.map(toRow), place: next };
    },
  };
}
