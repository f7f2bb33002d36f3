import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { createFile, type ImportFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

const run = (file: ImportFile, ...args: readonly string[]) => runImport(testGraph.sandbox.url, file, args);

/** Creates a table with a title, so that a column can have any cells. */
const createTable = (column: string, cells: readonly string[], title = 'title') =>
  createFile(`${title}\t${column}\n${cells.map((cell, row) => `N ${row}\t${cell}\n`).join('')}`);

/** Imports customers whose `expectedCloseAt` has these cells. Returns the stored values, or the printed problems. */
async function importTimestamps(cells: readonly string[], ...args: readonly string[]) {
  const file = createTable('expectedCloseAt', cells);
  const { code, err } = await run(file, '--mutation', 'customerCreate', ...args);
  if (code !== 0) return err;
  const ids = readResults(file).map(({ ids }) => ids.customer as string);
  const fields = ids.map((id, row) => `r${row}: customer(id: "${id}") { expectedCloseAt }`);
  const { data } = await testGraph.execute(`{ ${fields.join(' ')} }`);
  return Object.values(data as Record<string, { expectedCloseAt: string }>).map(({ expectedCloseAt }) => expectedCloseAt);
}

/** The same for `priceOnce` of products, whose currency is the one of the amount. */
async function importPrices(cells: readonly string[], ...args: readonly string[]) {
  const file = createTable('priceOnce', cells, 'name');
  const { code, err } = await run(file, '--mutation', 'productCreate', ...args);
  if (code !== 0) return err;
  const ids = readResults(file).map(({ ids }) => ids.product as string);
  const fields = ids.map((id, row) => `r${row}: product(id: "${id}") { priceOnce { amount currencyCode } }`);
  const { data } = await testGraph.execute(`{ ${fields.join(' ')} }`);
  return Object.values(data as Record<string, { priceOnce: { amount: string; currencyCode: string } }>).map(
    ({ priceOnce }) => `${priceOnce.amount} ${priceOnce.currencyCode}`,
  );
}

const AMSTERDAM = ['--time-zone', 'Europe/Amsterdam'];

describe('timestamp of an import', () => {
  it('can have a time and an offset in several forms', async () => {
    const values = new Map([
      ['2026-07-01 12:00:00+00', '2026-07-01T12:00:00Z'],
      ['2026-07-01 12:00:00-05', '2026-07-01T17:00:00Z'],
      ['2026-07-01T12:00+0530', '2026-07-01T06:30:00Z'],
      ['2026-07-01 12:00:00.000 UTC', '2026-07-01T12:00:00Z'],
      ['2026-07-01 2:00 PM', '2026-07-01T12:00:00Z'],
      ['2026-07-01 12:30 a.m.', '2026-06-30T22:30:00Z'],
      ['2026-07-01 9:00', '2026-07-01T07:00:00Z'],
      ['2026-07-01', '2026-06-30T22:00:00Z'],
    ]);
    expect(await importTimestamps([...values.keys()], ...AMSTERDAM)).toEqual([...values.values()]);
  });

  it('can have a date in the order and with the years of its column', async () => {
    expect(await importTimestamps(['31.10.2026, 14:00', '31. 10. 2026 14.00'], ...AMSTERDAM)).toEqual([
      '2026-10-31T13:00:00Z',
      '2026-10-31T13:00:00Z',
    ]);
    expect(await importTimestamps(['31/10/29\u00a014:00', '31/10/30 14:00'], ...AMSTERDAM, '--locale', 'nl')).toEqual([
      '2029-10-31T13:00:00Z',
      '1930-10-31T14:00:00Z',
    ]);
  });

  it('causes a problem if a part of it would be lost', async () => {
    const problems = new Map([
      ['2026-07-01 12:00:00+01:00:00', 'has a time or an offset that isn’t known'],
      ['2026-07-01T12:00-04:00[America/New_York]', 'has a time zone in brackets'],
      ['2026-07-01T12:00:00.5Z', 'has a fraction of a second, which isn’t stored'],
      ['2026-03-29 02:30', 'doesn’t exist in Europe/Amsterdam'],
      ['2026-10-25 02:30', 'exists twice in Europe/Amsterdam, because the clock is set back. Add an offset: +02:00 or +01:00.'],
      ['31.10.202 14:00', 'isn’t a timestamp'],
    ]);
    const others = ['2026-07-01 12:00:60', '2026-07-01 24:00', '2026-07-01 13:00 PM', '2026-02-30 14:00'];
    const err = await importTimestamps([...problems.keys(), ...others], ...AMSTERDAM);
    for (const [index, [cell, problem]] of [...problems].entries())
      expect(err).toContain(`:${index + 2}, column expectedCloseAt: The value ${JSON.stringify(cell)} ${problem}`);
    expect(err).toContain('10 rows are invalid');
  });

  it('needs a locale if the whole column can be read in two ways', async () => {
    const cells = ['01/02/2026 14:00', '03/02/2026 14:00'];
    expect(await importTimestamps(cells, ...AMSTERDAM)).toBe(
      'The column expectedCloseAt has "01/02/2026" on line 2, which can mean 2026-02-01 or 2026-01-02, and none of its cells shows which. Specify --locale, such as en-US or de.',
    );
    expect(await importTimestamps(cells, ...AMSTERDAM, '--locale', 'nl')).toEqual(['2026-02-01T13:00:00Z', '2026-02-03T13:00:00Z']);
    expect(await importTimestamps([...cells, '31/01/2026 14:00'], ...AMSTERDAM)).toHaveLength(3);
  });
});

/** Lines of the file that have a problem, by a part of its message. */
function listLines(err: string | readonly string[], problem: string): readonly number[] {
  const texts = String(err)
    .split('\n')
    .filter((text) => text.includes(problem));
  return texts
    .flatMap((text) =>
      [/:(\d+), column/, /\(also (?:\d+ times )?on lines? ([\d, ]+)\)/].flatMap((part) => part.exec(text)?.[1]?.split(', ') ?? []),
    )
    .map(Number);
}

describe('amount of an import', () => {
  it.each([
    ['€ 8.970,28', '8970.28 EUR'],
    ['12,50 €', '12.50 EUR'],
    ['EUR 1 234,50', '1234.50 EUR'],
    ['1\u202f234,50\u00a0EUR', '1234.50 EUR'],
    ['1’234.50 CHF', '1234.50 CHF'],
    ['1,234.50 USD', '1234.50 USD'],
    ['1234 JPY', '1234 JPY'],
    ['12.5000 EUR', '12.50 EUR'],
    ['$12.50', '12.50 USD', '--currency', 'USD'],
    ['12.50', '12.50 CAD', '--currency', 'CAD'],
    ['1.250 EUR', '1250.00 EUR', '--locale', 'de'],
    ['12,34,567.50 INR', '1234567.50 INR', '--locale', 'en-IN'],
  ])('can be %s', async (cell, value, ...args) => {
    expect(await importPrices([cell], ...args)).toEqual([value]);
  });

  const PROBLEMS = [
    ['USD 12.50 EUR', 'names two currencies, USD and EUR'],
    ['EUR 5 USD', 'names two currencies, EUR and USD'],
    ['12.50', 'has no currency'],
    ['12.50 ABC', 'has the currency ABC, which isn’t an ISO 4217 code'],
    ['$12.50', 'has the symbol $, which isn’t that of --currency'],
    ['12.505 EUR x', 'isn’t an amount such as 12.50 EUR'],
    ['12.5055 EUR', 'has more than 2 decimal places, which EUR has'],
    ['1.2.3 EUR', 'isn’t an amount'],
    ['1.25E+03 EUR', 'has an exponent'],
    ['12,34,567.50 INR', 'isn’t an amount'],
  ] as const;
  const OTHER_NOTATION = [
    ['0.210 EUR', 'isn’t an amount'],
    ['12.50 EUR', 'isn’t an amount'],
  ] as const;

  it.each<readonly [name: string, problems: readonly (readonly [cell: string, problem: string])[], args: readonly string[]]>([
    ['without a locale', PROBLEMS, []],
    ['in the notation of another locale', OTHER_NOTATION, ['--locale', 'de']],
  ])('causes a problem if a part of it would be lost, %s', async (_name, problems, args) => {
    const err = await importPrices(
      problems.map(([cell]) => cell),
      ...args,
    );
    for (const [index, [, problem]] of problems.entries()) expect(listLines(err, problem)).toContain(index + 2);
    expect(err).toContain(`${problems.length} rows are invalid`);
  });

  it('needs a locale if the whole column can be read in two ways', async () => {
    expect(await importPrices(['1.250 EUR', '2.500 EUR'])).toContain('which can mean 1.250 or 1250');
    expect(await importPrices(['1.250 EUR', '2.5 EUR'])).toEqual(['1.25 EUR', '2.50 EUR']);
    expect(await importPrices(['1.250 EUR', 'n/a'], '--skip-invalid')).toContain('which can mean 1.250 or 1250');
  });

  it('causes a problem if its column mixes notations', async () => {
    const err = await importPrices(['12.50 EUR', '13.50 EUR', '12,50 EUR', '1.250 EUR']);
    expect(err).toContain(':4, column priceOnce: The value "12,50 EUR" isn’t an amount');
    expect(listLines(err, 'isn’t an amount')).toEqual([4, 5]);
    expect(err).toContain('other cells of the column have another notation');
    expect(err).toContain('2 rows are invalid');
    expect(await importPrices(['1,250.00 EUR', '1 250.00 EUR'])).toContain(
      ':3, column priceOnce: The value "1 250.00 EUR" isn’t an amount',
    );
  });
});

// cspell:ignore nein onwaar vrai falso
describe('boolean of an import', () => {
  /** Imports products whose `isActive` has these cells. Returns the stored values, or the printed problems. */
  const importFlags = async (cells: readonly string[]) => {
    const file = createTable('isActive', cells, 'name');
    const { code, err } = await run(file, '--mutation', 'productCreate');
    if (code !== 0) return err;
    const fields = readResults(file).map(({ ids }, row) => `r${row}: product(id: "${ids.product}") { isActive }`);
    const { data } = await testGraph.execute(`{ ${fields.join(' ')} }`);
    return Object.values(data as Record<string, { isActive: boolean }>).map(({ isActive }) => isActive);
  };

  it.each([
    [['Ja', 'nee', 'ONWAAR', 'ja']],
    [['oui', 'Non', 'FAUX', 'VRAI']],
    [['não', 'nao', 'Falso', 'sim']],
    [['YES', '0', 'false', 'true']],
  ])('can be written as %s', async (cells) => {
    const isTrue = ['ja', 'oui', 'vrai', 'sim', 'yes', 'true'];
    expect(await importFlags(cells)).toEqual(cells.map((cell) => isTrue.includes(cell.toLowerCase())));
  });

  it('causes a problem if its column mixes languages, or has other words', async () => {
    expect(await importFlags(['ja', 'nee', 'nein'])).toContain(
      ':4, column isActive: The value "nein" isn’t true or false, written with ja and nee',
    );
    expect(await importFlags(['x'])).toContain(
      'The value "x" isn’t true or false, written with yes and no. Replace it with values of --map.',
    );
  });

  it('rejects the words of other languages in a constant', async () => {
    const map = createFile('constants: { isActive: "nee" }', 'map.yaml').path;
    const { err } = await run(createFile('name\nA\n'), '--mutation', 'productCreate', '--map', map);
    expect(err).toContain('The value "nee" isn’t true or false');
  });
});

describe('import --check', () => {
  it('states how numbers, dates, and booleans are read, unless all notations agree', async () => {
    const text = 'name;priceOnce;minQuantity;isActive\nA;1.250,50 EUR;5;nee\nB;3,5 EUR;7;ja\n';
    const { code, out } = await run(createFile(text), '--mutation', 'productCreate', '--check');
    expect([code, out.split('\n').slice(0, 4)]).toEqual([
      0,
      [
        'Notation of each column:',
        '  priceOnce: the decimal separator ,',
        '  isActive: ja and nee',
        expect.stringContaining('2 valid rows'),
      ],
    ]);
    const short = await run(createTable('expectedCloseAt', ['31.10.99']), '--mutation', 'customerCreate', '--check', ...AMSTERDAM);
    expect(short.out).toContain('  expectedCloseAt: the day first, and years from 1930 to 2029\n');
  });
});

describe('columns of an import', () => {
  const check = async (text: string, map?: string, mutation = 'productCreate') => {
    const args = map === undefined ? [] : ['--map', createFile(map, 'map.yaml').path];
    return (await run(createFile(text), '--mutation', mutation, '--check', ...args)).err;
  };

  it.each([
    [
      'two columns of a field',
      'customerId,customerId:referenceNumber,body\nx,C-1,Text\n',
      undefined,
      'are both for customerId',
      'customerCommentCreate',
    ],
    ['two columns that a map names alike', 'a,b\nx,y\n', 'columns: { a: name, b: name }', 'The columns a and b are both for name'],
    ['a column and a constant', 'name\nx\n', 'constants: { name: y }', '--map names name again'],
    [
      'a combined column of an unknown one',
      'name\nx\n',
      'combine: { description: "{Names}" }',
      'The file has no column Names, which combine of --map names',
    ],
  ])('cause an error if there is %s', async (_name, text, map, message, mutation?) => {
    expect(await check(text, map, mutation)).toContain(message);
  });

  it('can have constants with braces, in the standard notation whatever the locale is', async () => {
    const map = createFile('constants: { description: "Use {braces}", vatRate: 0.21 }\n', 'map.yaml');
    const file = createFile('name;priceOnce\nBraces;1.250,5 EUR\n');
    expect(await run(file, '--mutation', 'productCreate', '--map', map.path, '--locale', 'de')).toMatchObject({ code: 0 });
    const id = readResults(file)[0]?.ids.product;
    const { data } = await testGraph.execute(`{ product(id: "${id}") { description vatRate priceOnce { amount } } }`);
    expect(data.product).toEqual({ description: 'Use {braces}', vatRate: '0.21', priceOnce: { amount: '1250.50' } });
  });
});

describe('value of an import', () => {
  it.each([
    [
      'a country that doesn’t exist',
      'customerCreate',
      'title,phone,phoneCountryCode\nA,0201234567,Nowhere\n',
      'The value "Nowhere" isn’t a country.',
    ],
    ['a color by its name', 'teamCreate', 'name,color\nA,red\n', 'HexColor must be # and six hexadecimal digits, but is "red".'],
    [
      'a currency that doesn’t exist',
      'productCreate',
      'name,currencyCode\nA,ABC\n',
      'CurrencyCode must be an ISO 4217 currency code, such as EUR, but is "ABC".',
    ],
    [
      'a phone number without its last digits',
      'customerCreate',
      'title,phone\nA,"6,12E+08"\n',
      'has an exponent, which spreadsheets write instead of digits.',
    ],
    ['an empty item', 'memberInvitationCreate', 'email,roleIds\na@example.com,x||y\n', 'has an empty item before or after "|".'],
  ])('causes a problem before anything is sent if it is %s', async (_name, mutation, text, message) => {
    const [{ code, err }, calls] = await testGraph.recordCalls(() => run(createFile(text), '--mutation', mutation));
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(calls.filter((call) => /Create|Email/.test(call))).toEqual([]);
  });

  it('causes a problem in JSON lines', async () => {
    const file = createFile(`${JSON.stringify({ title: 'A', expectedCloseAt: 'yesterday' })}\n`, 'rows.jsonl');
    expect((await run(file, '--mutation', 'customerCreate')).err).toContain(
      'expectedCloseAt: DateTime must be an RFC 3339 timestamp, such as 2026-03-31T09:30:00Z, but is "yesterday".',
    );
  });

  it('rejects a time in a custom date', async () => {
    const { data } = await testGraph.execute('{ customFieldDefinitions { name kind } }');
    const { name } = data.customFieldDefinitions.find(({ kind }: { kind: string }) => kind === 'DATE');
    const refused = await run(createTable(`customFields.${name}`, ['2026-01-31 14:00']), '--mutation', 'customerCreate');
    expect(refused.err).toContain('The value "2026-01-31 14:00" has a time, which a date can’t have.');
    expect(await run(createTable(`customFields.${name}`, ['2026-01-31 00:00:00']), '--mutation', 'customerCreate')).toMatchObject({
      code: 0,
    });
  });
});

describe('import --locale', () => {
  it('rejects a calendar with other years', async () => {
    expect((await run(createFile('name\nx\n'), '--mutation', 'productCreate', '--locale', 'th')).err).toBe(
      '--locale th has years of the calendar buddhist. Use th-u-ca-gregory if the file has those of 2026.',
    );
  });
});
