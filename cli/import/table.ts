import { isJsonObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import { escapeText } from '../../src/lib/printableText.ts';
import { getErrorCode, StartError } from '../../src/lib/startup.ts';
import type { SheetRow } from './workbook.ts';

/** Maximum size of a row in characters. Chosen: several times the longest text that the schema accepts. */
const MAX_ROW_CHARACTERS = 1024 ** 2;

/** Maximum nesting of a JSON line. Chosen: inputs have some five levels. */
const MAX_LEVELS = 100;

/** Cells of a row in a workbook, by the headers of their columns. */
export interface SheetCells {
  /** Numbers, dates, and booleans, which are in the standard notation. */
  readonly typed: ReadonlySet<string>;
  /** Why cells can't be read, as sentences. */
  readonly failures: ReadonlyMap<string, string>;
}

/** A row of a file. */
export interface TableRow {
  /** Line on which it starts, from 1, as an editor counts them. In a workbook, the number of the row. */
  readonly line: number;
  /** Cells by the header of their column. Null in JSON lines. */
  readonly cells: ReadonlyMap<string, string> | null;
  /** What is known of the cells of a workbook. Undefined for other files. */
  readonly sheetCells?: SheetCells;
  /** The object of a JSON line. Null if the line isn't a JSON object, and in CSV. */
  readonly json: JsonObject | null;
  /** Why the row can't be read, as a sentence. */
  readonly problem?: string;
}

/** A record of csv-parse, with its option `raw`. */
export interface CsvRecord {
  readonly record: readonly string[];
  /** Its text, with the first character of the line break at its end. */
  readonly raw: string;
}

const LINE_BREAK = /\r\n|\n|\r/g;

/** Empty lines are records, because they count as lines. */
const CSV_OPTIONS = {
  raw: true,
  relax_column_count: true,
  max_record_size: MAX_ROW_CHARACTERS,
  // A file can have all of them. csv-parse otherwise expects the first one that it finds.
  record_delimiter: ['\r\n', '\n', '\r'],
};

/** Error codes of csv-parse. `instanceof` would miss errors of its build for browsers, which has an error class of its own. */
const CSV_ERRORS = /^(?:CSV_|INVALID_OPENING_QUOTE$)/;

/** A file that can be read several times. */
export interface TableFile {
  readonly name: string;
  /** Name of the sheet of a workbook. Undefined for the only one. */
  readonly sheet?: string | undefined;
  read(): AsyncIterable<Uint8Array>;
  /** Parses CSV with csv-parse, whose builds for Node.js and for browsers differ. */
  parseCsv(text: AsyncIterable<string>, options: typeof CSV_OPTIONS & { readonly delimiter: string }): AsyncIterable<CsvRecord>;
}

/** The encoding that the byte order mark of a file declares. Windows writes UTF-16 as “Unicode text”. */
function detectEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Decodes a file, without its byte order mark. Throws StartError if it's neither UTF-8 nor UTF-16 with a byte order mark. */
async function* decode({ name, read }: TableFile): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let bytes = 0;
  try {
    for await (const chunk of read()) {
      decoder ??= new TextDecoder(detectEncoding(chunk), { fatal: true });
      yield decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const encoding = decoder?.encoding.toUpperCase();
    throw new StartError(
      `${name} isn’t encoded in ${encoding}: see the text after byte ${bytes}. In a spreadsheet, save it as “CSV UTF-8”.`,
      {
        cause: error,
      },
    );
  }
}

/** Decodes a file whose lines fit into memory. Throws StartError for a longer one: csv-parse doesn't count delimiters. */
async function* decodeLines(file: TableFile): AsyncGenerator<string> {
  let length = 0;
  for await (const text of decode(file)) {
    for (const [index, part] of text.split(/[\r\n]/).entries()) {
      length = (index === 0 ? length : 0) + part.length;
      if (length > MAX_ROW_CHARACTERS) throw new StartError(`${file.name} has a line of more than ${MAX_ROW_CHARACTERS} characters.`);
    }
    yield text;
  }
}

/** The line that spreadsheets write and read to declare the delimiter. */
const SEPARATOR_LINE = /^"?sep=([^"\w])"?$/i;

/** The delimiter that the first line declares, or else the character that occurs most often in the header, outside of quotes. */
function detectDelimiter(header: string): string {
  const [, declared] = SEPARATOR_LINE.exec(header) ?? [];
  if (declared !== undefined) return declared;
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => [delimiter, plain.split(delimiter).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Reads the first line of a file that isn't empty. Throws StartError if the file has none. */
async function readHeader(file: TableFile): Promise<string> {
  let text = '';
  for await (const chunk of decodeLines(file)) {
    text = (text + chunk).trimStart();
    if (/[\r\n]/.test(text)) break;
  }
  if (text === '') throw new StartError(`${file.name} is empty.`);
  return text.split(/[\r\n]/, 1)[0] ?? '';
}

const isBlank = (text: string): boolean => text.trim() === '';

/** A record, and the line on which it starts. */
type LineRecord = readonly [line: number, record: readonly string[], sheetRow?: SheetRow];

/** Maximum size of a workbook. Chosen: what it contains is compressed. */
const MAX_WORKBOOK_BYTES = 32 * 1024 ** 2;

async function readBytes({ name, read }: TableFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of read()) {
    size += chunk.length;
    if (size > MAX_WORKBOOK_BYTES) throw new StartError(`${name} has more than ${MAX_WORKBOOK_BYTES} bytes. Save it as CSV.`);
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

/** Workbooks that were read, because an import reads a file several times. */
const workbooks = new WeakMap<TableFile, readonly SheetRow[]>();

async function* readSheet(file: TableFile): AsyncGenerator<LineRecord> {
  const { readWorkbook } = await import('./workbook.ts');
  const rows = workbooks.get(file) ?? (await readWorkbook(file.name, await readBytes(file), file.sheet));
  workbooks.set(file, rows);
  if (rows.length === 0) throw new StartError(`${file.name} is empty.`);
  for (const [index, row] of rows.entries()) if (row.failures.size > 0 || !row.cells.every(isBlank)) yield [index + 1, row.cells, row];
}

/** Files of spreadsheets in other formats. */
const OTHER_WORKBOOK = /\.(?:xls|xlsb|ods|numbers)$/i;

/** Reads the records of a table that aren't blank. The first one is the header. */
function readRecords(file: TableFile): AsyncGenerator<LineRecord> {
  if (OTHER_WORKBOOK.test(file.name)) throw new StartError(`${file.name} has a format that can’t be read. Save it as .xlsx or as CSV.`);
  const isWorkbook = /\.xlsx$/i.test(file.name);
  if (file.sheet !== undefined && !isWorkbook) throw new StartError(`${file.name} isn’t an Excel workbook (.xlsx), so it has no sheet.`);
  return isWorkbook ? readSheet(file) : readCsvRecords(file);
}

async function* readCsvRecords(file: TableFile): AsyncGenerator<LineRecord> {
  const header = await readHeader(file);
  let line = 1;
  let isFirst = true;
  try {
    for await (const { record, raw } of file.parseCsv(decodeLines(file), { ...CSV_OPTIONS, delimiter: detectDelimiter(header) })) {
      const start = line;
      line += raw.match(LINE_BREAK)?.length ?? 0;
      if (record.every(isBlank)) continue;
      if (!(isFirst && SEPARATOR_LINE.test(header))) yield [start, record];
      isFirst = false;
    }
  } catch (error) {
    if (!CSV_ERRORS.test(getErrorCode(error))) throw error;
    const { message } = error as Error;
    throw new StartError(`${file.name} isn’t valid CSV from line ${line} on: ${message} Check its quotes.`, { cause: error });
  }
}

/** Maximum number of columns: that of Excel. Source: https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3. */
const MAX_COLUMNS = 16_384;

/** The names of columns, as they're printed: spreadsheets write line breaks in names. They also write columns at the right that were used once. */
function readNames(record: readonly string[]): readonly string[] {
  const names = record.map((name) => escapeText(name.replaceAll(/\s+/g, ' ').trim()));
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

// cspell:ignore totaal eindtotaal eind gesamt summe somme totale suma
/** What the first cell of a row is that adds up the others, in the languages of the documented notations. */
const TOTAL = /^(?:(?:grand|sub)?[ -]?total|totals|(?:eind)?totaal|(?:gesamt)?summe|gesamt|somme|totale|suma)\s*:?$/i;

/** Whether the last row of a table looks like a total. Only the last one, so that a record with such a name can be imported. */
function isTotal({ cells, problem }: TableRow): boolean {
  const texts = [...(cells?.values() ?? [])];
  return problem === undefined && texts.some(isBlank) && TOTAL.test(texts.find((text) => !isBlank(text))?.trim() ?? '');
}

const nameCells = (names: readonly string[], { typed, failures }: SheetRow): SheetCells => ({
  typed: new Set(names.filter((_, index) => typed.has(index))),
  failures: new Map([...failures].map(([index, message]) => [names[index] ?? '', message])),
});

function createRow(names: readonly string[], [line, record, sheetRow]: LineRecord): TableRow {
  const cells = new Map(names.map((name, index) => [name, record[index] ?? '']));
  const last = record.findLastIndex((cell) => !isBlank(cell)) + 1;
  // Sheets have no cells at the right of the last one with a value.
  const length = Math.max(sheetRow ? names.length : Math.min(record.length, names.length), last);
  const problem = `has ${length} cells, but the header has ${names.length} names. ${sheetRow ? 'Name all columns.' : 'Check its quotes.'}`;
  return {
    line,
    cells,
    json: null,
    ...(sheetRow && { sheetCells: nameCells(names, sheetRow) }),
    ...(length !== names.length && { problem }),
  };
}

async function* readCsv(file: TableFile): AsyncGenerator<TableRow> {
  let names: readonly string[] | undefined;
  let last: TableRow | undefined;
  for await (const record of readRecords(file)) {
    if (last) yield last;
    if (names) last = createRow(names, record);
    else names = readNames(record[1]);
  }
  if (last) yield isTotal(last) ? { ...last, problem: 'looks like a total. Delete it, or move it up if it’s a record.' } : last;
}

/** Splits a file at line breaks. Not with Node's readline, which also splits at U+2028. */
async function* readLines(file: TableFile): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of decodeLines(file)) {
    // A carriage return at the end of a chunk may be half of a line break.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield* rest.split('\r');
}

/** Whether a value has more levels. Functions that visit an input, such as that for its hash, call themselves for each. */
const isDeep = (value: unknown, levels = MAX_LEVELS): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((item) => isDeep(item, levels - 1)));

async function* readJsonLines(file: TableFile): AsyncGenerator<TableRow> {
  let line = 0;
  for await (const text of readLines(file)) {
    line += 1;
    if (isBlank(text)) continue;
    const json = parseJson(text);
    if (isJsonObject(json) && !isDeep(json)) yield { line, cells: null, json };
    else yield { line, cells: null, json: null, problem: `isn’t a JSON object, or has more than ${MAX_LEVELS} levels.` };
  }
}

/** Whether a file has JSON lines. Others are CSV or workbooks. */
export const isJsonLines = ({ name }: Pick<TableFile, 'name'>): boolean => /\.(?:jsonl|ndjson)$/i.test(name);

/** Reads the columns of a CSV file or workbook. Null for JSON lines, which have none. Throws StartError if a name is missing or repeated. */
export async function readColumns(file: TableFile): Promise<readonly string[] | null> {
  if (isJsonLines(file)) return null;
  for await (const [line, record, sheetRow] of readRecords(file)) {
    for (const failure of sheetRow?.failures.values() ?? []) throw new StartError(`${file.name}:${line}: ${failure}`);
    const names = readNames(record);
    if (names.length > MAX_COLUMNS)
      throw new StartError(`${file.name} has ${names.length} columns, the maximum is ${MAX_COLUMNS}. Check its delimiter.`);
    const wrong = names.findIndex((name, index) => name === '' || names.indexOf(name) !== index);
    if (wrong === -1) return names;
    const problem = names[wrong] === '' ? `doesn’t name column ${wrong + 1}` : `repeats ${names[wrong]}`;
    throw new StartError(`The header of ${file.name} (line ${line}) ${problem}. It must name each column once.`);
  }
  throw new StartError(`${file.name} has no header.`);
}

/** Reads the rows of a file. Throws StartError if it can't be decoded. */
export const readTable = (file: TableFile): AsyncGenerator<TableRow> => (isJsonLines(file) ? readJsonLines(file) : readCsv(file));
