import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { createFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

const CREATE = ['--mutation', 'contactCreate'];
const HEADER = 'lastName,firstName';

async function check(text: string | Buffer, name?: string): Promise<string> {
  const { code, out, err } = await runImport(testGraph.sandbox.url, createFile(text, name), [...CREATE, '--check']);
  return code === 0 ? out : err;
}

const countContacts = (lastName: string) =>
  testGraph.sandbox.world.store.all('SELECT id FROM main.contacts WHERE last_name = :lastName', { lastName }).length;

it.each([
  ['line feeds', '\n'],
  ['carriage returns', '\r'],
  ['both', '\r\n'],
])('counts the lines of a file with %s, also of blank rows and in cells', async (_, end) => {
  const rows = [HEADER, '', `"A${end}B",Ada`, ',', ',Ada', ' ', `,"C${end}${end}D"`, ',Eve'];
  const text = await check(rows.join(end));
  expect(text).toMatch(/rows\.csv:6, column lastName: lastName is required\. \(also 2 times on lines 8, 11\)/);
});

it('reads a record per line if a file has several kinds of line breaks', async () => {
  const file = createFile(`${HEADER}\r\nMixed ends,1\nMixed ends,2\rMixed ends,3\r\n\nMixed ends,4`);
  expect(await runImport(testGraph.sandbox.url, file, CREATE)).toMatchObject({ code: 0 });
  expect([countContacts('Mixed ends'), readResults(file).map(({ line }) => line)]).toEqual([4, [2, 3, 4, 6]]);
});

it('counts the lines of JSON lines with several kinds of line breaks', async () => {
  const row = '{"firstName": "Ada"}';
  const text = await check([row, '\r\n', row, '\r', row, '\n\n', row].join(''), 'rows.jsonl');
  expect(text).toContain('rows.jsonl:1: lastName is required. (also 3 times on lines 2, 3, 5)');
});

it.each([
  ['a line that declares the delimiter', `sep=;\r\n${HEADER.replace(',', ';')}\r\nDeclared, with a comma;Ada\r\n`],
  ['UTF-16', Buffer.from(`\ufeff${HEADER}\n"Declared, with a comma",Ada\n`, 'utf16le')],
  ['empty columns at the right', `${HEADER},,\n"Declared, with a comma",Ada,,\n,,,\n"Declared, with a comma",Eve, ,\n`],
])('reads a file with %s', async (_, text) => {
  const before = countContacts('Declared, with a comma');
  expect(await runImport(testGraph.sandbox.url, createFile(text), CREATE)).toMatchObject({ code: 0 });
  expect(countContacts('Declared, with a comma')).toBeGreaterThan(before);
});

it.each([
  ['without text', ' \n\r\n', 'rows.csv is empty.'],
  ['with more columns than a spreadsheet', `lastName${',x'.repeat(90_000)}\nA\n`, 'rows.csv has 90001 columns, the maximum is 16384.'],
  ['with blank rows only', ',\n,,\n', 'rows.csv has no header.'],
  ['whose header lacks a name', 'lastName,,firstName\nA,B,C\n', '(line 1) doesn’t name column 2. It must name each column once.'],
  ['with a cell in a column without a name', `${HEADER},,\nA,B,,C\n`, 'rows.csv:2: The row has 4 cells, but the header has 2 names.'],
  ['with a row that lacks a cell', `${HEADER}\nA\n`, 'rows.csv:2: The row has 1 cells, but the header has 2 names.'],
  ['that ends with a total', `${HEADER}\nA,B\n\nTotal:,\n`, 'rows.csv:4: The row looks like a total. Delete it, or move it up'],
])('rejects a file %s', async (_, text, message) => {
  expect(await check(text)).toContain(message);
});

it('lists problems by column and reason, with the first one and their number', async () => {
  const file = createFile(`title,expectedCloseAt\n${'A,soon\n'.repeat(3)},2026-02-30\nB,2026-01-01T10:00:00.5Z\n`);
  const { err } = await runImport(testGraph.sandbox.url, file, ['--mutation', 'customerCreate', '--check']);
  expect(err.split('\n').filter((line) => line.includes('rows.csv:'))).toEqual([
    expect.stringMatching(/rows\.csv:2, column expectedCloseAt: The value "soon" isn’t a timestamp.*\(also 3 times on lines 3, 4, 5\)$/),
    expect.stringMatching(/rows\.csv:6, column expectedCloseAt: The value .* has a fraction of a second.*[^)]$/),
  ]);
  expect(err).toContain('5 rows are invalid.');
});

it('names all columns that aren’t fields, and the nearest fields', async () => {
  const { err } = await runImport(testGraph.sandbox.url, createFile('Last name,e_mail,Pets\nA,B,C\n'), [...CREATE, '--check']);
  expect(err.match(/The column .*? isn’t|Did you mean \w+\?/g)).toEqual([
    'The column Last name isn’t',
    'Did you mean lastName?',
    'The column e_mail isn’t',
    'Did you mean email?',
    'The column Pets isn’t',
  ]);
});

it('prints the names of columns and cells in one line, without hidden characters', async () => {
  const { err } = await runImport(testGraph.sandbox.url, createFile('lastName,"Pets\nDone: all rows"\nA,B\n'), [...CREATE, '--check']);
  expect(err).toContain('The column Pets Done: all rows isn’t a field');
  const hidden = createFile('lastName,"\u001b[2K first\u202eName"\nA,B\n');
  expect((await runImport(testGraph.sandbox.url, hidden, [...CREATE, '--check'])).err).toContain(
    'The column \\u001b[2K first\\u202eName isn’t',
  );
  const cells = createFile('title,expectedCloseAt\nA,"soon\u009b2K\u202e"\n');
  const { err: problem } = await runImport(testGraph.sandbox.url, cells, ['--mutation', 'customerCreate', '--check']);
  expect(problem).toContain('The value "soon\\u009b2K\\u202e" isn’t');
});

it.each(['lastName.constructor', 'lastName.__proto__', 'constructor', '__proto__.x'])('rejects the column %s', async (column) => {
  const { code, err } = await runImport(testGraph.sandbox.url, createFile(`lastName,${column}\nA,B\n`), [...CREATE, '--check']);
  expect([code, err]).toEqual([1, expect.stringContaining(`The column ${column} isn’t a field of`)]);
});

it('accepts a record that is named like a total, but isn’t the last one', async () => {
  expect(await check(`${HEADER}\nTotal,\nA,B\n`)).toContain('2 valid rows');
});

it.each(['lines.3000000.quantity', 'lines.1.quantity', `lines.${'9'.repeat(400)}.quantity`])('rejects the column %s', async (column) => {
  const file = createFile(`destinationLocationId,lines.0.productId,${column.replace('.1.', '.2.')}\nA,B,1\n`);
  const { code, err } = await runImport(testGraph.sandbox.url, file, ['--mutation', 'inventoryMove', '--check']);
  expect([code, err]).toEqual([1, expect.stringMatching(/must have a position after lines, such as lines\.0|no column is for lines\.1\./)]);
});

const MEGABYTE = 1024 ** 2;

/** Runs the command with little memory, and returns the text that it prints. */
function checkInProcess(path: string, args: readonly string[] = []): string {
  const command = ['--max-old-space-size=64', 'cli/main.ts', 'import', path, ...CREATE, '--check', '--url', testGraph.sandbox.url, ...args];
  const { status, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, WORKSPACE_API_KEY: 'demo-owner' },
  });
  expect(status).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

it.each([
  ['delimiters', HEADER, ',', 'has a line of more than 1048576 characters.'],
  ['an open quote', `${HEADER}\n"`, 'x\n', 'isn’t valid CSV from line 2 on: Max Record Size'],
  ['a header', '', 'x', 'has a line of more than 1048576 characters.'],
])('rejects 200 MB of %s with bounded memory', (_, start, text, message) => {
  const { path } = createFile(start);
  onTestFinished(() => rmSync(path));
  const fd = openSync(path, 'a');
  const block = text.repeat(MEGABYTE / text.length);
  for (let count = 0; count < 200; count += 1) writeSync(fd, block);
  closeSync(fd);
  expect(checkInProcess(path)).toContain(message);
});

it('rejects a map of 90 MB, and deep JSON lines', async () => {
  const { path } = createFile(`${HEADER}\nA,B\n`);
  writeFileSync(`${path}.yaml`, 'columns: {}\n');
  truncateSync(`${path}.yaml`, 90 * MEGABYTE);
  onTestFinished(() => rmSync(`${path}.yaml`));
  expect(checkInProcess(path, ['--map', `${path}.yaml`])).toContain('(--map) has more than 1048576 bytes.');
  const deep = `{"lastName": ${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`;
  expect(await check(deep, 'rows.jsonl')).toContain('rows.jsonl:1: The row isn’t a JSON object, or has more than 100 levels.');
});
