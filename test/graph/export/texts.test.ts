import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { START } from '../../sandbox/sandbox.ts';
import { parseCsv } from '../../support/csv.ts';
import { addOrders, createOut, readManifest, runExport } from '../../support/exports.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const INVISIBLE = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u200f',
  '\u2028',
  '\u2800',
  '\u3000',
  '\u3164',
  '\ufeff',
];
const FORMULAS = ['=1+1', '+1+1', '-1+1', '@SUM(1)', '＝1+1', '＋1+1', '－1+1', '＠SUM(1)'];

/** Texts that spreadsheets would execute: also after invisible characters, and in a cell that starts after another delimiter or a line break. */
const UNSAFE = FORMULAS.flatMap((formula) => [
  formula,
  ...INVISIBLE.map((character) => `${character}${formula}`),
  `\u200b \t${formula}`,
  `a;${formula}`,
  `a; "${formula}`,
  `a\n${formula}`,
  `a\t\u00a0${formula}`,
]);

const SAFE = ['-5', '-12.50', 'a=b', 'a - b', "'=1", 'a, =b', '5;6', 'a;b=c', 'x'.repeat(300_000)];

const range = (start: number, end: number) => Array.from({ length: end - start + 1 }, (_, index) => String.fromCharCode(start + index));

const ODD = [
  ...[...range(0x00, 0x20), ...range(0x7f, 0xa0), '\u2028', '\u2029', '\ufeff', '\u202e', '\u2066'].flatMap((each) => [each, `a${each}b`]),
  ...[
    '\r\n',
    '"',
    '""',
    '"a"',
    ',',
    ';',
    'a,b',
    '\\',
    '\\n',
    '\\u2028',
    "'",
    '{"a":1}',
    'null',
    'NaN',
    '1e400',
    '🎉',
    'e\u0301',
    '\u05d0\u05d1',
    '\u202eabc\u202c',
    '\ufffe',
  ],
  ...['\ud800', 'a\udc00b', '\udc00\ud800', '\ud83d'],
];

const TEXTS = [...ODD, ...UNSAFE, ...SAFE];

beforeAll(() => addOrders(testGraph.sandbox.world, TEXTS.length, `${START - 1_000_000} + n * 100`));

/** Replaces the reference number of each added order by its text. SQLite can't store all of them. */
const transport = interceptCalls(async (request, usual) => {
  const response = await usual(request);
  return { ...response, body: response.body.replace(/"text":"B-(\d+)"/g, (_, n) => `"text":${JSON.stringify(TEXTS[Number(n) - 1])}`) };
});

const COLUMNS = ['orders', '--raw-ids', '--columns', 'id,referenceNumber'];

async function exportTexts(...args: readonly string[]): Promise<string> {
  const out = createOut();
  expect(await runExport(testGraph.sandbox.url, [...COLUMNS, ...args, '--out', out], { transport })).toMatchObject({ code: 0 });
  return out;
}

/** The texts of the added orders, by the number in their IDs. */
function sortTexts(rows: readonly (readonly [id: unknown, text: unknown])[]): unknown[] {
  const added = rows.filter(([id]) => String(id).includes('-0000-4000-8000-'));
  const getNumber = ([id]: readonly [unknown, unknown]) => Number.parseInt(String(id).slice(-12), 16);
  return added.toSorted((one, other) => getNumber(one) - getNumber(other)).map(([, text]) => text);
}

const parseJsonLines = (lines: readonly string[]) =>
  sortTexts(lines.map((line) => JSON.parse(line)).map(({ id, referenceNumber }) => [id, referenceNumber]));

/** What Python's splitlines treats as line breaks: https://docs.python.org/3/library/stdtypes.html#str.splitlines */
const PYTHON_BREAKS = new RegExp(`\r\n|[${['\n', '\r', '\v', '\f', ...range(0x1c, 0x1e), '\u0085', '\u2028', '\u2029'].join('')}]`);

async function readLines(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface(createReadStream(path))) lines.push(line);
  return lines;
}

/** UTF-8 can't represent lone surrogates. */
const UNICODE_TEXTS = TEXTS.map((text) => text.toWellFormed());

describe('export of odd texts', () => {
  it('writes JSON lines that every program splits at the same places', async () => {
    const out = await exportTexts();
    const { written } = readManifest(out).rows;
    const text = readFileSync(out, 'utf8');
    const readers = {
      readline: await readLines(out),
      splitlines: text.slice(0, -1).split(PYTHON_BREAKS),
      split: text.slice(0, -1).split('\n'),
    };
    for (const lines of Object.values(readers)) {
      expect(lines.length).toBe(written);
      expect(parseJsonLines(lines)).toEqual(TEXTS);
    }
  });

  it('writes CSV with the same texts', async () => {
    const rows = parseCsv(await exportTexts('--format', 'csv')).slice(1);
    expect(sortTexts(rows.map(([id, text]) => [id, text]))).toEqual(UNICODE_TEXTS);
  });

  it('writes Parquet with the same texts', async () => {
    const file = await asyncBufferFromFile(await exportTexts('--format', 'parquet'));
    // By default, the reader removes byte order marks.
    const parsers = { stringFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString() };
    const rows = await parquetReadObjects({ file, parsers });
    expect(sortTexts(rows.map(({ id, referenceNumber }) => [id, referenceNumber]))).toEqual(UNICODE_TEXTS);
  });
});

describe('export --excel-safe', () => {
  /** Characters that a spreadsheet could skip before a formula. */
  const SKIPPED = new RegExp(`^(?:${INVISIBLE.join('|')}|")*`, 'u');
  const startsFormula = (cell: string) => FORMULAS.some((formula) => cell.replace(SKIPPED, '').startsWith(formula.charAt(0)));

  it('prefixes formulas at the start of a cell, whatever the delimiter of the spreadsheet is', async () => {
    const rows = parseCsv(await exportTexts('--format', 'csv', '--excel-safe')).slice(1);
    const texts = sortTexts(rows.map(([id, text]) => [id, text])) as string[];
    const [unsafe, safe] = [texts.slice(ODD.length, -SAFE.length), texts.slice(-SAFE.length)];
    expect(unsafe.filter((text) => [text, ...text.split(/[;\t\r\n]/)].some(startsFormula))).toEqual([]);
    expect(unsafe.map((text) => text.replaceAll("'", ''))).toEqual(UNSAFE);
    expect(safe).toEqual(SAFE);
  });
});
