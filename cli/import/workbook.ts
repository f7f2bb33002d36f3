import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import { StartError } from '../../src/lib/startup.ts';

/** Maximum size of an unzipped workbook. Chosen: about 170,000 rows of six columns, which take 700 MB of memory to read. */
const MAX_BYTES = 64 * 1024 ** 2;

/** Maximum number of rows times columns, because the reader allocates all cells up to the last one. Chosen. */
const MAX_CELLS = 10_000_000;

/** Digits that spreadsheets store of a number. */
const MAX_DIGITS = 15;

/** Spreadsheets store times without a date as the first day. The first days of 1900 are wrong in Excel, and 1904 is the first year in others. */
const FIRST_DATE = '1904-01-02';

/** The text of formulas whose result isn't stored. */
const NOT_STORED = '#NOT_STORED';

/** Errors of formulas. Newer versions of spreadsheets add others of this form. */
const ERROR = /^#(?:[A-Z\d/_]+[!?]|N\/A|GETTING_DATA|NOT_STORED)$/;

/** A row of a sheet, with its cells in the standard notation. */
export interface SheetRow {
  readonly cells: readonly string[];
  /** Positions of the cells that aren't texts in the sheet. */
  readonly typed: ReadonlySet<number>;
  /** Why cells can't be read, as sentences by position. These cells are empty. */
  readonly failures: ReadonlyMap<number, string>;
}

/** Thrown for a cell that lost what it had. The message completes "has ". */
class WrongCellError extends Error {}

const toColumnName = (index: number): string =>
  (index < 26 ? '' : toColumnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

const toColumnNumber = (name: string): number => [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Unzips a workbook. Its sizes are checked first, and fflate allocates no more than those. */
function unzip(name: string, bytes: Uint8Array): Record<string, Uint8Array> {
  let size = 0;
  try {
    return unzipSync(bytes, {
      filter: (entry) => {
        if (!/\.(?:xml|rels)$/.test(entry.name)) return false;
        size += entry.originalSize;
        if (size > MAX_BYTES) throw new StartError(`${name} has more than ${MAX_BYTES} bytes when it’s unzipped. Save it as CSV.`);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${name} isn’t an Excel workbook (.xlsx), or is damaged or encrypted. Save it again.`, { cause: error });
  }
}

// These patterns end at the next tag, or after as many characters as no spreadsheet writes, so that searching a hostile file takes linear time.
const CELL = /<(?:\w+:)?c\s[^<>]{0,300}?r="([A-Z]{1,3})(\d{1,7})"/g;
const ERROR_OR_DATE = /(<(?:\w+:)?c\s[^<>]{0,300}?\bt=)"[ed]"/g;
const EMPTY_FORMULA =
  /<((?:\w+:)?)c(\s[^<>]{0,300}?)(?:\st="\w+")?((?:\s[^<>]{0,300})?)>\s*<\1f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/\1f>)\s*<\/\1c>/g;
const UNESCAPED = /<!\[CDATA\[((?:(?!<!\[CDATA\[)[\s\S])*?)\]\]>/g;

/** What a sheet contains, whatever the name of its file is. */
const SHEET = /<(?:\w+:)?sheetData\b/;

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Replaces what read-excel-file drops or changes without an error: errors and formulas without a result, by texts, and sections of unescaped text. Dates in ISO 8601
 * remain texts, because it reads them in the time zone of the machine. Throws StartError for a sheet that is too large.
 */
function prepareXml(name: string, bytes: Uint8Array): Uint8Array {
  const xml = strFromU8(bytes).replaceAll(UNESCAPED, (_, text: string) => escapeXml(text));
  if (!SHEET.test(xml)) return strToU8(xml);
  let [rows, columns] = [0, 0];
  for (const [, column = '', row] of xml.matchAll(CELL)) {
    rows = Math.max(rows, Number(row));
    columns = Math.max(columns, toColumnNumber(column));
  }
  if (rows * columns > MAX_CELLS)
    throw new StartError(`${name} has a cell in column ${columns} or row ${rows}, which is too far. Delete it.`);
  return strToU8(
    xml
      .replaceAll(ERROR_OR_DATE, '$1"str"')
      .replaceAll(
        EMPTY_FORMULA,
        (_, prefix, before, after) => `<${prefix}c${before}${after} t="str"><${prefix}v>${NOT_STORED}</${prefix}v></${prefix}c>`,
      ),
  );
}

const numberFormat = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: MAX_DIGITS });

function formatNumber(value: number): string {
  if (Math.abs(value) >= 10 ** MAX_DIGITS)
    throw new WrongCellError(`a number of more than ${MAX_DIGITS} digits, and spreadsheets replace the others by zeros. Enter it as text.`);
  return numberFormat.format(value === 0 ? 0 : value);
}

/** A date, with its time unless that is midnight. Spreadsheets store times as fractions, so a second can be off by some milliseconds. */
function formatDate(value: Date): string {
  const seconds = Math.round(value.getTime() / 1_000) * 1_000;
  const isExact = Math.abs(seconds - value.getTime()) <= 2;
  const text = new Date(isExact ? seconds : value).toISOString();
  if (text < FIRST_DATE) throw new WrongCellError('a time without a date, or a date before 1904. Enter it as text.');
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, isExact ? 19 : 23);
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value === NOT_STORED)
    throw new WrongCellError('a formula whose result isn’t stored. Open the workbook in a spreadsheet, and save it.');
  if (typeof value === 'string' && ERROR.test(value)) throw new WrongCellError(`the error ${value}. Correct it.`);
  if (typeof value === 'number') return formatNumber(value);
  return value instanceof Date ? formatDate(value) : String(value);
}

function createRow(values: readonly unknown[], row: number): SheetRow {
  const failures = new Map<number, string>();
  const cells = values.map((value, index) => {
    try {
      return formatCell(value);
    } catch (error) {
      if (!(error instanceof WrongCellError)) throw error;
      failures.set(index, `The cell ${toColumnName(index)}${row} has ${error.message}`);
      return '';
    }
  });
  const typed = new Set(values.flatMap((value, index) => (typeof value === 'string' || value === null ? [] : [index])));
  return { cells, typed, failures };
}

/**
 * Reads the rows of a sheet from the first one. Formulas have the result that the workbook stores, and only the first of merged cells has their value. Hidden rows
 * are read. `sheet` can be undefined if only one has values. Throws StartError for other files, and if the sheet must be chosen.
 */
export async function readWorkbook(name: string, bytes: Uint8Array, sheet: string | undefined): Promise<readonly SheetRow[]> {
  const entries = Object.entries(unzip(name, bytes)).map(([path, content]) => [path, prepareXml(name, content)] as const);
  const zipped = zipSync(Object.fromEntries(entries), { level: 0 });
  const sheets = await readXlsxFile(zipped.buffer as ArrayBuffer, { trim: false }).catch((cause: unknown) => {
    throw new StartError(`${name} can’t be read as an Excel workbook. Save it again in a spreadsheet, or as CSV.`, { cause });
  });
  // A sheet with only a chart has no data.
  const filled = sheets.filter(({ data }) => data && data.length > 0);
  const found = sheet === undefined ? filled : sheets.filter((each) => each.sheet === sheet);
  const names = filled.map((each) => each.sheet).join(', ');
  if (sheet !== undefined && found.length === 0) throw new StartError(`${name} has no sheet ${sheet}. Its sheets are ${names}.`);
  if (found.length > 1) throw new StartError(`${name} has several sheets: ${names}. Choose one with --sheet.`);
  return (found[0]?.data ?? []).map((values, index) => createRow(values, index + 1));
}
