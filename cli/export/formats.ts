import type { ExportRow, Value } from './columns.ts';
import type { CreateWriter, FormatOptions, FormatWriter } from './formatWriter.ts';
import type { ExportColumn } from './roots.ts';

/** Chosen: reading this many rows again takes a second. */
const ROWS_PER_SAVE = 5_000;

/** Writes one line per row. */
function createLineWriter<Written>(
  { file, state }: FormatOptions,
  header: string,
  toLine: (row: Written) => string,
): FormatWriter<Written> {
  const append = (text: string) => file.append(Buffer.from(text));
  if (!state) append(header);
  return {
    rowsPerSave: ROWS_PER_SAVE,
    write: (rows) => append(rows.map(toLine).join('')),
    save: () => file.state,
    finish: () => {},
  };
}

/** Characters that some programs treat as line breaks, such as Node's readline and Python's splitlines. `JSON.stringify` only escapes those of ASCII. */
const LINE_BREAKS = /[\u0085\u2028\u2029]/g;

const toJsonLine = (value: object): string =>
  `${JSON.stringify(value).replace(LINE_BREAKS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

/** Writes JSON lines: objects with the names and values of the graph. */
function createJsonWriter(options: FormatOptions, columns: readonly ExportColumn[]): FormatWriter<ExportRow> {
  const names = columns.map(({ name }) => name);
  return createLineWriter(options, '', (row) => toJsonLine(Object.fromEntries(names.map((name, index) => [name, row[index]]))));
}

/** Writes JSON lines of objects. */
export const createRecordWriter = (options: FormatOptions): FormatWriter<object> => createLineWriter(options, '', toJsonLine);

/** Matches characters that spreadsheets may skip before a formula: spaces, controls, and invisible ones. Quotes, because a cell can end within a quoted text. */
const SKIPPED = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800"]*`;

/** Matches the first character of a formula, also in its full-width and small forms. Source: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫]`;

/** Texts that spreadsheets execute. */
const UNSAFE_START = new RegExp(`^(?:[\\t\\r\\n]|${SKIPPED}${FORMULA})`, 'u');

/** Formulas within texts, after what starts a cell in a spreadsheet whose delimiter isn't a comma: quotes only apply at the start of a cell. Looks back from formula characters, so that the time is linear. */
const UNSAFE_PART = new RegExp(`${FORMULA}(?<=[;\\t\\r\\n]${SKIPPED}.)`, 'gu');

const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

function toExcelSafe(text: string): string {
  if (NEGATIVE_NUMBER.test(text)) return text;
  return `${UNSAFE_START.test(text) ? "'" : ''}${text.replace(UNSAFE_PART, "'$&")}`;
}

function toCell(value: Value, { kind }: ExportColumn, isExcelSafe: boolean): string {
  if (value === null) return '';
  if (typeof value === 'object') return value.amount;
  const text = String(value);
  const safe = isExcelSafe && kind === 'TEXT' ? toExcelSafe(text) : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes CSV with a header, as in RFC 4180. Cells without a value are empty. */
function createCsvWriter(options: FormatOptions, columns: readonly ExportColumn[], isExcelSafe: boolean): FormatWriter<ExportRow> {
  const toRecord = (cells: readonly string[]) => `${cells.join(',')}\r\n`;
  const header = toRecord(columns.map(({ name }) => name));
  return createLineWriter(options, header, (row) =>
    toRecord(columns.map((column, index) => toCell(row[index] ?? null, column, isExcelSafe))),
  );
}

export const FORMATS = ['jsonl', 'csv', 'parquet'] as const;
export type FormatName = (typeof FORMATS)[number];

/** Returns a function that creates the writer of a format. With `isExcelSafe`, cells that spreadsheets would execute get a prefix. Throws StartError if its package isn't installed. */
export async function openFormat(
  format: FormatName,
  columns: readonly ExportColumn[],
  isExcelSafe: boolean,
): Promise<CreateWriter<ExportRow>> {
  if (format === 'parquet') return (await import('./parquet.ts')).openParquet(columns);
  return (options) => (format === 'csv' ? createCsvWriter(options, columns, isExcelSafe) : createJsonWriter(options, columns));
}
