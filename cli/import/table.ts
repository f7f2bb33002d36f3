import { isJsonObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import { getErrorCode, StartError } from '../../src/lib/startup.ts';

/** Maximum size of a row in characters. Chosen: several times the longest text that the schema accepts. */
const MAX_ROW_CHARACTERS = 1024 ** 2;

/** A row of a file. */
export interface TableRow {
  /** Line on which it starts, from 1. */
  readonly line: number;
  /** Cells by the header of their column. Null in JSON lines. */
  readonly cells: ReadonlyMap<string, string> | null;
  /** The object of a JSON line. Null if the line isn't a JSON object, and in CSV. */
  readonly json: JsonObject | null;
  /** Why the row can't be read, as a sentence. */
  readonly problem?: string;
}

/** A record of csv-parse, with its option `info`. */
export interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const CSV_OPTIONS = { info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_ROW_CHARACTERS } as const;

/** Error codes of csv-parse. `instanceof` would miss errors of its build for browsers, which has an error class of its own. */
const CSV_ERRORS = /^(?:CSV_|INVALID_OPENING_QUOTE$)/;

/** A file that can be read several times. */
export interface TableFile {
  readonly name: string;
  read(): AsyncIterable<Uint8Array>;
  /** Parses CSV with csv-parse, whose builds for Node.js and for browsers differ. */
  parseCsv(text: AsyncIterable<string>, options: typeof CSV_OPTIONS & { readonly delimiter: string }): AsyncIterable<CsvRecord>;
}

/** Decodes a file, without its byte order mark. Throws StartError if it isn't UTF-8. */
async function* decode({ name, read }: TableFile): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of read()) {
      yield decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StartError(`${name} isn’t encoded in UTF-8: see the text after byte ${bytes}. In a spreadsheet, save it as “CSV UTF-8”.`, {
      cause: error,
    });
  }
}

/** The character that occurs most often in a header, outside of quotes. */
function detectDelimiter(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => [delimiter, plain.split(delimiter).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Reads the first line of a file. */
async function readHeader(file: TableFile): Promise<string> {
  let text = '';
  for await (const chunk of decode(file)) {
    text += chunk;
    if (text.includes('\n') || text.length > MAX_ROW_CHARACTERS) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** Reads the records of a CSV file and the lines on which they start. The first one is the header. */
async function* readRecords(file: TableFile): AsyncGenerator<readonly [line: number, record: readonly string[]]> {
  const delimiter = detectDelimiter(await readHeader(file));
  let line = 1;
  try {
    for await (const { record, info } of file.parseCsv(decode(file), { ...CSV_OPTIONS, delimiter })) {
      yield [line, record];
      line = info.lines + 1;
    }
  } catch (error) {
    if (!CSV_ERRORS.test(getErrorCode(error))) throw error;
    const { message } = error as Error;
    throw new StartError(`${file.name} isn’t valid CSV from line ${line} on: ${message} Check its quotes.`, { cause: error });
  }
}

async function* readCsv(file: TableFile): AsyncGenerator<TableRow> {
  let headers: readonly string[] | undefined;
  for await (const [line, record] of readRecords(file)) {
    if (headers) {
      const cells = new Map(headers.map((header, index) => [header, record[index] ?? '']));
      const problem = `has ${record.length} cells instead of ${headers.length}. Check its quotes.`;
      yield { line, cells, json: null, ...(record.length !== headers.length && { problem }) };
    } else headers = record.map((header) => header.trim());
  }
}

/** Splits a file at line feeds. Not with Node's readline, which also splits at U+2028. */
async function* readLines(file: TableFile): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of decode(file)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW_CHARACTERS) throw new StartError(`${file.name} has a line of more than ${MAX_ROW_CHARACTERS} characters.`);
    yield* lines;
  }
  yield rest;
}

async function* readJsonLines(file: TableFile): AsyncGenerator<TableRow> {
  let line = 0;
  for await (const text of readLines(file)) {
    line += 1;
    if (text.trim() === '') continue;
    const json = parseJson(text);
    if (isJsonObject(json)) yield { line, cells: null, json };
    else yield { line, cells: null, json: null, problem: 'isn’t a JSON object.' };
  }
}

/** Whether a file has JSON lines. Others are CSV. */
export const isJsonLines = ({ name }: TableFile): boolean => /\.(?:jsonl|ndjson)$/i.test(name);

/** Reads the columns of a CSV file. Null for JSON lines, which have none. Throws StartError if a name is missing or repeated. */
export async function readColumns(file: TableFile): Promise<readonly string[] | null> {
  if (isJsonLines(file)) return null;
  let headers: readonly string[] = [];
  for await (const [, record] of readRecords(file)) {
    headers = record.map((name) => name.trim());
    break;
  }
  const wrong = headers.find((name, index) => name === '' || headers.indexOf(name) !== index);
  if (headers.length > 0 && wrong === undefined) return headers;
  throw new StartError(`The first line of ${file.name} must name each column once${wrong ? `, but repeats ${wrong}` : ''}.`);
}

/** Reads the rows of a file. Throws StartError if it can't be decoded. */
export const readTable = (file: TableFile): AsyncGenerator<TableRow> => (isJsonLines(file) ? readJsonLines(file) : readCsv(file));
