import type { ExportColumn, ExportRow } from './columns.ts';
import type { CreateWriter } from './formatWriter.ts';

export const FORMATS = ['jsonl', 'csv', 'parquet'] as const;
export type FormatName = (typeof FORMATS)[number];

/** Returns a function that creates the writer of a format. With `isExcelSafe`, cells that spreadsheets would execute get a prefix. Throws StartError if its package isn't installed. */
export async function openFormat(
  format: FormatName,
  columns: readonly ExportColumn[],
  isExcelSafe: boolean,
): Promise<CreateWriter<ExportRow>> {
  if (format === 'parquet') return (await import('./parquet.ts')).openParquet(columns);
  const { createCsvWriter, createJsonWriter } = await import('./text.ts');
  return (options) => (format === 'csv' ? createCsvWriter(options, columns, isExcelSafe) : createJsonWriter(options, columns));
}

/** Creates the writer of whole records. */
export async function openRecordFormat(): Promise<CreateWriter<object>> {
  return (await import('./text.ts')).createRecordWriter;
}
