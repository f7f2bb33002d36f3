import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../cli/bulk/command.ts';
import { runImportCommand } from '../../../cli/import/command.ts';
import { runLedgerCommand } from '../../../src/ledger/command.ts';
import { TransportError } from '../../../src/upstream/transport/transport.ts';
import { type CommandSettings, runCommand } from '../../support/commands.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createFile, type ImportFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

// The sandbox's clock is ahead of the graph's: a record must not seem older than its request.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1_000) + 3_600;
});

const CREATE = ['--mutation', 'contactCreate'];
const HEADER = 'lastName,firstName';
let files = 0;

/** Creates a file of contacts whose last names no other file has. */
function createContacts(count: number): ImportFile & { readonly names: readonly string[] } {
  files += 1;
  const names = Array.from({ length: count }, (_, index) => `Import ${files}-${index}`);
  return { ...createFile(`${HEADER}\n${names.map((name) => `${name},Ada\n`).join('')}`), names };
}

const run = (file: ImportFile, args: readonly string[] = [], settings: CommandSettings = {}) =>
  runImport(testGraph.sandbox.url, file, [...CREATE, ...args], settings);

/** Number of contacts in the sandbox, by last name. */
function countContacts(names: readonly string[]): readonly number[] {
  const rows = testGraph.sandbox.world.store.all<{ readonly name: string }>('SELECT last_name AS name FROM main.contacts');
  return names.map((name) => rows.filter((row) => row.name === name).length);
}

const once = (names: readonly string[]) => names.map(() => 1);
const countByStatus = (file: ImportFile) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(readResults(file), ({ status }) => status)).map(([status, rows = []]) => [status, rows.length]),
  );

/** Handles creations of contacts in another way. `number` counts them from 1. */
const interceptCreations = (respond: (number: number, send: () => Promise<never>) => Promise<never>) => {
  let number = 0;
  return interceptCalls(async (request, usual) => {
    if (!request.path.endsWith('/CreateContact')) return usual(request);
    number += 1;
    return respond(number, () => usual(request) as Promise<never>);
  });
};

describe('import that is repeated', () => {
  it('sends nothing, also if rows were sorted or removed, but sends added rows', async () => {
    const file = createContacts(3);
    expect(await run(file)).toMatchObject({ code: 0, err: expect.stringContaining('3 DONE') });
    const [header, ...rows] = readFileSync(file.path, 'utf8').trim().split('\n');
    for (const text of [rows, rows.toReversed(), rows.slice(1)]) {
      writeFileSync(file.path, `${[header, ...text].join('\n')}\n`);
      const [{ code }, calls] = await testGraph.recordCalls(() => run(file));
      expect([code, calls]).toEqual([0, []]);
    }
    const added = `${file.names[0]} added`;
    writeFileSync(file.path, `${[header, `${added},Ada`, ...rows].join('\n')}\n`);
    expect(await run(file)).toMatchObject({ code: 0 });
    expect(countContacts([added, ...file.names])).toEqual([1, 1, 1, 1]);
  });

  it('sends nothing if rows were added and applied ones have disappeared, unless --send-new is set', async () => {
    const file = createContacts(2);
    expect(await run(file)).toMatchObject({ code: 0 });
    const [{ ids } = { ids: {} }] = readResults(file);
    const [first = '', second = ''] = file.names;
    const changed = `${first} changed`;
    writeFileSync(file.path, `${HEADER}\n${changed},Ada\n${second},Ada\n`);
    const { code, err } = await run(file);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`has 1 new rows (lines 2), and lacks 1 that are or may be applied (DONE ${ids.contact}).`),
    ]);
    expect(countContacts([changed])).toEqual([0]);
    expect(await run(file, ['--check'])).toMatchObject({ code: 1, err });
    expect(await run(file, ['--send-new'])).toMatchObject({ code: 0 });
    expect(countContacts([changed, ...file.names])).toEqual([1, 1, 1]);
    expect(readResults(file).map(({ line, status }) => [line, status])).toEqual([
      [2, 'DONE'],
      [3, 'DONE'],
      [null, 'DONE'],
    ]);
  });

  it('sends rows that were corrected after they were rejected, invalid, or not sent, and forgets their earlier versions', async () => {
    for (const args of [[], ['--key-column', 'number']]) {
      const name = `Corrected ${args.length}`;
      const file = createFile(`number,title,phone,expectedCloseAt\n1,${name} A,,\n2,${name} B,letters,\n3,${name} C,,soon\n`);
      const map = `${file.path}.map.yaml`;
      writeFileSync(map, 'columns: { number: null }\n');
      const importFile = () =>
        runImport(testGraph.sandbox.url, file, [
          '--mutation',
          'customerCreate',
          '--skip-invalid',
          ...(args.length > 0 ? args : ['--map', map]),
        ]);
      expect(await importFile()).toMatchObject({ code: 3 });
      expect(readResults(file).map(({ status }) => status)).toEqual(['DONE', 'FAILED', 'INVALID']);
      writeFileSync(file.path, `number,title,phone,expectedCloseAt\n1,${name} A,,\n2,${name} B,,\n3,${name} C,,2026-10-31T12:00:00Z\n`);
      expect(await importFile()).toMatchObject({ code: 0 });
      expect(readResults(file).map(({ line, status }) => [line, status])).toEqual([
        [2, 'DONE'],
        [3, 'DONE'],
        [4, 'DONE'],
      ]);
    }
    const created = testGraph.sandbox.world.store.all<{ readonly title: string }>(
      "SELECT title FROM customers WHERE title LIKE 'Corrected %'",
    );
    expect(created).toHaveLength(6);
  });

  it('sends rows with the same content as often as they occur', async () => {
    const file = createFile(`${HEADER}\n${'Twin,Ada\n'.repeat(3)}`);
    expect(await run(file)).toMatchObject({ code: 0 });
    expect(await run(file)).toMatchObject({ code: 0 });
    expect(countContacts(['Twin'])).toEqual([3]);
  });

  it('reports changed rows with --key-column instead of sending them', async () => {
    const file = createFile('number,lastName\n1,Keyed A\n2,Keyed B\n');
    expect(await run(file, ['--key-column', 'number'])).toMatchObject({ code: 0 });
    writeFileSync(file.path, 'number,lastName\n2,Keyed C\n1,Keyed A\n');
    expect(await run(file, ['--key-column', 'number'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('Rows that changed since they were sent, and weren’t sent again: 1.'),
    });
    expect(readResults(file).map(({ line, status, previousStatus }) => [line, status, previousStatus])).toEqual([
      [2, 'CHANGED', 'DONE'],
      [3, 'DONE', undefined],
    ]);
    expect(countContacts(['Keyed A', 'Keyed B', 'Keyed C'])).toEqual([1, 1, 0]);
    writeFileSync(file.path, 'number,lastName\n3,Keyed D\n3,Keyed E\n');
    expect(await run(file, ['--key-column', 'number'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('The key "3" occurred before.'),
    });
  });

  it.each([
    ['another mutation', ['--mutation', 'contactUpdate'], 'mutation', 'lastName,contactId\nA,1\n'],
    ['another notation', [...CREATE, '--null-token', 'x'], 'mapping', undefined],
    ['another key column', [...CREATE, '--key-column', 'lastName'], 'key column', undefined],
  ])('rejects %s', async (_, args, name, text) => {
    const file = createContacts(1);
    expect(await run(file)).toMatchObject({ code: 0 });
    if (text !== undefined) writeFileSync(file.path, text);
    const { code, err } = await runImport(testGraph.sandbox.url, file, args);
    expect([code, err]).toEqual([1, expect.stringContaining(`belongs to an import with another ${name}. Repeat that import`)]);
  });

  it('rejects the key of another account', async () => {
    const file = createContacts(1);
    expect(await run(file)).toMatchObject({ code: 0 });
    expect(await run(file, [], { key: 'demo-neighbour' })).toMatchObject({ code: 1, err: expect.stringContaining('another key') });
  });
});

describe('import with failures', () => {
  it('reports rows whose response is lost as unknown with their records, and never sends them again', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `Lost ${index}`);
    const file = createFile(`title,email\n${titles.map((title, index) => `${title},lost${index}@example.com\n`).join('')}`);
    let number = 0;
    const transport = interceptCalls(async (request, usual) => {
      const response = await usual(request);
      if (!request.path.endsWith('/CreateCustomer')) return response;
      number += 1;
      if (number % 4 === 0) throw new TransportError(true, false);
      return response;
    });
    const args = ['--mutation', 'customerCreate'];
    expect(await runImport(testGraph.sandbox.url, file, args, { transport })).toMatchObject({ code: 3 });
    expect(countByStatus(file)).toEqual({ DONE: 9, OUTCOME_UNKNOWN: 3 });
    expect(await runImport(testGraph.sandbox.url, file, args)).toMatchObject({ code: 3 });
    const unknown = readResults(file).filter(({ status }) => status === 'OUTCOME_UNKNOWN');
    // Not even when an operator has recorded that they were applied.
    const ledgerUrl = `file:${file.ledgerFile}`;
    for (const { id } of JSON.parse(await runLedgerCommand(['list', '--json'], ledgerUrl)))
      await runLedgerCommand(['resolve', id, '--applied'], ledgerUrl);
    expect(await runImport(testGraph.sandbox.url, file, args)).toMatchObject({ code: 3 });
    expect(countByStatus(file)).toEqual({ DONE: 9, OUTCOME_UNKNOWN: 3 });
    const created = testGraph.sandbox.world.store.all<{ readonly title: string }>("SELECT title FROM customers WHERE title LIKE 'Lost %'");
    expect(created.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
    for (const { candidates, line } of unknown) {
      const { data } = await testGraph.execute('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Customer { title } } }', {
        ids: candidates,
      });
      expect(data.nodes.map(({ title }: { title: string }) => title)).toContain(titles[line - 2]);
    }
    expect(unknown).toHaveLength(3);
  });

  it('sends rows again that weren’t applied, after 429 and 503', async () => {
    const file = createContacts(8);
    const transport = interceptCreations(async (number, send) => {
      if (number % 3 === 0)
        return { status: 429, headers: { 'retry-after': '1' }, body: '{"code":"resource_exhausted","message":"Slow down."}' } as never;
      return send();
    });
    expect(await run(file, [], { transport })).toMatchObject({ code: 0 });
    expect(countContacts(file.names)).toEqual(once(file.names));
  });

  it('continues after an interruption', async () => {
    const file = createContacts(40);
    const interruption = new AbortController();
    const transport = interceptCreations(async (number, send) => {
      if (number === 20) interruption.abort(new InterruptedError('SIGINT'));
      return send();
    });
    const { code, err } = await run(file, [], { transport, signal: interruption.signal });
    expect([code, err]).toEqual([130, expect.stringContaining('Interrupted by SIGINT. Run the same command again to continue.')]);
    expect(countByStatus(file).NOT_SENT).toBeGreaterThan(0);
    expect(await run(file)).toMatchObject({ code: 0 });
    expect(countContacts(file.names)).toEqual(once(file.names));
  });

  it('reports what is wrong with rejected rows by column, or without one if it concerns the whole row', async () => {
    const file = createFile('Name,Phone\n,"+31 6 12345678"\nIssues,letters\n');
    const map = `${file.path}.map.yaml`;
    writeFileSync(map, 'columns: { Name: title, Phone: phone }\n');
    expect(await runImport(testGraph.sandbox.url, file, ['--mutation', 'customerCreate', '--map', map])).toMatchObject({ code: 3 });
    expect(readResults(file).map(({ line, status, issues }) => ({ line, status, issues }))).toEqual([
      { line: 2, status: 'FAILED', issues: [{ message: expect.stringContaining('title') }] },
      { line: 3, status: 'FAILED', issues: [{ column: 'Phone', message: expect.stringContaining('international number') }] },
    ]);
  });

  it('reports rejected rows, and sends them again', async () => {
    const file = createFile('customerId,title\n00000000-0000-4000-8000-000000000000,Late\n');
    const { sandbox } = testGraph;
    const args = ['--mutation', 'workOrderCreate'];
    expect(await runImport(sandbox.url, file, args)).toMatchObject({ code: 3 });
    expect(readResults(file)).toEqual([
      expect.objectContaining({
        line: 2,
        status: 'FAILED',
        code: 'NOT_FOUND',
        message: expect.stringContaining('00000000-0000-4000-8000-000000000000'),
      }),
    ]);
    const count = () => sandbox.received.filter(({ operation }) => operation.endsWith('/CreateWorkOrder')).length;
    const before = count();
    expect(await runImport(sandbox.url, file, args)).toMatchObject({ code: 3 });
    expect(count()).toBe(before + 1);
  });

  it('holds the next rows of a record while one of it can’t be applied', async () => {
    const { data } = await testGraph.execute('{ customers(first: 2) { nodes { rawId } } }');
    const [held, other] = data.customers.nodes.map(({ rawId }: { rawId: string }) => rawId);
    const file = createFile(`customerId,body\n${held},Held 1\n${held},Held 2\n${other},Other\n`);
    const transport = interceptCalls(async (request, usual) => {
      const isHeld = request.path.endsWith('/CreateCustomerComment') && request.body.includes(held);
      return isHeld
        ? { status: 429, headers: { 'retry-after': '3600' }, body: '{"code":"resource_exhausted","message":"Later."}' }
        : usual(request);
    });
    const args = ['--mutation', 'customerCommentCreate'];
    expect(await runImport(testGraph.sandbox.url, file, args, { transport })).toMatchObject({ code: 3 });
    expect(readResults(file).map(({ status }) => status)).toEqual(['RETRY', 'NOT_SENT', 'DONE']);
    expect(await runImport(testGraph.sandbox.url, file, args)).toMatchObject({ code: 0 });
    expect(readResults(file).map(({ status }) => status)).toEqual(['DONE', 'DONE', 'DONE']);
  });

  it('keeps the order of rows that change the same stock', async () => {
    const { data } = await testGraph.execute('{ products(first: 2) { nodes { rawId } } inventoryLocations(first: 1) { nodes { rawId } } }');
    const [location] = data.inventoryLocations.nodes;
    const rows = Array.from({ length: 20 }, (_, index) => `${data.products.nodes[index % 2].rawId},${location.rawId},Count,${index}`);
    const file = createFile(`productId,locationId,reason,change.targetAvailable\n${rows.join('\n')}\n`);
    const before = testGraph.sandbox.received.length;
    expect(await runImport(testGraph.sandbox.url, file, ['--mutation', 'inventoryAdjust'])).toMatchObject({ code: 0 });
    const requests = testGraph.sandbox.received.slice(before).filter(({ operation }) => operation === 'Inventory/AdjustInventory');
    for (const { rawId } of data.products.nodes) {
      const targets = requests.filter(({ request }) => request.productId === rawId).map(({ request }) => Number(request.targetAvailable));
      expect([targets.length, targets]).toEqual([10, targets.toSorted((one, other) => one - other)]);
    }
  });
});

describe('import that is refused', () => {
  it.each([
    ['an invalid row', `${HEADER}\n,Ada\n`, [], 'rows.csv:2, column lastName: lastName is required.'],
    [
      'an unknown column',
      'lastName,nickname\nA,B\n',
      [],
      'The column nickname isn’t a field of ContactCreateInput, which has lastName, firstName, email, phone, phoneCountryCode.',
    ],
    ['a row with too many cells', `${HEADER}\nA,B,C\n`, [], 'rows.csv:2: The row has 3 cells, but the header has 2 names.'],
    [
      'text that isn’t UTF-8',
      Buffer.from(`${HEADER}\nJos\u00e9,Ada\n`, 'latin1'),
      [],
      'isn’t encoded in UTF-8: see the text after byte 0.',
    ],
    ['a quote inside of a cell', `${HEADER}\nA,B"C\n`, [], 'isn’t valid CSV from line 2 on: Invalid Opening Quote'],
    ['an open quote', `${HEADER}\nA,"B\n`, [], 'isn’t valid CSV from line 2 on: Quote Not Closed'],
    ['an empty file', '', [], 'rows.csv is empty.'],
    ['a file without rows', `${HEADER}\n`, [], 'has no rows.'],
    ['a repeated column', 'lastName,lastName\nA,B\n', [], '(line 1) repeats lastName. It must name each column once.'],
    ['a missing key column', `${HEADER}\nA,B\n`, ['--key-column', 'id'], 'The file has no column id, which --key-column names.'],
  ])('sends nothing for %s', async (_, text, args, message) => {
    const file = createFile(text);
    const [{ code, err }, calls] = await testGraph.recordCalls(() => run(file, args));
    expect([code, err, calls]).toEqual([1, expect.stringContaining(message), []]);
  });

  it('sends the valid rows with --skip-invalid', async () => {
    const file = createFile(`${HEADER}\n,Ada\nSkipping,Ada\n`);
    expect(await run(file, ['--skip-invalid'])).toMatchObject({ code: 3 });
    expect(readResults(file).map(({ status }) => status)).toEqual(['INVALID', 'DONE']);
    expect(countContacts(['Skipping'])).toEqual([1]);
  });

  it('requires a graph that stores idempotency keys durably, or --allow-volatile', async () => {
    const { path } = createContacts(1);
    const args = [path, ...CREATE];
    const refused = await runCommand(runImportCommand, testGraph.sandbox.url, args);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The graph stores idempotency keys in memory')]);
    expect(await runCommand(runImportCommand, testGraph.sandbox.url, [...args, '--allow-volatile'])).toMatchObject({ code: 0 });
  });

  it('checks only with --check, and estimates calls and minutes', async () => {
    const file = createContacts(2);
    const { code, out } = await run(file, ['--check']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^2 valid rows take about 2 calls and /)]);
    expect(countContacts(file.names)).toEqual([0, 0]);
  });

  it('estimates only the rows that would be sent with --check, which needs no durable graph and changes nothing', async () => {
    const file = createContacts(2);
    expect(await run(file)).toMatchObject({ code: 0 });
    const [first = '', second = ''] = file.names;
    writeFileSync(file.path, `${HEADER}\n${first},Ada\n${second},Ada\n${first} added,Ada\n`);
    const { path } = file;
    for (const _ of [1, 2]) {
      const { code, out } = await runCommand(runImportCommand, testGraph.sandbox.url, [path, ...CREATE, '--check']);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(/^1 valid rows take about 1 calls .* Of 3 rows, the others are applied, or can’t be sent\.\n$/),
      ]);
    }
    expect(readResults(file)).toHaveLength(2);
  });
});
