import type { ExportColumn, Row } from './columns.ts';
import type { CreateWriter } from './formatWriter.ts';

export const FORMATS = ['jsonl', 'csv'] as const;
export type FormatName = (typeof FORMATS)[number];

/** Returns a function that creates the writer of a format. With `isExcelSafe`, cells that spreadsheets would execute get a prefix. */
export async function openFormat(format: FormatName, columns: readonly ExportColumn[], isExcelSafe: boolean): Promise<CreateWriter<Row>> {
  const { createCsvWriter, createJsonWriter } = await import('./text.ts');
  return (options) => (format === 'csv' ? createCsvWriter(options, columns, isExcelSafe) : createJsonWriter(options, columns));
}
