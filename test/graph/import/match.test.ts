import { beforeAll, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { TransportError } from '../../../src/upstream/transport/transport.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createFile, type ImportFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

// The sandbox's clock is ahead of the graph's: a record must not seem older than its request.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1_000) + 3_600;
});

const run = (file: ImportFile, mutation: string, field: string, ...args: readonly string[]) =>
  runImport(testGraph.sandbox.url, file, ['--mutation', mutation, '--match', field, ...args]);

interface Customer {
  readonly id: string;
  readonly title: string;
  readonly email: string;
  readonly reference_number: string;
}

const listCustomers = (title: string) =>
  testGraph.sandbox.world.store.all<Customer>(
    'SELECT id, title, email, reference_number FROM customers WHERE title LIKE :title ORDER BY email',
    {
      title: `${title}%`,
    },
  );

/** Creates customers by an import, with these email addresses. */
async function createCustomers(title: string, emails: readonly string[]): Promise<readonly Customer[]> {
  const file = createFile(`title,email\n${emails.map((email) => `${title},${email}\n`).join('')}`);
  expect(await runImport(testGraph.sandbox.url, file, ['--mutation', 'customerCreate'])).toMatchObject({ code: 0 });
  return listCustomers(title);
}

const listStatuses = (file: ImportFile) => readResults(file).map(({ status, mutation }) => `${status} ${mutation ?? ''}`);

describe('import with --match', () => {
  it('updates records that exist, regardless of case, and creates the others', async () => {
    const before = await createCustomers('Matched', ['anna@match.example', 'ben@match.example']);
    const file = createFile('title,email\nMatched A,ANNA@match.example\nMatched C,carl@match.example\nMatched D,\n');
    const checked = await run(file, 'customerCreate', 'email', '--check');
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('3 valid rows take about 5 calls') });
    expect(checked.out).toContain(' Updates of records that exist: 1.');
    const [{ code }, calls] = await testGraph.recordCalls(() => run(file, 'customerCreate', 'email'));
    expect([code, calls.toSorted()]).toEqual([
      0,
      [
        'Customer/CreateCustomer',
        'Customer/CreateCustomer',
        'Customer/LookupCustomersByIdentifier',
        'Customer/LookupCustomersByIdentifier',
        'Customer/PatchCustomer',
      ],
    ]);
    expect(listStatuses(file)).toEqual(['DONE customerUpdate', 'DONE customerCreate', 'DONE customerCreate']);
    expect(listCustomers('Matched').map(({ title, email }) => [title, email])).toEqual([
      ['Matched D', ''],
      ['Matched A', 'ANNA@match.example'],
      ['Matched', 'ben@match.example'],
      ['Matched C', 'carl@match.example'],
    ]);
    expect(listCustomers('Matched A')[0]?.id).toBe(before[0]?.id);
    // What was applied isn't matched again.
    expect((await testGraph.recordCalls(() => run(file, 'customerCreate', 'email')))[1]).toEqual([]);
  });

  it('requires records for values that only existing ones have', async () => {
    const [customer] = await createCustomers('Numbered', ['numbered@match.example']);
    const file = createFile(`referenceNumber,title\n${customer?.reference_number},Numbered A\n,Numbered B\n`);
    expect(await run(file, 'customerCreate', 'referenceNumber')).toMatchObject({ code: 0 });
    expect(listStatuses(file)).toEqual(['DONE customerUpdate', 'DONE customerCreate']);
    expect(listCustomers('Numbered').map(({ title }) => title)).toEqual(['Numbered B', 'Numbered A']);
    const unknown = createFile('referenceNumber,title\nC-nowhere,Numbered C\n');
    expect(await run(unknown, 'customerCreate', 'referenceNumber')).toMatchObject({
      code: 1,
      err: expect.stringContaining('The value "C-nowhere" matches no record by referenceNumber.'),
    });
  });

  it.each([
    ['productCreate', 'sku', 'name,sku\nMatched product,match-1\n', 'sku,name,vatRate\nMATCH-1,Renamed product,0.09\n', 'productUpdate'],
    ['contactCreate', 'email', 'lastName,email\nOne,one@match.example\n', 'lastName,email\nUno,One@match.example\n', 'contactUpdate'],
    [
      'roleCreate',
      'name',
      'name\nMatched role\n',
      'name,isDefault,requiresTwoFactor,access.board.level\nmatched ROLE,false,false,READ_ONLY\n',
      'roleUpdate',
    ],
    ['teamCreate', 'name', 'name\nMatched team\n', 'name\nmatched Team\n', 'teamUpdate'],
  ])('updates records of %s by %s', async (mutation, field, first, second, update) => {
    for (const [text, expected] of [
      [first, mutation],
      [second, update],
    ] as const) {
      const file = createFile(text);
      expect(await run(file, mutation, field)).toMatchObject({ code: 0 });
      expect(listStatuses(file)).toEqual([`DONE ${expected}`]);
    }
  });

  it('names rows and records with the same value before anything is sent', async () => {
    await createCustomers('Twice', ['twice@match.example', 'TWICE@match.example']);
    const file = createFile('title,email\nA,new@match.example\nB,twice@match.example\nC,NEW@match.example\n');
    const [{ code, err }, calls] = await testGraph.recordCalls(() => run(file, 'customerCreate', 'email'));
    expect([code, calls.filter((name) => !name.includes('Lookup'))]).toEqual([1, []]);
    expect(err).toContain(
      'rows.csv:3, column email: The value "twice@match.example" matches 2 records by email. Change its record, or leave the row out.',
    );
    expect(err).toContain('rows.csv:4, column email: The value occurred before, so both rows would be for the same record.');
  });

  it('doesn’t update the record of a row whose creation was lost', async () => {
    const file = createFile('title,email\nLost,lost@match.example\n');
    const transport = interceptCalls(async (request, usual) => {
      const response = await usual(request);
      if (request.path.endsWith('/CreateCustomer')) throw new TransportError(true, false);
      return response;
    });
    const args = ['--mutation', 'customerCreate', '--match', 'email'];
    expect(await runImport(testGraph.sandbox.url, file, args, { transport })).toMatchObject({ code: 3 });
    const [{ code }, calls] = await testGraph.recordCalls(() => runImport(testGraph.sandbox.url, file, args));
    expect(code).toBe(3);
    expect(calls.filter((name) => /Patch|Create/.test(name))).toEqual([]);
    const [customer] = listCustomers('Lost');
    expect(readResults(file)).toMatchObject([
      { status: 'OUTCOME_UNKNOWN', mutation: 'customerCreate', candidates: [toGlobalId('Customer', customer?.id ?? '')] },
    ]);
  });

  it.each([
    ['a mutation that creates nothing', 'customerUpdate', 'email', 'customerId\n1\n', '--match can’t be used with customerUpdate'],
    [
      'a field that isn’t unique',
      'customerCreate',
      'title',
      'title\nA\n',
      'can’t be matched by title. Match them by email or referenceNumber.',
    ],
    ['a missing column', 'customerCreate', 'email', 'title\nA\n', 'No column is for email, which --match names.'],
    [
      'custom fields',
      'customerCreate',
      'email',
      'email,customFields.floor_area\na@b.example,1\n',
      'because customerUpdate has no customFields',
    ],
  ])('rejects %s', async (_name, mutation, field, text, message) => {
    expect(await run(createFile(text), mutation, field)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  });

  it('rejects JSON lines', async () => {
    const file = createFile('{"title":"A"}\n', 'rows.jsonl');
    expect(await run(file, 'customerCreate', 'email')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--match is for files with columns'),
    });
  });
});
