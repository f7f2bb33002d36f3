import { expect, it, vi } from 'vitest';
import { openWorld } from '../../support/world.ts';

const CREATE = 'Contact/CreateContact';

it('completes a write whose client has disconnected before it closes the connections to the upstream', async () => {
  const events: string[] = [];
  const world = await openWorld({}, undefined, {
    transport: (usual) => ({
      send: async (request) => {
        const response = await usual.send(request);
        if (request.path.endsWith(CREATE)) events.push('write completed');
        return response;
      },
      close: () => {
        events.push('connections closed');
        return usual.close();
      },
    }),
  });
  const held = world.gate.hold(CREATE);
  const client = new AbortController();
  const query = 'mutation { contactCreate(input: { lastName: "Written", idempotencyKey: "closing" }) { __typename } }';
  const request = fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
    body: JSON.stringify({ query }),
    signal: client.signal,
  });
  await held.arrived;
  client.abort();
  await expect(request).rejects.toThrow('aborted');
  const closing = world.app.close();
  await vi.waitFor(() => expect(fetch(`${world.app.url}/health/live`)).rejects.toThrow('fetch failed'), { timeout: 10_000 });
  held.release();
  await closing;
  expect(events).toEqual(['write completed', 'connections closed']);
  await world.close();
});
