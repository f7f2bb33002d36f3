import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { getGraph } from '../../support/getGraph.ts';
import { readRecordedSecrets, SecretSearch } from '../../support/secrets.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
const lines: string[] = [];
const ledger = new Ledger({ store: new SqliteLedgerStore(join(directory, 'ledger.sqlite')), leaseMs: 60_000 });
const testGraph = useTestGraph({}, undefined, {
  ledger,
  logger: createLogger('debug', { write: (line: string) => void lines.push(line) }),
});

const issuedSecrets: string[] = [];

const CREATE_UPLOAD = `mutation ($input: CustomerFileUploadCreateInput!) {
  customerFileUploadCreate(input: $input) {
    ... on CustomerFileUploadCreatePayload { upload { rawId url method headers { name value } } effect }
  }
}`;

/** Returns the secrets that the ledger's files or the log contain. `witness` must be in the ledger, which proves that the files contain the stored records. */
function findStored(secrets: readonly string[], witness: string): string[] {
  const written = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  expect(written.some((bytes) => bytes.includes(witness))).toBe(true);
  return secrets.filter((secret) => [...written, ...lines].some((text) => text.includes(secret)));
}

it('stores and logs no upload URL, and omits it from a replay', async () => {
  const input = {
    customerId: demoId('customer 0'),
    kind: 'DOCUMENT',
    fileName: 'offer.pdf',
    contentType: 'application/pdf',
    sizeBytes: '10',
    idempotencyKey: 'a key',
  };
  const first = (await testGraph.execute(CREATE_UPLOAD, { input })).data.customerFileUploadCreate;
  expect(first).toMatchObject({ upload: { url: expect.stringMatching(/^http/), headers: [expect.anything()] }, effect: 'DONE' });
  const [again, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE_UPLOAD, { input }));
  expect(again.data.customerFileUploadCreate).toEqual({ upload: { ...first.upload, url: null, headers: [] }, effect: 'REPLAYED' });
  expect(calls).toEqual(['Customer/GetCustomer']);

  const secrets = [first.upload.url, ...first.upload.headers.map(({ value }: { value: string }) => value)];
  expect(findStored(secrets, first.upload.rawId)).toEqual([]);
  issuedSecrets.push(first.upload.url);
});

const CREATE_LINK = `mutation ($input: MemberInviteLinkCreateInput!) {
  memberInviteLinkCreate(input: $input) { ... on MemberInviteLinkCreatePayload { link { url expiresAt } effect } }
}`;

it('stores and logs no invite link, and omits it from a replay', async () => {
  const input = { roleIds: [demoId('role planner')], idempotencyKey: 'a link' };
  const first = (await testGraph.execute(CREATE_LINK, { input })).data.memberInviteLinkCreate;
  expect(first).toEqual({ link: { url: expect.stringMatching(/^https:/), expiresAt: expect.any(String) }, effect: 'DONE' });
  const [again, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE_LINK, { input }));
  expect(again.data.memberInviteLinkCreate).toEqual({ link: null, effect: 'REPLAYED' });
  expect(calls).toEqual([]);
  const expiresAt = String(Date.parse(first.link.expiresAt) / 1000);
  issuedSecrets.push(first.link.url);
  expect(findStored([first.link.url, first.link.url.split('/').at(-1)], expiresAt)).toEqual([]);
});

const SEND_NOTIFICATION = `mutation ($input: ActionRequestNotificationSendInput!) {
  actionRequestNotificationSend(input: $input) { ... on ActionRequestNotificationSendPayload { actionRequest { rawId } portalUrl effect } }
}`;

it('stores and logs no portal link, and omits it from a replay', async () => {
  const actionRequestId = await new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }).id('ActionRequest');
  const input = { actionRequestId, idempotencyKey: 'a notification' };
  const first = (await testGraph.execute(SEND_NOTIFICATION, { input })).data.actionRequestNotificationSend;
  expect(first).toEqual({ actionRequest: { rawId: actionRequestId }, portalUrl: expect.stringMatching(/^https:/), effect: 'DONE' });
  const { data } = await testGraph.execute(SEND_NOTIFICATION, { input });
  expect(data.actionRequestNotificationSend).toEqual({ ...first, portalUrl: null, effect: 'REPLAYED' });
  expect(findStored([first.portalUrl, first.portalUrl.split('/').at(-1)], actionRequestId)).toEqual([]);
});

describe('secret search of the whole test run', () => {
  it('knows every secret that a sandbox has issued', () => {
    const known = readRecordedSecrets(process.env.SECRETS_HANDED_OUT ?? '');
    expect(issuedSecrets.length).toBeGreaterThan(1);
    for (const url of issuedSecrets) expect(known.some((secret) => url.includes(secret))).toBe(true);
  });

  it.each([
    ['within a word', 'xxthe-secret-of-thirty-letters-hereyy'],
    ['in binary data', '\u0000\u0001the-secret-of-thirty-letters-here\u0002'],
  ])('finds a secret %s', (_where, text) => {
    const search = new SecretSearch(['another-secret-of-many-letters', 'the-secret-of-thirty-letters-here']);
    expect(search.searchText(text)).toEqual(['the-secret-of-thirty-letters-here']);
    expect(search.searchText(text.replace('thirty', 'forty'))).toEqual([]);
  });

  it('finds API keys, except in the database of a sandbox', () => {
    const text = '{"headers":{"authorization":"Bearer demo-owner","x-api-key":"test-key-12"}}';
    expect(new SecretSearch([]).searchText(text)).toEqual(['demo-owner', 'test-key-12']);
    expect(new SecretSearch([]).searchText(`CREATE TABLE api_keys ${text}`)).toEqual([]);
  });
});

it('selects no secret in GraphiQL’s example documents', () => {
  const { schema } = getGraph();
  const info = new TypeInfo(schema);
  const secretFields: string[] = [];
  let fields = 0;
  for (const { query } of readExamples())
    visit(
      parse(query),
      visitWithTypeInfo(info, {
        Field: ({ name }) => {
          fields += 1;
          const { directives = [] } = (info.getFieldDef()?.extensions ?? {}) as { directives?: readonly { args?: { name?: string } }[] };
          if (directives.some(({ args }) => args?.name === 'secret')) secretFields.push(name.value);
        },
      }),
    );
  expect(fields).toBeGreaterThan(100);
  expect(secretFields).toEqual([]);
});
