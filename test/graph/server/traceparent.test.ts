import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** The `traceparent` of each received list call, in order. */
const received: (string | undefined)[] = [];
const recorder = createServer(async (request, response) => {
  const { authorization = '', traceparent } = request.headers;
  if (request.url?.endsWith('ListContacts')) received.push(traceparent as string | undefined);
  const headers = { 'content-type': 'application/json', authorization };
  const forwarded = await fetch(testGraph.sandbox.url + request.url, { method: 'POST', headers, body: await text(request) });
  response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(await forwarded.text());
});
recorder.listen(0, '127.0.0.1');
await once(recorder, 'listening');
afterAll(() => void recorder.close());

/** Resolves to the log line of the next request. */
let requestLine = Promise.withResolvers<string>();
const logger = createLogger('info', { write: (line: string) => void (line.includes('"msg":"request"') && requestLine.resolve(line)) });
const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
const testGraph = useTestGraph({}, undefined, { logger, transport: () => httpTransport({ url, connections: 4 }) });

beforeEach(() => {
  received.length = 0;
  requestLine = Promise.withResolvers<string>();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const VALID = `00-${TRACE}-00f067aa0ba902b7-01`;

async function sendQuery(...traceparents: readonly string[]): Promise<string | undefined> {
  const headers = new Headers({ 'content-type': 'application/json', authorization: 'Bearer demo-owner' });
  for (const traceparent of traceparents) headers.append('traceparent', traceparent);
  const response = await fetch(`${testGraph.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: '{ contacts { nodes { id } } }' }),
  });
  expect(await response.json()).toMatchObject({ data: { contacts: { nodes: expect.any(Array) } } });
  return JSON.parse(await requestLine.promise).trace_id;
}

it('propagates the client’s trace and logs its ID', async () => {
  const traceId = await sendQuery(VALID);
  expect(received).toEqual([VALID]);
  expect(traceId).toBe(TRACE);
});

it.each([
  ['no header', []],
  ['a malformed header', ['00-abc-def-01']],
  ['a trace ID of zeros', [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`]],
  ['a parent ID of zeros', [`00-${TRACE}-${'0'.repeat(16)}-01`]],
  ['an uppercase header', [VALID.toUpperCase()]],
  ['two headers', [VALID, VALID]],
])('propagates nothing for %s', async (_what, traceparents) => {
  const traceId = await sendQuery(...traceparents);
  expect(received).toEqual([undefined]);
  expect(traceId).toBeUndefined();
});
