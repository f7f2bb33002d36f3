import { describe, expect, it } from 'vitest';
import { KEY, postRequest, queryRequest, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { connectRaw, sendRaw } from '../../support/rawHttp.ts';

const both = useBothPaths({ env: { MCP: 'true' } });
const [testGraph] = both.worlds;

const CREATE = 'mutation ($name: String!, $key: String) { contactCreate(input: { lastName: $name, idempotencyKey: $key }) { __typename } }';
const FIND = 'query ($text: String) { contacts(first: 1, query: $text) { nodes { rawId } } }';

/** Replaces a marker in a body by bytes. */
function insertBytes(body: string, bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = body.split('MARKER');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

const INVALID = [
  ['a byte of Latin-1', [0xe9]],
  ['another byte of Latin-1', [0xe8]],
  ['an overlong sequence', [0xc0, 0x80]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a truncated sequence', [0xe2, 0x82]],
  ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
] as const;

const encodePercent = (bytes: readonly number[]) => bytes.map((byte) => `%${byte.toString(16)}`).join('');

const TOOL_HEADERS = { ...KEY, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const toToolCall = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_customer_search","arguments":${args}}}`;

describe.each(INVALID)('request that contains %s', (_name, bytes) => {
  it('fails in a body, although another one was sent with the same idempotency key', async () => {
    const variables = JSON.stringify({ name: 'MARKER', key: 'invalid-bytes' });
    const body = insertBytes(`{"query":${JSON.stringify(CREATE)},"variables":${variables}}`, bytes);
    const [response] = await both.equal(postRequest(body));
    expect([summarizeStatus(response), response.calls]).toEqual(['400 BAD_REQUEST', []]);
    expect(JSON.parse(response.body).errors[0].message).toContain('UTF-8');
  });

  it('fails in the variables of a GET request', async () => {
    const variables = `%7B%22text%22:%22${encodePercent(bytes)}%22%7D`;
    const [response] = await both.equal({ path: `/graphql?query=${encodeURIComponent(FIND)}&variables=${variables}`, headers: KEY });
    expect([summarizeStatus(response), response.calls]).toEqual(['400 BAD_REQUEST', []]);
    expect(JSON.parse(response.body).errors[0].message).toContain('UTF-8');
  });

  it('fails in a tool call', async () => {
    const body = insertBytes(toToolCall('{"query":"MARKER"}'), bytes);
    const [{ status, body: text }, calls] = await testGraph.recordCalls(() =>
      sendRaw(testGraph.url, { method: 'POST', path: '/mcp', headers: TOOL_HEADERS, body }),
    );
    expect([status, JSON.parse(text.toString()).error.message, calls]).toEqual([400, expect.stringContaining('UTF-8'), []]);
  });
});

it('rejects a URL that isn’t percent-encoded', async () => {
  const connection = connectRaw(testGraph.url);
  const variables = '{"text":"é"}';
  connection.socket.end(
    `GET /graphql?query=${encodeURIComponent(FIND)}&variables=${variables} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(await connection.ended).toMatch(/^HTTP\/1\.1 400 /);
});

it('accepts text in any script, and percent signs that encode nothing', async () => {
  const text = '100 % é € 𝄞 \u{10ffff} \ufffd';
  const [{ status, calls }] = await both.equal(queryRequest(FIND, { variables: { text } }));
  expect([status, calls.join()]).toEqual([200, expect.stringContaining('\ufffd')]);
  const variables = encodeURIComponent(JSON.stringify({ text })).replace('%25', '%');
  const [got] = await both.equal({ path: `/graphql?query=${encodeURIComponent(FIND)}&variables=${variables}`, headers: KEY });
  expect([got.status, got.body]).toEqual([200, expect.stringContaining('"nodes"')]);
});

it('accepts a byte order mark before a body', async () => {
  const [{ status, body }] = await both.equal(postRequest(Buffer.from(`\ufeff${JSON.stringify({ query: '{ __typename }' })}`)));
  expect([status, body]).toEqual([200, '{"data":{"__typename":"Query"}}']);
  const list = Buffer.from('\ufeff{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  expect((await sendRaw(testGraph.url, { method: 'POST', path: '/mcp', headers: TOOL_HEADERS, body: list })).status).toBe(200);
});

describe('unpaired surrogate', () => {
  const PROBLEM = 'must not contain unpaired surrogates, such as `\\ud800` without a second half.';

  it.each([
    ['a text', CREATE, { name: '\ud800' }, 'name'],
    ['the second half of a character', CREATE, { name: 'x\udc00x' }, 'name'],
    ['an idempotency key', CREATE, { name: 'x', key: '\ud801' }, 'key'],
    ['the value of an unused variable', '{ __typename }', { a: [{ b: '\ud800' }] }, 'a.0.b'],
    ['the name of a member', 'query ($a: JSON) { __typename }', { a: { '\ud800': 1 } }, 'a'],
  ])('causes a rejection with its path: %s', async (_name, query, variables, path) => {
    const [response] = await both.equal(queryRequest(query, { variables }, { accept: 'application/graphql-response+json' }));
    expect([summarizeStatus(response), JSON.parse(response.body).errors[0].message, response.calls]).toEqual([
      '400 BAD_USER_INPUT',
      `\`variables.${path}\` ${PROBLEM}`,
      [],
    ]);
  });

  it('causes a syntax error in a document, escaped or not', async () => {
    for (const text of ['\\ud800', '\ud800'])
      for (const at of [`{ contacts(query: "${text}") { nodes { rawId } } }`, `{ __typename } # ${text}`]) {
        const [response] = await both.equal(queryRequest(at, {}, { accept: 'application/graphql-response+json' }));
        // An escape has no meaning in a comment.
        const isValid = at.includes('#') && text.length > 1;
        expect([summarizeStatus(response), response.calls]).toEqual([isValid ? '200' : '400 GRAPHQL_PARSE_FAILED', []]);
      }
  });

  it('causes a rejection in the arguments of a tool', async () => {
    const body = toToolCall('{"query":"\\ud800"}');
    const [{ body: text }, calls] = await testGraph.recordCalls(() =>
      sendRaw(testGraph.url, { method: 'POST', path: '/mcp', headers: TOOL_HEADERS, body }),
    );
    expect([text.toString(), calls]).toEqual([expect.stringContaining('`query` must not contain unpaired surrogates'), []]);
  });

  it('doesn’t remain where a message is truncated', async () => {
    const query = 'query ($day: Date!) { agenda(id: "x") { availableSlots(day: $day, appointmentTypeId: "x") { startsAt } } }';
    for (const start of ['', 'x']) {
      const [{ body }] = await both.equal(queryRequest(query, { variables: { day: `${start}${'😀'.repeat(2_000)}` } }));
      const [error] = (JSON.parse(body) as { errors: { message: string }[] }).errors;
      expect([error?.message.startsWith('Variable "$day" got invalid value'), error?.message.isWellFormed()]).toEqual([true, true]);
    }
  });

  it('passes together with the other half', async () => {
    const [{ status, calls }] = await both.equal(queryRequest(FIND, { variables: { text: '\ud834\udd1e' } }));
    expect([status, calls.join()]).toEqual([200, expect.stringContaining('𝄞')]);
  });
});
