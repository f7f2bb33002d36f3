import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const READ = 'query ($first: Int) { contacts(first: $first) { nodes { __typename } } }';
const CREATE = 'mutation ($name: String!) { contactCreate(input: { lastName: $name }) { __typename } }';
const TOO_MANY = `{ contacts { __typename } ${Array.from({ length: 251 }, (_, index) => `a${index}: __typename`).join(' ')} }`;
const STALE = '{ contactsOfOldTimes { id } }';
const OTHER = '{ customers(first: 1) { nodes { __typename } } }';

const directory = mkdtempSync(join(tmpdir(), 'trusted-'));
const writeDocuments = (name: string, content: string) => {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
};
const file = writeDocuments(
  'documents.json',
  JSON.stringify({ [sha256(READ)]: READ, 'a-name': READ, create: CREATE, tooMany: TOO_MANY, stale: STALE, 'x-of:us': READ }),
);

/** Writes a manifest of Apollo's tools, with other members. */
const writeManifest = (name: string, operations: unknown, members: object = {}) =>
  writeDocuments(name, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations, ...members }));
const manifest = writeManifest('manifest.json', [
  { id: sha256(READ), name: 'Read', type: 'query', body: READ },
  { id: 'create', name: 'Create', type: 'mutation', body: CREATE },
  // Manifests for several clients list an operation once for each.
  { id: 'create', name: 'Create', type: 'mutation', body: CREATE, clientName: 'web' },
]);

const onlyTrusted = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file } });
const withTrusted = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_MODE: 'also', APQ: 'true' } });
const ofManifest = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: manifest } });
const withoutTrusted = useTestGraph();
type Environment = typeof onlyTrusted;

async function send(testGraph: Environment, params: object, isGet = false) {
  const headers = { accept: 'application/graphql-response+json', authorization: 'Bearer demo-owner', 'content-type': 'application/json' };
  const texts = Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  const [response, calls] = await testGraph.recordCalls(() =>
    isGet
      ? fetch(`${testGraph.url}/graphql?${new URLSearchParams(Object.fromEntries(texts))}`, { headers })
      : fetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(params) }),
  );
  const { data, errors } = (await response.json()) as { data?: object; errors?: { extensions: { code: string } }[] };
  return { status: response.status, data, codes: errors?.map(({ extensions }) => extensions.code), calls };
}

const persistedQuery = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const expectContacts = (count: number) => ({
  status: 200,
  data: { contacts: { nodes: Array.from({ length: count }, () => ({ __typename: 'Contact' })) } },
  codes: undefined,
  calls: ['Contact/ListContacts'],
});
const expectError = (status: number, code: string) => ({ status, data: undefined, codes: [code], calls: [] });

describe('trusted document', () => {
  it.each([
    ['its hash', { documentId: sha256(READ) }],
    ['its hash with the sha256: prefix', { documentId: `sha256:${sha256(READ)}` }],
    ['a name', { documentId: 'a-name' }],
    ['a name with another prefix', { documentId: 'x-of:us' }],
    ['its hash in extensions.persistedQuery', persistedQuery(sha256(READ))],
  ])('executes by %s, with POST and GET', async (_name, params) => {
    for (const testGraph of [onlyTrusted, withTrusted]) {
      expect(await send(testGraph, { ...params, variables: { first: 2 } })).toEqual(expectContacts(2));
      expect(await send(testGraph, { ...params, variables: { first: 1 } }, true)).toEqual(expectContacts(1));
    }
  });

  it('executes by its ID in a manifest', async () => {
    expect(await send(ofManifest, { ...persistedQuery(sha256(READ)), variables: { first: 2 } })).toEqual(expectContacts(2));
    expect((await send(ofManifest, { documentId: 'create', variables: { name: 'Listed' } })).data).toEqual({
      contactCreate: { __typename: 'ContactCreatePayload' },
    });
    for (const documentId of ['format', 'operations', sha256(OTHER)])
      expect(await send(ofManifest, { documentId })).toEqual(expectError(400, 'PERSISTED_QUERY_NOT_IN_LIST'));
  });

  it('executes no mutation with GET', async () => {
    const params = { documentId: 'create', variables: { name: 'Got' } };
    expect(await send(onlyTrusted, params, true)).toEqual(expectError(405, 'BAD_REQUEST'));
    expect((await send(onlyTrusted, params)).data).toEqual({ contactCreate: { __typename: 'ContactCreatePayload' } });
  });

  it('undergoes validation against all limits and the current schema', async () => {
    expect(await send(onlyTrusted, { documentId: 'tooMany' })).toEqual(expectError(400, 'GRAPHQL_VALIDATION_FAILED'));
    expect(await send(onlyTrusted, { documentId: 'stale' })).toEqual(expectError(400, 'GRAPHQL_VALIDATION_FAILED'));
    expect(await send(onlyTrusted, { documentId: 'a-name', variables: { first: 'x' } })).toEqual(expectError(400, 'BAD_USER_INPUT'));
  });
});

describe('TRUSTED_DOCUMENTS_MODE=only', () => {
  it.each([
    ['a document', { query: OTHER }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['an empty request', {}, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['a trusted document without its ID', { query: READ }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['another document under a trusted ID', { query: OTHER, documentId: 'a-name' }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['a document under its own hash', { query: OTHER, ...persistedQuery(sha256(OTHER)) }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['an unknown ID', { documentId: sha256(OTHER) }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['the name of an inherited property', { documentId: 'constructor' }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['a path traversal', { documentId: '../documents.json' }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['introspection', { query: '{ __schema { types { name } } }' }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['the SDL query of a gateway', { query: '{ _service { sdl } }' }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['a batch', [{ query: OTHER }], 'BAD_REQUEST'],
  ])('rejects %s', async (_name, params, code) => {
    expect(await send(onlyTrusted, params)).toEqual(expectError(400, code));
    if (!Array.isArray(params)) expect(await send(onlyTrusted, params, true)).toEqual(expectError(400, code));
  });
});

describe('TRUSTED_DOCUMENTS_MODE=also', () => {
  it('executes any document', async () => {
    expect((await send(withTrusted, { query: OTHER })).codes).toBeUndefined();
    expect((await send(withTrusted, { query: OTHER, documentId: 'unknown' })).codes).toBeUndefined();
  });

  it('rejects an unknown ID', async () => {
    expect(await send(withTrusted, { documentId: 'unknown' })).toEqual(expectError(400, 'PERSISTED_QUERY_NOT_FOUND'));
    expect(await send(withTrusted, persistedQuery('unknown'))).toEqual(expectError(200, 'PERSISTED_QUERY_NOT_FOUND'));
  });

  it('prevents clients from registering a document under the ID of another one', async () => {
    const foreign = persistedQuery(sha256(READ));
    expect(await send(withTrusted, { query: OTHER, ...foreign })).toEqual(expectError(400, 'BAD_REQUEST'));
    expect(await send(withTrusted, { ...foreign, variables: { first: 1 } })).toEqual(expectContacts(1));
  });
});

describe('document sent with an ID', () => {
  it('returns BAD_REQUEST if the ID belongs to another document, with POST and GET', async () => {
    for (const id of ['a-name', sha256(READ), `sha256:${sha256(READ)}`, 'x-of:us']) {
      for (const isGet of [false, true]) {
        expect(await send(withTrusted, { query: OTHER, documentId: id }, isGet)).toEqual(expectError(400, 'BAD_REQUEST'));
        expect(await send(withTrusted, { query: OTHER, ...persistedQuery(id) }, isGet)).toEqual(expectError(400, 'BAD_REQUEST'));
      }
    }
    expect(await send(withTrusted, { query: CREATE, documentId: 'a-name', variables: { name: 'Other' } })).toEqual(
      expectError(400, 'BAD_REQUEST'),
    );
  });

  it('executes if the ID is its own', async () => {
    for (const params of [
      { documentId: 'a-name' },
      { documentId: sha256(READ) },
      { documentId: `sha256:${sha256(READ)}` },
      persistedQuery('a-name'),
    ])
      expect(await send(withTrusted, { query: READ, ...params, variables: { first: 2 } })).toEqual(expectContacts(2));
  });

  it('returns BAD_REQUEST if the hash doesn’t match, even if the ID is unknown', async () => {
    const foreign = sha256('{ another }');
    for (const testGraph of [withTrusted, withoutTrusted]) {
      expect(await send(testGraph, { query: READ, documentId: `sha256:${foreign}` })).toEqual(expectError(400, 'BAD_REQUEST'));
      expect(await send(testGraph, { query: READ, documentId: `sha256:${sha256(READ)}`, variables: { first: 1 } })).toEqual(
        expectContacts(1),
      );
    }
  });

  it('executes if the ID is unknown', async () => {
    // Apollo Client sends this for documents that a tool has hashed differently.
    expect(await send(withoutTrusted, { query: READ, ...persistedQuery(sha256(OTHER)), variables: { first: 1 } })).toEqual(
      expectContacts(1),
    );
    for (const testGraph of [withTrusted, withoutTrusted])
      expect(await send(testGraph, { query: READ, documentId: 'unknown', variables: { first: 1 } })).toEqual(expectContacts(1));
  });
});

describe('automatic persisted query', () => {
  it('serves all keys, each with its own response', async () => {
    const document = '{ viewer { workspace { name } } }';
    const fetchWorkspaceName = async (key: string, params: object) => {
      const response = await fetch(`${withTrusted.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...persistedQuery(sha256(document)), ...params }),
      });
      return (await response.json()).data?.viewer.workspace.name;
    };
    expect(await fetchWorkspaceName('demo-owner', { query: document })).toBe('Demo Works');
    expect(await fetchWorkspaceName('demo-neighbour', {})).toBe('Neighbour Works');
  });

  it('gets evicted when others fill the store', async () => {
    const first = '{ __typename }';
    const documents = Array.from({ length: 41 }, (_, index) => `{ __typename } #${index}${'x'.repeat(99_900)}`);
    for (const query of [first, ...documents])
      expect((await send(withTrusted, { query, ...persistedQuery(sha256(query)) })).status).toBe(200);
    expect(await send(withTrusted, persistedQuery(sha256(first)))).toEqual(expectError(200, 'PERSISTED_QUERY_NOT_FOUND'));
    expect((await send(withTrusted, persistedQuery(sha256(documents.at(-1) ?? '')))).data).toEqual({ __typename: 'Query' });
  });

  it('returns PERSISTED_QUERY_NOT_SUPPORTED if APQ is off', async () => {
    expect(await send(withoutTrusted, persistedQuery(sha256(READ)))).toEqual(expectError(200, 'PERSISTED_QUERY_NOT_SUPPORTED'));
    expect(await send(withoutTrusted, { query: READ, ...persistedQuery(sha256(READ)), variables: { first: 1 } })).toEqual(
      expectContacts(1),
    );
    expect(await send(withoutTrusted, { documentId: 'a-name' })).toEqual(expectError(200, 'PERSISTED_QUERY_NOT_SUPPORTED'));
  });

  it.each([5, {}, [], true, ''])('rejects the ID %j', async (id) => {
    for (const testGraph of [withTrusted, withoutTrusted, onlyTrusted]) {
      expect((await send(testGraph, { documentId: id })).status).toBe(400);
      expect((await send(testGraph, persistedQuery(id))).status).toBe(400);
      expect((await send(testGraph, { query: 5, ...persistedQuery('x') })).status).toBe(400);
    }
  });
});

describe('settings', () => {
  it.each([
    ['a missing file', join(directory, 'nothing.json'), 'nothing.json failed with ENOENT'],
    ['a file without JSON', writeDocuments('text.json', 'hello'), 'the file contains none'],
    ['a list', writeDocuments('list.json', '["{ __typename }"]'), 'the file contains none'],
    ['an object without documents', writeDocuments('empty.json', '{}'), 'the file contains none'],
    ['a manifest of another version', writeManifest('next.json', [{ id: 'a', body: READ }], { version: 2 }), 'manifest, version 1.'],
    ['a manifest of another tool', writeManifest('other.json', [{ id: 'a', body: READ }], { format: 'other' }), 'manifest, version 1.'],
    ['a manifest without operations', writeManifest('none.json', []), 'the file contains none'],
    ['a manifest that isn’t a list', writeManifest('object.json', { a: READ }), 'manifest, version 1.'],
    ['an operation without a document', writeManifest('bodies.json', [{ id: 'a', body: READ }, { id: 'b' }]), 'operations[1]'],
    ['an operation that isn’t an object', writeManifest('nulls.json', [null]), 'operations[0]'],
    [
      'two documents with an ID',
      writeManifest(
        'two.json',
        [READ, OTHER].map((body) => ({ id: 'a', body })),
      ),
      'two documents with the ID a',
    ],
    ['a document that isn’t a string', writeDocuments('number.json', '{ "a": 5 }'), 'the value of a isn’t a string'],
  ])('reject %s', (_name, path, message) => {
    expect(() => readConfig({ TRUSTED_DOCUMENTS: path })).toThrow(message);
  });

  it('reject conflicting values', () => {
    expect(() => readConfig({ TRUSTED_DOCUMENTS_MODE: 'only' })).toThrow(
      'TRUSTED_DOCUMENTS_MODE=only requires TRUSTED_DOCUMENTS. Set TRUSTED_DOCUMENTS, or change',
    );
    expect(() => readConfig({ TRUSTED_DOCUMENTS: file, APQ: 'true' })).toThrow(
      'APQ=true requires TRUSTED_DOCUMENTS_MODE=also. Set TRUSTED_DOCUMENTS_MODE=also, or change APQ.',
    );
    expect(() => readConfig({ APQ: 'maybe' })).toThrow('APQ must be true or false, but is maybe.');
  });
});
