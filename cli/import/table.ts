import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { isJsonObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import { StartError, toFileError } from '../../src/lib/startup.ts';

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

/** Decodes a file. Throws StartError if it isn't UTF-8. */
async function* decode(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      yield decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw toFileError(error, 'FILE', path);
    throw new StartError(`${path} isn’t encoded in UTF-8: see the text after byte ${bytes}. In a spreadsheet, save it as “CSV UTF-8”.`, {
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

/** Reads the first line of a file, without its byte order mark. */
async function readHeader(path: string): Promise<string> {
  let text = '';
  for await (const chunk of decode(path)) {
    text += chunk;
    if (text.includes('\n') || text.length > MAX_ROW_CHARACTERS) break;
  }
  return text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '';
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function* readCsv(path: string): AsyncGenerator<TableRow> {
  const delimiter = detectDelimiter(await readHeader(path));
  const options = {
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  };
  const records = Readable.from(decode(path)).on('error', (error) => parser.destroy(error));
  const parser = records.pipe(parse(options));
  let headers: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      if (headers) {
        const cells = new Map(headers.map((header, index) => [header, record[index] ?? '']));
        const problem = `has ${record.length} cells instead of ${headers.length}. Check its quotes.`;
        yield { line, cells, json: null, ...(record.length !== headers.length && { problem }) };
      } else headers = record.map((header) => header.trim());
      line = info.lines + 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new StartError(`${path} isn’t valid CSV from line ${line} on: ${error.message} Check its quotes.`, { cause: error });
  }
}

/** Splits a file at line feeds. Not with Node's readline, which also splits at U+2028. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of decode(path)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW_CHARACTERS) throw new StartError(`${path} has a line of more than ${MAX_ROW_CHARACTERS} characters.`);
    yield* lines;
  }
  yield rest;
}

async function* readJsonLines(path: string): AsyncGenerator<TableRow> {
  let line = 0;
  for await (const text of readLines(path)) {
    line += 1;
    if (text.trim() === '') continue;
    const json = parseJson(text.replace(/^\uFEFF/, ''));
    if (isJsonObject(json)) yield { line, cells: null, json };
    else yield { line, cells: null, json: null, problem: 'isn’t a JSON object.' };
  }
}

/** Whether a file has JSON lines. Others are CSV. */
export const isJsonLines = (path: string): boolean => /\.(?:jsonl|ndjson)$/i.test(path);

/** Reads the columns of a CSV file. Null for JSON lines, which have none. Throws StartError if a name is missing or repeated. */
export async function readColumns(path: string): Promise<readonly string[] | null> {
  if (isJsonLines(path)) return null;
  const header = await readHeader(path);
  const delimiter = detectDelimiter(header);
  const [names = []] = await Readable.from([header]).pipe(parse({ delimiter })).toArray();
  const headers = (names as readonly string[]).map((name) => name.trim());
  const wrong = headers.find((name, index) => name === '' || headers.indexOf(name) !== index);
  if (headers.length > 0 && wrong === undefined) return headers;
  throw new StartError(`The first line of ${path} must name each column once${wrong ? `, but repeats ${wrong}` : ''}.`);
}

/** Reads the rows of a file. Throws StartError if it can't be decoded. */
export const readTable = (path: string): AsyncGenerator<TableRow> => (isJsonLines(path) ? readJsonLines(path) : readCsv(path));
