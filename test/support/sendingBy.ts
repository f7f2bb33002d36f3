import type { Transport, UpstreamRequest, UpstreamResponse } from '../../src/upstream/transport/transport.ts';

/** For a world's `transport`: calls are sent by `send`, which is given the usual way. */
export const sendingBy =
  (send: (request: UpstreamRequest, usual: Transport['send']) => Promise<UpstreamResponse>) =>
  (usual: Transport): Transport => ({
    send: (request) => send(request, (given) => usual.send(given)),
    close: () => usual.close(),
  });
