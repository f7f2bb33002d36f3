import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { generate } from '@graphql-codegen/cli';
import { type DocumentNode, parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { compileDocuments } from './relayArtifacts.ts';
import { refuseWarnings } from './warnings.ts';

refuseWarnings();

const directory = mkdtempSync(join(tmpdir(), 'trusted-'));
afterAll(() => rm(directory, { recursive: true }));

const CONTACTS = gql`query Contacts($first: Int) { contacts(first: $first) { nodes { id rawId } } }`;
const CUSTOMERS = gql`query Customers { customers(first: 1) { nodes { id } } }`;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An Apollo Client that records the kinds of its requests. */
function startApollo(url: string, generateHash?: (document: DocumentNode) => string) {
  const sent: string[] = [];
  const http = new HttpLink({
    uri: `${url}/graphql`,
    headers: { authorization: 'Bearer demo-owner' },
    fetch: (address, init) => {
      const { query } = init?.body ? JSON.parse(String(init.body)) : { query: undefined };
      sent.push(`${init?.method} ${query ? 'document' : 'hash'}`);
      return fetch(address, init);
    },
  });
  const persisted = new PersistedQueryLink({
    ...(generateHash ? { generateHash } : { sha256 }),
    useGETForHashedQueries: true,
  });
  const client = new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from([persisted, http]), devtools: { enabled: false } });
  return {
    sent,
    ask: async (query: DocumentNode, variables = {}) =>
      (await client.query({ query, variables, fetchPolicy: 'network-only', errorPolicy: 'all' })) as {
        data: { contacts: { nodes: { rawId: string }[] } };
        error?: Error;
      },
  };
}

describe('automatic persisted queries', () => {
  const on = useTestGraph({}, undefined, { env: { APQ: 'true' } });
  const off = useTestGraph();

  it('sends a document once, then only its hash', async () => {
    const { ask: sendRequest, sent } = startApollo(on.url);
    for (const first of [1, 2, 3]) expect((await sendRequest(CONTACTS, { first })).data.contacts.nodes).toHaveLength(first);
    expect(sent).toEqual(['GET hash', 'POST document', 'GET hash', 'GET hash']);
    const other = startApollo(on.url);
    await other.ask(CONTACTS, { first: 1 });
    expect(other.sent).toEqual(['GET hash']);
  });

  it('stops sending hashes if they are disabled in the graph', async () => {
    const { ask: sendRequest, sent } = startApollo(off.url);
    for (const first of [1, 2]) expect((await sendRequest(CONTACTS, { first })).data.contacts.nodes).toHaveLength(first);
    expect(sent).toEqual(['GET hash', 'POST document', 'POST document']);
  });
});

describe('documents persisted by GraphQL Code Generator', () => {
  const file = join(directory, 'codegen.json');
  let persisted: Record<string, string>;
  beforeAll(async () => {
    const [manifest] = (
      await generate(
        {
          schema: 'schema.graphql',
          documents: [print(CONTACTS)],
          silent: true,
          generates: { './gql/': { preset: 'client', presetConfig: { persistedDocuments: { hashAlgorithm: 'sha256' } } } },
        },
        false,
      )
    ).filter(({ filename }: { filename: string }) => filename.endsWith('persisted-documents.json'));
    persisted = JSON.parse(manifest.content);
    await writeFile(file, manifest.content);
  });
  const only = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file } });
  const also = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_MODE: 'also' } });

  /** The ID of the document with the same name in the manifest. */
  const getDocumentId = (document: DocumentNode) => {
    const getName = ({ definitions: [first] }: DocumentNode) => (first && 'name' in first ? first.name?.value : undefined);
    return Object.entries(persisted).find(([, text]) => getName(parse(text)) === getName(document))?.[0] ?? 'unheard-of';
  };

  it('executes by document ID and rejects other documents', async () => {
    const { ask: sendRequest, sent } = startApollo(only.url, getDocumentId);
    expect((await sendRequest(CONTACTS, { first: 2 })).data.contacts.nodes).toHaveLength(2);
    const [{ error }, calls] = await only.recordCalls(() => sendRequest(CUSTOMERS));
    expect([error?.message, calls, sent]).toEqual(['No trusted document has this ID.', [], ['GET hash', 'GET hash']]);
  });

  it('executes other documents as well in mode also', async () => {
    const { ask: sendRequest, sent } = startApollo(also.url, getDocumentId);
    expect((await sendRequest(CONTACTS, { first: 2 })).data.contacts.nodes).toHaveLength(2);
    expect((await sendRequest(CUSTOMERS)).error).toBeUndefined();
    expect(sent).toEqual(['GET hash', 'GET hash', 'POST document']);
  });
});

describe('documents of a manifest of @apollo/generate-persisted-query-manifest', () => {
  const file = join(directory, 'manifest.json');
  /** Output of version 1.4.0 for a file with the document above. The tool isn't installed, because it brings its own copy of Apollo Client. */
  const MANIFEST = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [
      {
        id: 'e117c55b0fab410b1db020326af6d09d6b5170795f71558e0687e33dee15018f',
        name: 'Contacts',
        type: 'query',
        body: 'query Contacts($first: Int) {\n  contacts(first: $first) {\n    nodes {\n      id\n      rawId\n      __typename\n    }\n    __typename\n  }\n}',
      },
    ],
  };
  beforeAll(() => writeFile(file, JSON.stringify(MANIFEST)));
  const testGraph = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file } });

  it('executes by the hash that Apollo Client computes, and rejects other documents', async () => {
    const { ask: sendRequest, sent } = startApollo(testGraph.url);
    expect((await sendRequest(CONTACTS, { first: 2 })).data.contacts.nodes).toHaveLength(2);
    const [{ error }, calls] = await testGraph.recordCalls(() => sendRequest(CUSTOMERS));
    expect([error?.message, calls, sent]).toEqual(['No trusted document has this ID.', [], ['GET hash', 'GET hash']]);
  });
});

describe('documents persisted by relay-compiler', () => {
  const file = join(directory, 'relay.json');
  beforeAll(async () => {
    // relay-compiler only appends to an existing file.
    await writeFile(file, '{}');
    await compileDocuments(directory, { persistConfig: { file } });
  });
  const testGraph = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file } });

  it('executes by document ID', async () => {
    const persisted: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
    const [id] = Object.entries(persisted).find(([, text]) => text.startsWith('query quotesScreenQuery(')) ?? [];
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ documentId: id, variables: { id: demoId('customer 0'), count: 1 } }),
    });
    const { data, errors } = await response.json();
    expect([errors, Object.values(data)]).toEqual([undefined, [expect.objectContaining({ quotes: expect.anything() })]]);
  });
});
