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
const fileOf = (name: string, content: string) => {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
};
const file = fileOf(
  'documents.json',
  JSON.stringify({ [sha256(READ)]: READ, 'a-name': READ, create: CREATE, tooMany: TOO_MANY, stale: STALE, 'x-of:us': READ }),
);

const only = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file } });
const also = useTestGraph({}, undefined, { env: { TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_MODE: 'also', APQ: 'true' } });
const none = useTestGraph();
type Environment = typeof only;

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

const apollo = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const answered = (count: number) => ({
  status: 200,
  data: { contacts: { nodes: Array.from({ length: count }, () => ({ __typename: 'Contact' })) } },
  codes: undefined,
  calls: ['Contact/ListContacts'],
});
const refused = (status: number, code: string) => ({ status, data: undefined, codes: [code], calls: [] });

describe('a trusted document', () => {
  it.each([
    ['its hash', { documentId: sha256(READ) }],
    ['its hash, with the prefix of GraphQL over HTTP', { documentId: `sha256:${sha256(READ)}` }],
    ['a name', { documentId: 'a-name' }],
    ['a name with a prefix', { documentId: 'x-of:us' }],
    ['its hash, as Apollo has it', apollo(sha256(READ))],
  ])('is executed by %s, by POST and by GET', async (_name, params) => {
    for (const testGraph of [only, also]) {
      expect(await send(testGraph, { ...params, variables: { first: 2 } })).toEqual(answered(2));
      expect(await send(testGraph, { ...params, variables: { first: 1 } }, true)).toEqual(answered(1));
    }
  });

  it('changes nothing by GET', async () => {
    const params = { documentId: 'create', variables: { name: 'Got' } };
    expect(await send(only, params, true)).toEqual(refused(405, 'BAD_REQUEST'));
    expect((await send(only, params)).data).toEqual({ contactCreate: { __typename: 'ContactCreatePayload' } });
  });

  it('is held to all limits, and to the graph as it is now', async () => {
    expect(await send(only, { documentId: 'tooMany' })).toEqual(refused(400, 'GRAPHQL_VALIDATION_FAILED'));
    expect(await send(only, { documentId: 'stale' })).toEqual(refused(400, 'GRAPHQL_VALIDATION_FAILED'));
    expect(await send(only, { documentId: 'a-name', variables: { first: 'x' } })).toEqual(refused(400, 'BAD_USER_INPUT'));
  });
});

describe('where only trusted documents are executed', () => {
  it.each([
    ['a document', { query: OTHER }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['nothing', {}, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['a trusted document, without its id', { query: READ }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['another document under a trusted id', { query: OTHER, documentId: 'a-name' }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['a document under its own hash', { query: OTHER, ...apollo(sha256(OTHER)) }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['an id that is not known', { documentId: sha256(OTHER) }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['the name of something that every object has', { documentId: 'constructor' }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['a way out of it', { documentId: '../documents.json' }, 'PERSISTED_QUERY_NOT_IN_LIST'],
    ['introspection', { query: '{ __schema { types { name } } }' }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['what a gateway asks', { query: '{ _service { sdl } }' }, 'PERSISTED_QUERY_ID_REQUIRED'],
    ['two requests at once', [{ query: OTHER }], 'BAD_REQUEST'],
  ])('%s is refused', async (_name, params, code) => {
    expect(await send(only, params)).toEqual(refused(400, code));
    if (!Array.isArray(params)) expect(await send(only, params, true)).toEqual(refused(400, code));
  });
});

describe('beside trusted documents', () => {
  it('anything is executed', async () => {
    expect((await send(also, { query: OTHER })).codes).toBeUndefined();
    expect((await send(also, { query: OTHER, documentId: 'unknown' })).codes).toBeUndefined();
  });

  it('an id that is not known is told so', async () => {
    expect(await send(also, { documentId: 'unknown' })).toEqual(refused(400, 'PERSISTED_QUERY_NOT_FOUND'));
    expect(await send(also, apollo('unknown'))).toEqual(refused(200, 'PERSISTED_QUERY_NOT_FOUND'));
  });

  it('nobody can put a document under the id of another one', async () => {
    const foreign = apollo(sha256(READ));
    expect(await send(also, { query: OTHER, ...foreign })).toEqual(refused(400, 'BAD_REQUEST'));
    expect(await send(also, { ...foreign, variables: { first: 1 } })).toEqual(answered(1));
  });
});

describe('a document that comes with an id', () => {
  it('is refused when the id is that of another one, by POST and by GET', async () => {
    for (const id of ['a-name', sha256(READ), `sha256:${sha256(READ)}`, 'x-of:us']) {
      for (const isGet of [false, true]) {
        expect(await send(also, { query: OTHER, documentId: id }, isGet)).toEqual(refused(400, 'BAD_REQUEST'));
        expect(await send(also, { query: OTHER, ...apollo(id) }, isGet)).toEqual(refused(400, 'BAD_REQUEST'));
      }
    }
    expect(await send(also, { query: CREATE, documentId: 'a-name', variables: { name: 'Other' } })).toEqual(refused(400, 'BAD_REQUEST'));
  });

  it('is executed when the id is its own', async () => {
    for (const params of [
      { documentId: 'a-name' },
      { documentId: sha256(READ) },
      { documentId: `sha256:${sha256(READ)}` },
      apollo('a-name'),
    ])
      expect(await send(also, { query: READ, ...params, variables: { first: 2 } })).toEqual(answered(2));
  });

  it('is refused when it is said to have another hash, whether any document is known or kept', async () => {
    const foreign = sha256('{ another }');
    for (const testGraph of [also, none]) {
      expect(await send(testGraph, { query: READ, documentId: `sha256:${foreign}` })).toEqual(refused(400, 'BAD_REQUEST'));
      expect(await send(testGraph, { query: READ, documentId: `sha256:${sha256(READ)}`, variables: { first: 1 } })).toEqual(answered(1));
    }
  });

  it('is executed when nobody knows what the id stands for', async () => {
    // As Apollo Client sends documents that a tool has hashed in its own way.
    expect(await send(none, { query: READ, ...apollo(sha256(OTHER)), variables: { first: 1 } })).toEqual(answered(1));
    for (const testGraph of [also, none])
      expect(await send(testGraph, { query: READ, documentId: 'unknown', variables: { first: 1 } })).toEqual(answered(1));
  });
});

describe('a document that is kept under its hash', () => {
  it('is for all keys, and what it answers is for one', async () => {
    const document = '{ viewer { workspace { name } } }';
    const ask = async (key: string, params: object) => {
      const response = await fetch(`${also.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...apollo(sha256(document)), ...params }),
      });
      return (await response.json()).data?.viewer.workspace.name;
    };
    expect(await ask('demo-owner', { query: document })).toBe('Demo Works');
    expect(await ask('demo-neighbour', {})).toBe('Neighbour Works');
  });

  it('goes when others have come that fill the room', async () => {
    const first = '{ __typename }';
    const documents = Array.from({ length: 41 }, (_, index) => `{ __typename } #${index}${'x'.repeat(99_900)}`);
    for (const query of [first, ...documents]) expect((await send(also, { query, ...apollo(sha256(query)) })).status).toBe(200);
    expect(await send(also, apollo(sha256(first)))).toEqual(refused(200, 'PERSISTED_QUERY_NOT_FOUND'));
    expect((await send(also, apollo(sha256(documents.at(-1) ?? '')))).data).toEqual({ __typename: 'Query' });
  });

  it('is none where that is off, which is told', async () => {
    expect(await send(none, apollo(sha256(READ)))).toEqual(refused(200, 'PERSISTED_QUERY_NOT_SUPPORTED'));
    expect(await send(none, { query: READ, ...apollo(sha256(READ)), variables: { first: 1 } })).toEqual(answered(1));
    expect(await send(none, { documentId: 'a-name' })).toEqual(refused(200, 'PERSISTED_QUERY_NOT_SUPPORTED'));
  });

  it.each([5, {}, [], true, ''])('has no id such as %j', async (id) => {
    for (const testGraph of [also, none, only]) {
      expect((await send(testGraph, { documentId: id })).status).toBe(400);
      expect((await send(testGraph, apollo(id))).status).toBe(400);
      expect((await send(testGraph, { query: 5, ...apollo('x') })).status).toBe(400);
    }
  });
});

describe('the settings', () => {
  it.each([
    ['a file that is not there', join(directory, 'nothing.json'), 'nothing.json failed with ENOENT'],
    ['a file that is no JSON', fileOf('text.json', 'hello'), 'the file contains none'],
    ['a list', fileOf('list.json', '["{ __typename }"]'), 'the file contains none'],
    ['an object without documents', fileOf('empty.json', '{}'), 'the file contains none'],
    ['a document that is no text', fileOf('number.json', '{ "a": 5 }'), 'the value of a isn’t a string'],
  ])('refuse %s', (_name, path, message) => {
    expect(() => readConfig({ TRUSTED_DOCUMENTS: path })).toThrow(message);
  });

  it('refuse what does not go together', () => {
    expect(() => readConfig({ TRUSTED_DOCUMENTS_MODE: 'only' })).toThrow(
      'TRUSTED_DOCUMENTS_MODE=only requires TRUSTED_DOCUMENTS. Set TRUSTED_DOCUMENTS, or change',
    );
    expect(() => readConfig({ TRUSTED_DOCUMENTS: file, APQ: 'true' })).toThrow(
      'APQ=true requires TRUSTED_DOCUMENTS_MODE=also. Set TRUSTED_DOCUMENTS_MODE=also, or change APQ.',
    );
    expect(() => readConfig({ APQ: 'maybe' })).toThrow('APQ must be true or false, but is maybe.');
  });
});
