import { describe, expect, it } from 'vitest';
import { connectRaw, type RawConnection } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', ADMIN_PORT: '0' } });

const CHUNK = `10000\r\n${'x'.repeat(0x10000)}\r\n`;

/** Sends chunks until the connection is closed. */
function sendEndlessly({ socket }: RawConnection): void {
  const send = () => {
    while (!socket.destroyed && socket.write(CHUNK));
  };
  socket.on('drain', send);
  send();
}

const formatHead = (request: string, ...headers: readonly string[]) =>
  [`${request} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer demo-owner', ...headers, '', ''].join('\r\n');

const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const MUTATION = JSON.stringify({ query: 'mutation { contactCreate(input: { lastName: "Pipelined" }) { __typename } }' });

describe('response before the end of an endless body', () => {
  it.each([
    ['to a query above the size limit', 413, formatHead('POST /graphql', JSON_TYPE, CHUNKED)],
    ['to a tool call above the size limit', 413, formatHead('POST /mcp', JSON_TYPE, CHUNKED)],
    ['to a body of another type', 415, formatHead('POST /graphql', 'Content-Type: text/plain', CHUNKED)],
    ['to a compressed body', 415, formatHead('POST /mcp', JSON_TYPE, 'Content-Encoding: gzip', CHUNKED)],
    ['to another method', 405, formatHead('PUT /graphql', CHUNKED)],
    ['to a GET request', 200, formatHead('GET /health/live', CHUNKED)],
    ['to an unknown path', 404, formatHead('POST /nothing', CHUNKED)],
    ['to a body with a Content-Length above the limit', 413, formatHead('POST /graphql', JSON_TYPE, `Content-Length: ${2 ** 40}`)],
  ])('closes the connection after a response %s', async (_name, status, request) => {
    const connection = connectRaw(testGraph.url);
    connection.socket.write(request);
    sendEndlessly(connection);
    const response = await connection.ended;
    expect(response.split('\r\n\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} .*^connection: close`, 'ims'));
  });

  it('closes the connection on the admin port, too', async () => {
    const connection = connectRaw(testGraph.adminUrl ?? '');
    connection.socket.write(formatHead('POST /metrics', CHUNKED));
    sendEndlessly(connection);
    expect(await connection.ended).toMatch(/^HTTP\/1.1 405 .*^connection: close\r$/ims);
  });

  it('arrives completely before the connection is closed', async () => {
    const connection = connectRaw(testGraph.url);
    connection.socket.write(formatHead('POST /nothing', CHUNKED));
    await connection.waitFor(/\}\]\}\r\n0\r\n\r\n$/);
    const isOpen = !connection.socket.destroyed;
    sendEndlessly(connection);
    expect([isOpen, await connection.ended]).toEqual([true, expect.stringContaining('"code":"BAD_REQUEST"')]);
  });
});

it('keeps the connection open after a response to a short body that hasn’t arrived', async () => {
  const connection = connectRaw(testGraph.url);
  connection.socket.write(formatHead('POST /nothing', 'Content-Length: 5'));
  expect(await connection.waitFor(/\}\]\}\r\n0\r\n\r\n$/)).toMatch(/^connection: keep-alive\r$/im);
  connection.socket.write(`12345${formatHead('GET /health/live')}`);
  await connection.waitFor(/\{"status":"ok"\}$/);
  connection.socket.destroy();
});

it('executes no requests after a response that closes the connection', async () => {
  const connection = connectRaw(testGraph.url);
  const [, calls] = await testGraph.recordCalls(async () => {
    const request = `${formatHead('POST /graphql', JSON_TYPE, `Content-Length: ${MUTATION.length}`)}${MUTATION}`;
    connection.socket.write(`${formatHead('POST /nothing', CHUNKED)}5\r\n12345\r\n0\r\n\r\n${request}`);
    expect(await connection.ended).not.toContain(' 200 ');
  });
  expect(calls).toEqual([]);
});
