import type { Transport, UpstreamRequest, UpstreamResponse } from '../../src/upstream/transport/transport.ts';

/** A `transport` option that sends calls with `send`, which receives the default transport. */
export const interceptCalls =
  (send: (request: UpstreamRequest, usual: Transport['send']) => Promise<UpstreamResponse>) =>
  (usual: Transport): Transport => ({
    send: (request) => send(request, (given) => usual.send(given)),
    close: () => usual.close(),
  });
