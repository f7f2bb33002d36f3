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
  readonly settle: (answered: PromiseSettledResult<UpstreamResponse>) => void;
}

const operationName = ({ path }: UpstreamRequest) => path.replace(/^.*publicapi\.v1\./, '');

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
      rounds.push(round.map(({ request }) => operationName(request)).sort());
      const answers = await Promise.allSettled(round.map(({ request }) => transport.send(request)));
      // All at once, so that the calls that follow from the responses are in the same round.
      for (const [index, answered] of answers.entries()) round[index]?.settle(answered);
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
        const answer = (answered: PromiseSettledResult<UpstreamResponse>) =>
          answered.status === 'fulfilled' ? resolve(answered.value) : reject(answered.reason);
        pending.push({ request, settle: answer });
        if (!isRunning) void run();
      }),
    close: () => transport.close(),
  };
}
