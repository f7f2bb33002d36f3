import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { httpTransport } from '../../../src/upstream/transport/http.ts';

it.each([false, true])('opens no connection after it was closed, with separate connections per key: %s', async (hasPoolPerKey) => {
  let connections = 0;
  const server = createServer((_request, response) => void response.end('{}')).on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const transport = httpTransport({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: 2, hasPoolPerKey });
  const send = (apiKey: string) => transport.send({ path: '/', apiKey, body: '{}', requestId: 'a', timeoutMs: 60_000 });
  expect(await send('known')).toMatchObject({ status: 200 });
  await transport.close();
  for (const key of ['known', 'new']) await expect(send(key)).rejects.toMatchObject({ isSent: false });
  expect(connections).toBe(1);
});
