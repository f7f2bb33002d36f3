import { expect, it, onTestFinished, vi } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { createWorkbook, number, row, text } from '../../support/workbook.ts';
import { createFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

const CUSTOMER = ['--mutation', 'customerCreate', '--time-zone', 'Europe/Amsterdam', '--locale', 'de'];
const HEADER = row(1, text('A1', 'title'), text('B1', 'phone'), text('C1', 'expectedCloseAt'), text('D1', 'customFields.floor_area'));

const run = (content: Buffer, args: readonly string[] = ['--check']) => {
  const file = createFile(content, 'rows.xlsx');
  return runImport(testGraph.sandbox.url, file, [...CUSTOMER, ...args]).then((result) => ({ ...result, file }));
};

it.each([
  ['the date system of 1900', '', 46_203.583333333336],
  ['the date system of 1904', 'date1904="1"', 46_203.583333333336 - 1_462],
])('stores numbers and dates of a workbook with %s, whatever the locale is', async (_, properties, serial) => {
  const cells = [number('A3', 31_612_345_678), number('C3', serial, true), number('D3', 0.1 + 0.2)];
  const { code, err, file } = await run(createWorkbook({ Sheet1: HEADER + row(3, ...cells) }, properties), []);
  expect([code, err]).toEqual([0, expect.stringContaining('1 DONE')]);
  const [{ line, ids } = { line: 0, ids: {} }] = readResults(file);
  const { data } = await testGraph.execute(
    `{ customer(id: "${ids.customer}") { title expectedCloseAt customField(name: "floor_area") { number } } }`,
  );
  expect([line, data.customer]).toEqual([
    3,
    {
      title: '31612345678',
      expectedCloseAt: '2026-06-30T12:00:00Z',
      customField: { number: '0.3' },
    },
  ]);
});

it('stores dates that are written as texts, whatever the time zone of the machine is', async () => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  const rows = ['2026-06-30T14:00:00', '2026-06-30T14:00:00Z', '2026-06-30'].map((value, index) =>
    row(index + 2, text(`A${index + 2}`, `ISO ${index}`), `<c r="C${index + 2}" t="d"><v>${value}</v></c>`),
  );
  const { code, err, file } = await run(createWorkbook({ Sheet1: HEADER + rows.join('') }), []);
  expect([code, err]).toEqual([0, expect.stringContaining('3 DONE')]);
  const { data } = await testGraph.execute('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Customer { expectedCloseAt } } }', {
    ids: readResults(file).map(({ ids }) => ids.customer),
  });
  expect(data.nodes.map(({ expectedCloseAt }: { readonly expectedCloseAt: string }) => expectedCloseAt)).toEqual([
    '2026-06-30T12:00:00Z',
    '2026-06-30T14:00:00Z',
    '2026-06-29T22:00:00Z',
  ]);
});

it.each([
  ['an error', '<c r="B2" t="e"><f>NA()</f><v>#N/A</v></c>', 'has the error #N/A. Correct it.'],
  ['a newer error', '<c r="B2" t="e"><v>#BLOCKED!</v></c>', 'has the error #BLOCKED!. Correct it.'],
  ['a formula without a result', '<c r="B2" t="str"><f>A1</f></c>', 'has a formula whose result isn’t stored.'],
  ['lost digits', number('B2', '1234567890123456'), 'has a number of more than 15 digits'],
  ['a time alone', number('B2', 0.5, true), 'has a time without a date'],
])('refuses a cell with %s, unless its column is left out', async (_, cell, message) => {
  const workbook = createWorkbook({ Sheet1: HEADER + row(2, text('A2', 'A'), cell) });
  const { code, err } = await run(workbook);
  expect([code, err]).toEqual([1, expect.stringContaining(`rows.xlsx:2, column phone: The cell B2 ${message}`)]);
  const map = createFile('columns: { phone: null }', 'map.yaml').path;
  expect(await run(workbook, ['--check', '--map', map])).toMatchObject({ code: 0, err: '' });
});

it('reads texts that aren’t escaped, and sheets in files of any name', async () => {
  const cell = '<c r="A2" t="inlineStr"><is><t><![CDATA[A & B]]></t></is></c>';
  const { code, file } = await run(createWorkbook({ Sheet1: HEADER + row(2, cell, text('B2', '+31612345678')) }, '', 'other/data'), []);
  const [{ ids } = { ids: {} }] = readResults(file);
  const { data } = await testGraph.execute(`{ customer(id: "${ids.customer}") { title } }`);
  expect([code, data.customer]).toEqual([0, { title: 'A & B' }]);
  const wrong = createWorkbook({ Sheet1: HEADER + row(2, '<c r="A2" t="e"><v>#N/A</v></c>') }, '', 'other/data');
  expect((await run(wrong)).err).toContain('The cell A2 has the error #N/A.');
});

it('refuses a header with an error', async () => {
  const header = row(1, text('A1', 'title'), '<c r="B1" t="e"><v>#REF!</v></c>');
  const { err } = await run(createWorkbook({ Sheet1: header + row(2, text('A2', 'A')) }));
  expect(err).toContain('rows.xlsx:1: The cell B1 has the error #REF!. Correct it.');
});

it('reads the stored result of a formula', async () => {
  const cell = '<c r="A2" t="str"><f>UPPER("a")</f><v>A</v></c>';
  expect(await run(createWorkbook({ Sheet1: HEADER + row(2, cell) }))).toMatchObject({ code: 0 });
});

it('reads the only sheet with cells, and requires --sheet if there are several', async () => {
  const rows = HEADER + row(2, text('A2', 'A'));
  expect(await run(createWorkbook({ Empty: '', Data: rows }))).toMatchObject({ code: 0 });
  const workbook = createWorkbook({ One: rows, Two: rows + row(3, text('A3', 'B')) });
  expect((await run(workbook)).err).toContain('rows.xlsx has several sheets: One, Two. Choose one with --sheet.');
  expect((await run(workbook, ['--check', '--sheet', 'Two'])).out).toContain('2 valid rows');
  expect((await run(workbook, ['--check', '--sheet', 'Three'])).err).toContain('has no sheet Three. Its sheets are One, Two.');
});

it.each([
  ['is too large when it’s unzipped', createWorkbook({ Sheet1: ' '.repeat(64 * 1024 ** 2) }), 'bytes when it’s unzipped'],
  ['has a cell far away', createWorkbook({ Sheet1: HEADER + row(1_048_576, text('XFD1048576', 'A')) }), 'which is too far. Delete it.'],
  ['isn’t a workbook', Buffer.from('title,phone\nA,B\n'), 'isn’t an Excel workbook (.xlsx), or is damaged or encrypted.'],
])('refuses a file that %s', async (_, content, message) => {
  const { code, err } = await run(content);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

it('refuses other formats of spreadsheets, and a sheet of a file that isn’t a workbook', async () => {
  const old = createFile('x', 'rows.xls');
  const csv = createFile('title\nA\n');
  expect((await runImport(testGraph.sandbox.url, old, [...CUSTOMER, '--check'])).err).toContain('Save it as .xlsx or as CSV.');
  expect((await runImport(testGraph.sandbox.url, csv, [...CUSTOMER, '--check', '--sheet', 'One'])).err).toContain('so it has no sheet.');
});
