import { describe, expect, it } from 'vitest';
import { createFile } from '../../graph/import/support.ts';
import { fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createWorkbook, number, row, text } from '../../support/workbook.ts';
import {
  type Column,
  CURRENCIES,
  days,
  draw,
  importAndCompare,
  integers,
  ROWS,
  type Sample,
  TIME_ZONES,
  texts,
  toDecimal,
  toNumber,
} from './oracle.ts';

const DAY_MS = 86_400_000;
/** Days from the start of the date systems of workbooks to 1970. Source: https://support.microsoft.com/office/e7fe7167-48a9-4b96-bb53-5612a800b487. */
const EPOCHS = { 1900: 25_569, 1904: 25_569 - 1_462 };

/** Cells of a workbook: a sample's `cell` is the XML of a cell whose reference is `REF`. */
const REF = 'REF';

/** Characters that XML can't contain. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const escapeXml = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');
const toTextSample = (value: string): Sample => ({ cell: text(REF, escapeXml(value)), value });

const sampleTexts = (seed: number): readonly Sample[] => draw(texts, seed).map((value) => toTextSample(value.replaceAll(NOT_XML, '')));

const sampleBooleans = (seed: number): readonly Sample[] =>
  draw(fc.boolean(), seed).map((value) => ({ cell: `<c r="${REF}" t="b"><v>${Number(value)}</v></c>`, value }));

/** Numbers of at most 15 digits, which is what workbooks store. */
const sampleDecimals = (seed: number, digits: number, limit: bigint, isPositive = false): readonly (readonly [bigint, string])[] =>
  draw(integers, seed).map((drawn) => {
    const unscaled = isPositive && drawn < 0n ? -(drawn % limit) : drawn % limit;
    return [unscaled, toDecimal(unscaled, digits)];
  });

const sampleMoney = (seed: number, [currencyCode, digits]: readonly [string, number], isPositive = false): readonly Sample[] =>
  sampleDecimals(seed, digits, 10n ** 8n, isPositive).map(([minorUnits, decimal]) => ({
    cell: number(REF, Number(decimal)),
    value: { minorUnits: String(minorUnits), currencyCode },
  }));

const sampleDates = (seed: number, epoch: number): readonly Sample[] =>
  draw(days, seed).map((day) => ({ cell: number(REF, day + epoch, true), value: new Date(day * DAY_MS).toISOString().slice(0, 10) }));

/** Times of a time zone, except those that exist twice. */
function sampleTimestamps(seed: number, epoch: number, timeZone: string): readonly Sample[] {
  const format = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const toLocal = (ms: number) => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`);
  const isRepeated = (ms: number) => [-1, 1].some((hours) => toLocal(ms + hours * 3_600_000) === toLocal(ms));
  return draw(fc.integer({ min: Date.UTC(2000, 0, 1) / 1_000, max: Date.UTC(2037, 0, 1) / 1_000 }), seed, ROWS * 2)
    .map((seconds) => seconds * 1_000)
    .filter((ms) => !isRepeated(ms))
    .slice(0, ROWS)
    .map((ms) => ({ cell: number(REF, toLocal(ms) / DAY_MS + epoch, true), value: new Date(ms).toISOString().replace('.000', '') }));
}

/** Writes a table as a workbook. */
function writeWorkbook(columns: readonly Column[], properties: string): Buffer {
  const letter = (column: number) => String.fromCodePoint('A'.charCodeAt(0) + column);
  const header = row(1, ...columns.map((column, index) => text(`${letter(index)}1`, escapeXml(column.header))));
  const rows = Array.from({ length: ROWS }, (_, line) =>
    row(line + 2, ...columns.map(({ samples }, index) => (samples[line]?.cell ?? '').replace(REF, `${letter(index)}${line + 2}`))),
  );
  return createWorkbook({ Sheet1: header + rows.join('') }, properties);
}

const testGraph = useTestGraph();

describe.each(TIME_ZONES.map((timeZone, index) => [timeZone, index] as const))(
  'import of a workbook in the time zone %s',
  (timeZone, index) => {
    const is1904 = index % 2 === 1;
    const epoch = EPOCHS[is1904 ? 1904 : 1900];
    const currency = CURRENCIES[index] ?? (['EUR', 2] as const);
    const args = ['--time-zone', timeZone, '--currency', currency[0]];
    const compare = (mutation: string, record: string, selection: string, columns: readonly Column[]) => {
      const file = createFile(writeWorkbook(columns, is1904 ? 'date1904="1"' : ''), 'rows.xlsx');
      return importAndCompare(testGraph, file, ['--mutation', mutation, ...args], { record, selection, columns });
    };

    it('stores what the cells of customers contain', async () => {
      const { data } = await testGraph.execute('{ customFieldDefinitions { name kind } }');
      const definitions = data.customFieldDefinitions as { name: string; kind: string }[];
      const [numeric, flag, date] = ['NUMBER', 'BOOLEAN', 'DATE'].map((kind) => definitions.find((each) => each.kind === kind)?.name);
      const columns: Column[] = [
        { header: 'title', read: ({ title }: { title: string }) => title, samples: sampleTexts(1) },
        {
          header: 'expectedCloseAt',
          read: ({ expectedCloseAt }: { expectedCloseAt: string }) => expectedCloseAt,
          samples: sampleTimestamps(2, epoch, timeZone),
        },
        {
          header: `customFields.${numeric}`,
          read: (record: { number: { number: string } }) => toNumber(record.number.number),
          samples: sampleDecimals(3, 3, 10n ** 11n).map(([, decimal]) => ({
            cell: number(REF, Number(decimal)),
            value: toNumber(decimal),
          })),
        },
        {
          header: `customFields.${flag}`,
          read: (record: { flag: { boolean: boolean } }) => record.flag.boolean,
          samples: sampleBooleans(4),
        },
        {
          header: `customFields.${date}`,
          read: (record: { date: { date: string } }) => record.date.date,
          samples: sampleDates(5, epoch),
        },
      ];
      const selection = `title expectedCloseAt number: customField(name: "${numeric}") { number } flag: customField(name: "${flag}") { boolean } date: customField(name: "${date}") { date }`;
      expect(await compare('customerCreate', 'customer', selection, columns)).toBe(5 * ROWS);
    });

    it('stores what the cells of products contain', async () => {
      const articles = Array.from({ length: ROWS }, (_, line) => toTextSample(`W-${index}-${line}`));
      const columns: Column[] = [
        { header: 'name', read: ({ name }: { name: string }) => name, samples: sampleTexts(6) },
        { header: 'sku', read: ({ sku }: { sku: string }) => sku, samples: articles },
        {
          header: 'currencyCode',
          read: ({ currencyCode }: { currencyCode: string }) => currencyCode,
          samples: articles.map(() => toTextSample(currency[0])),
        },
        { header: 'priceOnce', read: ({ priceOnce }: { priceOnce: object }) => priceOnce, samples: sampleMoney(7, currency, true) },
        { header: 'isActive', read: ({ isActive }: { isActive: boolean }) => isActive, samples: sampleBooleans(8) },
      ];
      const selection = 'name sku currencyCode priceOnce { minorUnits currencyCode } isActive';
      expect(await compare('productCreate', 'product', selection, columns)).toBe(5 * ROWS);
    });
  },
);
