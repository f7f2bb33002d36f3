import type { Transport, UpstreamRequest, UpstreamResponse } from '../../src/upstream/transport/transport.ts';

/**
 * Turns of the event loop without a new call after which the graph counts as waiting for responses. It sends calls within one or two turns, so this leaves a
 * margin.
 */
const QUIET_TURNS = 10;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A transport that responds in rounds. A round consists of all calls that the graph sends before it has to wait for a response. */
export interface RoundTransport extends Transport {
  /** The operations of each round since the last `reset`, sorted by name. */
  readonly rounds: readonly (readonly string[])[];
  reset(): void;
}

interface PendingCall {
  readonly request: UpstreamRequest;
  readonly settle: (result: PromiseSettledResult<UpstreamResponse>) => void;
}

const getOperationName = ({ path }: UpstreamRequest) => path.replace(/^.*publicapi\.v1\./, '');

export function createRoundTransport(transport: Transport): RoundTransport {
  let pending: PendingCall[] = [];
  let isRunning = false;
  const rounds: string[][] = [];

  const run = async () => {
    isRunning = true;
    while (pending.length > 0) {
      for (let before = 0; before < pending.length; ) {
        before = pending.length;
        for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) await turn();
      }
      const round = pending;
      pending = [];
      rounds.push(round.map(({ request }) => getOperationName(request)).sort());
      const results = await Promise.allSettled(round.map(({ request }) => transport.send(request)));
      // All at once, so that the calls that follow from the responses are in the same round.
      for (const [index, result] of results.entries()) round[index]?.settle(result);
      await turn();
      for (let quiet = 0; quiet < QUIET_TURNS && pending.length === 0; quiet += 1) await turn();
    }
    isRunning = false;
  };

  return {
    rounds,
    reset: () => void rounds.splice(0),
    send: (request) =>
      new Promise((resolve, reject) => {
        const settle = (result: PromiseSettledResult<UpstreamResponse>) =>
          result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason);
        pending.push({ request, settle });
        if (!isRunning) void run();
      }),
    close: () => transport.close(),
  };
}
