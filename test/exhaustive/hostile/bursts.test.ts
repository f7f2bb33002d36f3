import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId, openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';

/** CPU time of an iteration of the event loop, in milliseconds. Ten times what was measured: 15. If requests don't take turns, it's that of all of them. */
const MAX_ITERATION_MS = 150;

const repeat = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');

const [LOCATION, PRODUCT] = [toGlobalId('InventoryLocation', demoId('location 0')), toGlobalId('Product', demoId('product 0'))];
const writeMove = (key: string) =>
  `inventoryMove(input: { destinationLocationId: "${LOCATION}", lines: [{ productId: "${PRODUCT}", sourceLocationId: "${LOCATION}", quantity: 1 }], idempotencyKey: "${key}" }) { __typename }`;

let sandbox: TestSandbox;
let graph: GraphProcess;

beforeAll(async () => {
  sandbox = await openSandbox();
  graph = await startGraph({ UPSTREAM_URL: sandbox.url }, ['--import', './test/support/faults/iterations.ts']);
});
afterAll(async () => {
  await killAll();
  await sandbox?.close();
});

/** Sends a request except for its last byte. Returns a function that sends that, and resolves to the response. */
async function prepare(query: string, key: string | null): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(graph.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = JSON.stringify({ query });
  const credential = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
  const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n${credential}Content-Length: ${body.length}\r\n\r\n`;
  await new Promise((resolve) => socket.write(head + body.slice(0, -1), resolve));
  return () => {
    socket.write(body.slice(-1));
    return text(socket);
  };
}

it.each([
  [
    '250 distinct documents of clients without a key',
    250,
    null,
    (index: number) => `query Q${index} { ${repeat(240, (alias) => `a${alias}: customer(id: "x") { id title }`)} }`,
  ],
  [
    '24 requests of a key with 200 rejected mutations each',
    24,
    'demo-owner',
    (index: number) => `mutation { ${repeat(200, (alias) => `m${alias}: ${writeMove(`${index}-${alias}`)}`)} }`,
  ],
])('serves health checks alongside %s that arrive at once', async (_, count, key, createQuery) => {
  const requests = await Promise.all(Array.from({ length: count }, (_each, index) => prepare(createQuery(index), key)));
  await graph.requestMessage();
  let responses = 0;
  const responding = requests.map(async (send) => {
    const response = await send();
    responses += 1;
    return response.slice(0, response.indexOf('\r\n'));
  });
  const { status } = await fetch(`${graph.url}/health/live`);
  expect([status, responses]).toEqual([200, expect.toSatisfy((received: number) => received < count / 2)]);
  expect(new Set(await Promise.all(responding))).toEqual(new Set(['HTTP/1.1 200 OK']));
  expect(await graph.requestMessage()).toBeLessThan(MAX_ITERATION_MS);
});
