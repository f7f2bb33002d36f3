import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import type { Transport } from '../../../src/upstream/transport/transport.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const GET = 'Contact/GetContact';
const CREATE = 'Contact/CreateContact';
const READ = '{ contact(id: "c1") { lastName } }';
const WRITE = `mutation {
  contactCreate(input: { lastName: "Ada" }) { __typename ... on MutationError { code } ... on ContactCreatePayload { contact { lastName } } }
}`;

/** Parts of a response with a last name in these bytes. Each part is sent on its own. */
const respondWith = (...name: readonly (readonly number[])[]): readonly Buffer[] => [
  Buffer.from('{"contact":{"id":"c1","version":"1","lastName":"'),
  ...name.map((bytes) => Buffer.from(bytes)),
  Buffer.from('"}}'),
];

describe('response of the upstream', () => {
  let parts: readonly Buffer[] = [];
  let transport: Transport | undefined;
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const part of parts) await new Promise((resolve) => response.write(part, resolve));
    response.end();
  });
  const testGraph = useTestGraph({}, undefined, {
    transport: interceptCalls((request, usual) =>
      transport && [GET, CREATE].some((name) => request.path.endsWith(name)) ? transport.send(request) : usual(request),
    ),
  });
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    transport = httpTransport({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: 1 });
  });
  afterAll(async () => {
    await transport?.close();
    server.close();
  });
  beforeEach(() => {
    parts = [];
  });

  it.each<readonly [name: string, expected: string, parts: readonly Buffer[]]>([
    ['a character whose bytes arrive in two parts', 'é', respondWith([0xc3], [0xa9])],
    ['a replacement character', '\ufffd', respondWith([0xef, 0xbf, 0xbd])],
    ['a character of four bytes', '𝄞', respondWith([0xf0, 0x9d], [0x84, 0x9e])],
    ['a byte order mark', 'A', [Buffer.from('\ufeff'), ...respondWith([0x41])]],
  ])('returns the text if it has %s', async (_name, expected, given) => {
    parts = given;
    expect(await testGraph.execute(READ)).toMatchObject({ data: { contact: { lastName: expected } } });
  });

  it.each([
    ['a byte of Latin-1', [[0xe9]]],
    ['a surrogate', [[0xed, 0xa0, 0x80]]],
    ['half of a character', [[0xe2, 0x82]]],
    ['half of a character and a replacement character', [[0xef, 0xbf, 0xbd], [0xc3]]],
  ])('fails if it has %s', async (_name, bytes) => {
    parts = respondWith(...bytes);
    const { data, errors } = await testGraph.execute(READ);
    expect([data, errors?.map(({ extensions }) => extensions?.code)]).toEqual([{ contact: null }, ['UPSTREAM_INVALID_RESPONSE']]);
    expect(errors?.[0]?.message).toContain('UTF-8');
    expect((await testGraph.execute(WRITE)).data).toEqual({
      contactCreate: { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' },
    });
  });
});
