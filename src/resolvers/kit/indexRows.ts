import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { TruncatableSlice } from '../../schema/kit/window.ts';
import type { CellRow } from '../../schema/search/indexes.ts';
import type { Search } from '../../schema/search/searches.ts';
import type { IndexColumns } from '../../upstream/contract/fields.ts';
import { MAX_COMPARED_ROWS } from '../../upstream/traffic/knownIndexRows.ts';

/** Whether a row has the same values as its record, in the columns of the row. */
function isEqual(row: object, record: object, columns: IndexColumns): boolean {
  const pick = (from: object) => Object.keys(columns).map((member) => (from as Readonly<Record<string, unknown>>)[member]);
  return isDeepStrictEqual(pick(row), pick(record));
}

/**
 * Compares rows with their records, one after another: most indexes need only one call. Resolves to whether all of them differ. A record that is missing or can't
 * be read says nothing about the rows.
 */
async function areDifferent<RecordShape extends object>(
  samples: readonly { readonly id: string; readonly row: RecordShape }[],
  columns: IndexColumns,
  load: (id: string) => Promise<RecordShape | null>,
): Promise<boolean> {
  for (const { id, row } of samples) {
    const record = await load(id).catch(() => null);
    if (!record || isEqual(row, record, columns)) return false;
  }
  return true;
}

/**
 * Replaces the rows of a page by records: by rows if these columns suffice, after a comparison that is due. Leaves out records that no longer exist. Their page is
 * shorter, but its cursors remain valid.
 */
export async function toRecords<RecordShape extends object>(
  { rows, offsets, ...slice }: TruncatableSlice<CellRow, string>,
  { target, index, toRecord }: Search<RecordShape>,
  columns: IndexColumns | null,
  context: Context,
): Promise<TruncatableSlice<RecordShape, string>> {
  const load = (id: string) => target.load(id, context);
  let converted = rows.map((row) => (columns ? toRecord(row, columns) : null));
  const samples = converted.flatMap((row, position) => (row ? [{ id: rows[position]?.id ?? '', row }] : [])).slice(0, MAX_COMPARED_ROWS);
  // One row alone may have changed between the calls.
  if (columns && Object.keys(columns).length > 1 && samples.length === MAX_COMPARED_ROWS) {
    const isStale = await context.upstream.indexRows.compareOnce(index.root, () => areDifferent(samples, columns, load));
    if (isStale) converted = rows.map(() => null);
  }
  const records = await Promise.all(rows.map(({ id }, position) => converted[position] ?? load(id)));
  const [first, last] = [offsets[0], offsets.at(-1)];
  const ends = first === undefined || last === undefined ? undefined : ([first, last] as const);
  const present = records.flatMap((record, position) => (record ? [{ record, offset: offsets[position] as string }] : []));
  return { ...slice, rows: present.map(({ record }) => record), offsets: present.map(({ offset }) => offset), ends };
}
