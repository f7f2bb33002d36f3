import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Ledger } from '../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../src/ledger/sqliteStore.ts';
import { createLogger } from '../../src/server/logger.ts';
import { demoId } from '../sandbox/sandbox.ts';
import { useWorld } from '../support/world.ts';

const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(directory, { recursive: true }));
const lines: string[] = [];
const ledger = new Ledger({ store: new SqliteLedgerStore(join(directory, 'ledger.sqlite')), leaseMs: 60_000 });
const world = useWorld({}, undefined, { ledger, logger: createLogger('debug', { write: (line: string) => void lines.push(line) }) });

const BEGIN = `mutation ($input: CustomerFileUploadCreateInput!) {
  customerFileUploadCreate(input: $input) {
    ... on CustomerFileUploadCreatePayload { upload { rawId url method headers { name value } } effect }
  }
}`;

it('The ledger and the log keep no address of an upload, and a repeat is answered without it', async () => {
  const input = {
    customerId: demoId('customer 0'),
    kind: 'DOCUMENT',
    fileName: 'offer.pdf',
    contentType: 'application/pdf',
    sizeBytes: '10',
    idempotencyKey: 'a key',
  };
  const first = (await world.graph(BEGIN, { input })).data.customerFileUploadCreate;
  expect(first).toMatchObject({ upload: { url: expect.stringMatching(/^http/), headers: [expect.anything()] }, effect: 'DONE' });
  const [again, calls] = await world.calls(() => world.graph(BEGIN, { input }));
  expect(again.data.customerFileUploadCreate).toEqual({ upload: { ...first.upload, url: null, headers: [] }, effect: 'REPLAYED' });
  expect(calls).toEqual([]);

  const written = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  const secrets = [first.upload.url, ...first.upload.headers.map(({ value }: { value: string }) => value)];
  // The id is there, so what is looked through is what was written.
  expect(written.some((bytes) => bytes.includes(first.upload.rawId))).toBe(true);
  const kept = [...written, ...lines].filter((text) => secrets.some((secret) => text.includes(secret)));
  expect(kept).toEqual([]);
});
