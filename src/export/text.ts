import type { ExportColumn, Row, Value } from './columns.ts';
import type { FormatOptions, FormatWriter } from './formatWriter.ts';

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

const toJsonValue = (value: Value) =>
  typeof value === 'object' && value !== null ? { amount: value.amount, currencyCode: value.currencyCode } : value;

/** Writes JSON lines: objects with the names and values of the graph. */
export function createJsonWriter(options: FormatOptions, columns: readonly ExportColumn[]): FormatWriter<Row> {
  const names = columns.map(({ name }) => name);
  return createLineWriter(options, '', (row) => {
    const members = names.map((name, index) => [name, toJsonValue(row[index] ?? null)]);
    return `${JSON.stringify(Object.fromEntries(members))}\n`;
  });
}

/** Writes JSON lines of objects. */
export const createRecordWriter = (options: FormatOptions): FormatWriter<object> =>
  createLineWriter(options, '', (record) => `${JSON.stringify(record)}\n`);

/** First characters of cells that spreadsheets execute as formulas. Source: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: Value, { kind }: ExportColumn, isExcelSafe: boolean): string {
  if (value === null) return '';
  if (typeof value === 'object') return value.amount;
  const text = String(value);
  const safe = isExcelSafe && kind === 'TEXT' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes CSV with a header, as in RFC 4180. Cells without a value are empty. */
export function createCsvWriter(options: FormatOptions, columns: readonly ExportColumn[], isExcelSafe: boolean): FormatWriter<Row> {
  const toRecord = (cells: readonly string[]) => `${cells.join(',')}\r\n`;
  const header = toRecord(columns.map(({ name }) => name));
  return createLineWriter(options, header, (row) =>
    toRecord(columns.map((column, index) => toCell(row[index] ?? null, column, isExcelSafe))),
  );
}
