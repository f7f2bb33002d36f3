import { describe, expect, it } from 'vitest';
import { createFile } from '../../graph/import/support.ts';
import { fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
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

/** Locales with all decimal separators, groups, digits, minus signs, places of currencies, and orders of dates. */
const LOCALES = [
  'ar-EG',
  'cs',
  'da',
  'de',
  'de-AT',
  'de-CH',
  'en-GB',
  'en-IN',
  'en-US',
  'es',
  'fi',
  'fr',
  'hi',
  'hr',
  'hu',
  'it',
  'ja',
  'ko',
  'lt',
  'mr',
  'nb',
  'nl',
  'pl',
  'pt-BR',
  'sv',
  'tr',
  'zh',
];

/** What is the same in all cells of a column. */
interface Style {
  readonly locale: string;
  readonly isGrouped: boolean;
  readonly isShort: boolean;
  readonly display: 'code' | 'symbol' | 'narrowSymbol';
  readonly currency: readonly [code: string, digits: number];
  readonly timeZone: string;
}

function formatNumber(decimal: string, { locale, isGrouped }: Style, options: Intl.NumberFormatOptions = {}): string {
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: isGrouped ? 'always' : false,
    ...options,
  });
  return format.format(decimal as never);
}

const sampleNumbers = (style: Style, seed: number, digits: number, limit: bigint): readonly Sample[] =>
  draw(integers, seed).map((value) => {
    const decimal = toDecimal(value % limit, digits);
    return { cell: formatNumber(decimal, style), value: decimal };
  });

const sampleMoney = (style: Style, seed: number, limit: bigint, isPositive = false): readonly Sample[] =>
  draw(integers, seed).map((value) => {
    const [currency, digits] = style.currency;
    const minorUnits = isPositive && value < 0n ? -(value % limit) : value % limit;
    const options = { style: 'currency', currency, currencyDisplay: style.display } as const;
    return {
      cell: formatNumber(toDecimal(minorUnits, digits), style, options),
      value: { minorUnits: String(minorUnits), currencyCode: currency },
    };
  });

const sampleDates = (style: Style, seed: number): readonly Sample[] =>
  draw(days, seed).map((day) => {
    const date = new Date(day * 86_400_000);
    const year = style.isShort ? '2-digit' : 'numeric';
    const format = new Intl.DateTimeFormat(style.locale, { year, month: 'numeric', day: 'numeric', timeZone: 'UTC' });
    return { cell: format.format(date), value: date.toISOString().slice(0, 10) };
  });

function sampleTimestamps({ locale, timeZone }: Style, seed: number): readonly Sample[] {
  const dates = new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit', timeZone });
  // Other languages write AM and PM as words.
  const hourCycle = locale.startsWith('en') ? undefined : 'h23';
  const times = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone, hourCycle });
  const format = (ms: number) => `${dates.format(ms)}${seed % 2 === 0 ? ' ' : ', '}${times.format(ms)}`;
  const isRepeated = (ms: number) => [-1, 1].some((hours) => format(ms + hours * 3_600_000) === format(ms));
  return draw(fc.integer({ min: Date.UTC(2000, 0, 1) / 1_000, max: Date.UTC(2037, 0, 1) / 1_000 }), seed, ROWS * 2)
    .map((seconds) => seconds * 1_000)
    .filter((ms) => !isRepeated(ms))
    .slice(0, ROWS)
    .map((ms) => ({ cell: format(ms), value: new Date(ms).toISOString().replace('.000', '') }));
}

const sampleTexts = (seed: number): readonly Sample[] => draw(texts, seed).map((text) => ({ cell: text, value: text }));

const BOOLEANS = [
  ['true', true],
  ['YES', true],
  ['1', true],
  ['False', false],
  ['no', false],
  ['0', false],
] as const;
const sampleBooleans = (seed: number): readonly Sample[] =>
  draw(fc.constantFrom(...BOOLEANS), seed).map(([cell, value]) => ({ cell, value }));

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Writes a table as CSV, in the way of spreadsheets. */
function writeCsv(columns: readonly Column[], delimiter: string): string {
  const rows = Array.from({ length: ROWS }, (_, row) => columns.map(({ samples }) => quote(samples[row]?.cell ?? '')).join(delimiter));
  return `\ufeff${[columns.map(({ header }) => quote(header)).join(delimiter), ...rows].join('\r\n')}\r\n`;
}

const MONEY = 'money { minorUnits currencyCode }';

/** Locales whose files are also imported without naming them. Amounts and numbers have decimal places then, because those without are ambiguous. */
const INFERRED = ['de', 'de-CH', 'en-US', 'fr', 'nl', 'sv'];
const CASES = [...LOCALES.map((locale) => [locale, true] as const), ...INFERRED.map((locale) => [locale, false] as const)];

const testGraph = useTestGraph();

describe.each(CASES)('import of a file in the notation of %s, with --locale: %s', (locale, isNamed) => {
  const index = LOCALES.indexOf(locale);
  const style: Style = {
    locale,
    isGrouped: index % 3 !== 0,
    isShort: index % 2 === 0,
    display: (['code', 'symbol', 'narrowSymbol'] as const)[index % 3] ?? 'code',
    currency: (isNamed ? CURRENCIES[index % CURRENCIES.length] : undefined) ?? ['EUR', 2],
    timeZone: TIME_ZONES[(index + 1) % TIME_ZONES.length] ?? 'UTC',
  };
  const args = [...(isNamed ? ['--locale', locale] : []), '--time-zone', style.timeZone, '--currency', style.currency[0]];

  const compare = (mutation: string, record: string, selection: string, columns: readonly Column[]) =>
    importAndCompare(testGraph, createFile(writeCsv(columns, index % 2 === 0 ? ';' : ',')), ['--mutation', mutation, ...args], {
      record,
      selection,
      columns,
    });

  it('stores what the cells of customers say', async () => {
    const { data } = await testGraph.execute('{ customFieldDefinitions { name kind currencyCode } }');
    const definitions = data.customFieldDefinitions as { name: string; kind: string; currencyCode: string | null }[];
    const find = (kind: string) => definitions.find((each) => each.kind === kind) ?? { name: kind, currencyCode: null };
    const [number, flag, date, money] = ['NUMBER', 'BOOLEAN', 'DATE', 'MONEY'].map((kind) => find(kind)) as ReturnType<typeof find>[];
    const inCurrency: Style = { ...style, currency: [money?.currencyCode ?? 'EUR', 2] };
    const columns: Column[] = [
      { header: 'title', read: ({ title }: { title: string }) => title, samples: sampleTexts(1) },
      {
        header: 'expectedCloseAt',
        read: ({ expectedCloseAt }: { expectedCloseAt: string }) => expectedCloseAt,
        samples: sampleTimestamps(style, 2),
      },
      {
        header: `customFields.${number?.name}`,
        read: (record: { number: { number: string } }) => toNumber(record.number.number),
        samples: sampleNumbers(style, 3, 3, 10n ** 11n).map(({ cell, value }) => ({ cell, value: toNumber(value as string) })),
      },
      {
        header: `customFields.${flag?.name}`,
        read: (record: { flag: { boolean: boolean } }) => record.flag.boolean,
        samples: sampleBooleans(4),
      },
      {
        header: `customFields.${date?.name}`,
        read: (record: { date: { date: string } }) => record.date.date,
        samples: sampleDates(style, 5),
      },
      {
        header: `customFields.${money?.name}`,
        read: (record: { money: { money: object } }) => record.money.money,
        samples: sampleMoney(inCurrency, 6, 10n ** 9n),
      },
    ];
    const selection = `title expectedCloseAt number: customField(name: "${number?.name}") { number } flag: customField(name: "${flag?.name}") { boolean } date: customField(name: "${date?.name}") { date } money: customField(name: "${money?.name}") { ${MONEY} }`;
    expect(await compare('customerCreate', 'customer', selection, columns)).toBe(6 * ROWS);
  });

  it('stores what the cells of products say', async () => {
    const limit = 10n ** 8n;
    const articles = Array.from({ length: ROWS }, (_, row) => ({
      cell: `N-${locale}-${isNamed}-${row}`,
      value: `N-${locale}-${isNamed}-${row}`,
    }));
    const quantities = sampleNumbers({ ...style, isGrouped: style.isGrouped && isNamed }, 7, 0, 10n ** 6n).map(({ cell, value }) =>
      String(value).startsWith('-') ? { cell: '0', value: 0 } : { cell, value: Number(value) },
    );
    const columns: Column[] = [
      { header: 'name', read: ({ name }: { name: string }) => name, samples: sampleTexts(8) },
      { header: 'sku', read: ({ sku }: { sku: string }) => sku, samples: articles },
      {
        header: 'currencyCode',
        read: ({ currencyCode }: { currencyCode: string }) => currencyCode,
        samples: articles.map(() => ({ cell: style.currency[0], value: style.currency[0] })),
      },
      { header: 'priceOnce', read: ({ priceOnce }: { priceOnce: object }) => priceOnce, samples: sampleMoney(style, 9, limit, true) },
      { header: 'isActive', read: ({ isActive }: { isActive: boolean }) => isActive, samples: sampleBooleans(10) },
      { header: 'minQuantity', read: ({ minQuantity }: { minQuantity: number }) => minQuantity, samples: quantities },
    ];
    const selection = 'name sku currencyCode priceOnce { minorUnits currencyCode } isActive minQuantity';
    expect(await compare('productCreate', 'product', selection, columns)).toBe(6 * ROWS);
  });
});
