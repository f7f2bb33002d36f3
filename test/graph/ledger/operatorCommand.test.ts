import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runLedgerCommand } from '../../../src/ledger/command.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const file = join(mkdtempSync(join(tmpdir(), 'operator-')), 'ledger.sqlite');
const testGraph = useTestGraph({}, undefined, { ledger: new Ledger({ store: new SqliteLedgerStore(file), leaseMs: 60_000 }) });
afterEach(() => testGraph.sandbox.faults.clear());

const runCommand = (...args: readonly string[]) => runLedgerCommand(args, `file:${file}`);
const listEntries = async (...args: readonly string[]) =>
  JSON.parse(await runCommand('list', '--json', ...args)) as { id: string; operation: string; startedAt: string; expiresAt: string }[];

const CREATE = `mutation ($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on ContactCreatePayload { effect contact { lastName } }
    ... on MutationError { code retry message }
  }
}`;
const create = async (idempotencyKey: string, lastName = 'Adler') => {
  const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input: { lastName, idempotencyKey } }));
  return { ...data.contactCreate, sent: calls.filter((operation) => operation === 'Contact/CreateContact').length };
};

/** Sends a creation whose response is lost, and returns the ID of its entry. */
async function loseResponse(idempotencyKey: string): Promise<string> {
  testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', cut: 'after', times: 1 });
  expect(await create(idempotencyKey)).toMatchObject({ code: 'OUTCOME_UNKNOWN', sent: 1 });
  const [entry, ...others] = await listEntries('--idempotency-key', idempotencyKey);
  expect([entry?.operation, others]).toEqual(['Contact/CreateContact', []]);
  return entry?.id ?? '';
}

const fetchState = async (idempotencyKey: string) => {
  const query = 'query ($key: String!) { idempotentOperation(operation: "contactCreate", idempotencyKey: $key) { state } }';
  return (await testGraph.execute(query, { key: idempotencyKey })).data.idempotentOperation.state;
};

describe('workspace-graph ledger', () => {
  it('lists each mutation with an unknown outcome once, oldest first, without keys or input', async () => {
    const ids = [await loseResponse('listed 1'), await loseResponse('listed 2')];
    await create('listed 3');
    const entries = await listEntries();
    expect(entries.map(({ id }) => id)).toEqual(ids);
    const [{ startedAt = '', expiresAt = '' } = {}] = entries;
    expect((Date.parse(expiresAt) - Date.parse(startedAt)) / 86_400_000).toBeCloseTo(7, 2);
    const text = await runCommand('list');
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain(`${ids[0]}  ${startedAt}  ${expiresAt}  Contact/CreateContact`);
    expect(text).not.toMatch(/listed|Adler|demo-owner/);
    for (const id of ids) await runCommand('resolve', id, '--applied');
    expect(await runCommand('list')).toBe('There is no mutation with an unknown outcome.');
  });

  it('lets clients retry a mutation that wasn’t applied', async () => {
    const id = await loseResponse('not applied');
    expect(await create('not applied')).toMatchObject({ code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY', sent: 0 });
    expect(await runCommand('resolve', id, '--not-applied')).toBe(`Recorded that ${id} wasn’t applied. A retry sends it again.`);
    expect(await fetchState('not applied')).toBe('FAILED');
    expect(await create('not applied')).toMatchObject({ effect: 'DONE', contact: { lastName: 'Adler' }, sent: 1 });
  });

  it('blocks retries of a mutation that was applied', async () => {
    const id = await loseResponse('applied');
    expect(await runCommand('resolve', id, '--applied')).toBe(`Recorded that ${id} was applied.`);
    expect(await fetchState('applied')).toBe('SUCCEEDED');
    expect(await create('applied')).toEqual({
      __typename: 'IdempotencyKeyReusedError',
      code: 'IDEMPOTENCY_KEY_REUSED',
      retry: 'NEVER',
      message:
        'This idempotencyKey belongs to a mutation whose response was lost, and an operator confirmed that it was applied. Read the affected record instead of retrying.',
      sent: 0,
    });
  });

  it('rejects an ID without an unknown outcome', async () => {
    const id = await loseResponse('resolved twice');
    await runCommand('resolve', id, '--applied');
    for (const unknown of [id, 'x'])
      await expect(runCommand('resolve', unknown, '--not-applied')).rejects.toThrow(
        `There is no mutation with an unknown outcome and the ID ${unknown}. Run ledger list.`,
      );
    expect(await fetchState('resolved twice')).toBe('SUCCEEDED');
  });

  it('doesn’t list a mutation in progress', async () => {
    const held = testGraph.gate.hold('Contact/CreateContact');
    const created = create('in progress');
    await held.arrived;
    expect(await listEntries()).toEqual([]);
    held.release();
    expect(await created).toMatchObject({ effect: 'DONE' });
  });

  it.each([
    [[]],
    [['list', 'x']],
    [['list', '--applied']],
    [['resolve', '--applied']],
    [['resolve', 'x']],
    [['resolve', 'x', '--applied', '--not-applied']],
    [['resolve', 'x', 'y', '--applied']],
  ])('rejects the arguments %j', async (args) => {
    await expect(runCommand(...args)).rejects.toThrow(
      'Use ledger list, or ledger resolve with an ID and either --applied or --not-applied.',
    );
  });

  it.each([[':memory:'], [`${file}.missing`]])('rejects the ledger file %s, which doesn’t exist', async (path) => {
    await expect(runLedgerCommand(['list'], `file:${path}`)).rejects.toThrow(
      `There is no ledger at ${path}. Set LEDGER_URL to the same value as for the graph.`,
    );
  });
});
