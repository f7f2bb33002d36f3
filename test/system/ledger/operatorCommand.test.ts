import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutcomeUnknownError } from '../../../src/failures/failures.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { RedisLedgerStore } from '../../../src/ledger/redisStore.ts';
import { openLedgerFile } from '../../../src/ledger/sqliteStore.ts';
import { connectRedis } from '../../../src/lib/redis.ts';
import { CreateContact } from '../../../src/upstream/contract/generated/operations.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';

/** More entries than Redis returns in one step of a scan. */
const SETTLED_ENTRIES = 2_500;
/** Entries that are written at the same time. Few enough for a slow machine: Redis has two seconds for each. */
const BATCH = 50;

const redis = useRedis();
const file = `file:${join(mkdtempSync(join(tmpdir(), 'operator-')), 'ledger.sqlite')}`;

async function openLedger(url: string) {
  if (url === file) {
    const ledger = new Ledger({ store: await openLedgerFile(url), leaseMs: 60_000 });
    return { ledger, close: () => ledger.close() };
  }
  const connection = await connectRedis(url, () => {});
  const ledger = new Ledger({ store: new RedisLedgerStore(connection), leaseMs: 60_000 });
  return { ledger, close: () => ledger.close().then(() => connection.close()) };
}

describe.each([
  { kind: 'a file', urlOf: () => file, isThere: true },
  { kind: `Redis${redisNote}`, urlOf: () => redis.url, isThere: hasRedis },
])('workspace-graph ledger with $kind', ({ urlOf, isThere }) => {
  let opened: Awaited<ReturnType<typeof openLedger>> | undefined;
  beforeAll(async () => {
    if (isThere) opened = await openLedger(urlOf());
  });
  afterAll(() => opened?.close());

  const run = (...args: readonly string[]) => {
    const env = { ...process.env, LEDGER_URL: urlOf() };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', 'ledger', ...args], { encoding: 'utf8', env });
    return { status, stdout, stderr };
  };
  const use = async (idempotencyKey: string, send: () => Promise<object>) =>
    opened?.ledger.runOnce({
      keyHash: 'a key',
      callerId: 'a key',
      workspaceId: 'workspace',
      operation: CreateContact,
      idempotencyKey,
      request: {},
      findProblem: () => undefined,
      prepare: async () => {},
      send,
      redact: (response) => response,
      restore: (stored) => stored,
      reconcile: async () => undefined,
      recheckAccess: async () => {},
      isDeduplicatedUpstream: false,
    });

  it.runIf(isThere)('lists the lost mutation among thousands of others and resolves it', async () => {
    const lost = new OutcomeUnknownError({ startedAt: new Date(), idempotencyKey: null, advice: 'Look.', retry: 'CHECK_FIRST' });
    await expect(use('lost', () => Promise.reject(lost))).rejects.toThrow(OutcomeUnknownError);
    for (let first = 0; first < SETTLED_ENTRIES; first += BATCH)
      await Promise.all(Array.from({ length: BATCH }, (_, index) => use(`done ${first + index}`, async () => ({}))));

    const listed = run('list', '--json');
    expect([listed.status, listed.stderr]).toEqual([0, '']);
    const entries = JSON.parse(listed.stdout) as { readonly id: string }[];
    expect(entries).toEqual([
      { id: expect.any(String), operation: 'Contact/CreateContact', startedAt: expect.any(String), expiresAt: expect.any(String) },
    ]);
    const [{ id = '' } = {}] = entries;
    expect(run('resolve', id, '--not-applied')).toEqual({
      status: 0,
      stdout: `Recorded that ${id} wasn’t applied. A retry sends it again.\n`,
      stderr: '',
    });
    expect(await use('lost', async () => ({}))).toMatchObject({ effect: 'DONE' });
    expect(run('resolve', id, '--applied')).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no mutation with an unknown outcome and the ID ${id}. Run ledger list.\n`,
    });
  });
});
