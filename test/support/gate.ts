import { type Transport, TransportError, type UpstreamRequest } from '../../src/upstream/transport/transport.ts';

/** Calls of one operation that have been sent and are not answered. */
export interface Held {
  /** Fulfilled when the first of them has been sent. */
  readonly arrived: Promise<void>;
  /** Fulfilled when the graph has the answer of the first that was let pass. */
  readonly answered: Promise<void>;
  /** Fulfilled when the graph has given up one of them. */
  readonly givenUp: Promise<void>;
  /** Lets them, and all later ones, pass. */
  release(): void;
}

/** Responses that the graph is waiting for. */
export interface HeldAnswers extends Pick<Held, 'arrived' | 'release'> {
  /** Fails their calls as if the timeout had passed, and lets all later ones pass. */
  timeOut(): void;
}

/** A transport that can hold calls back, for as long as a test wants. */
export interface Gate extends Transport {
  /** `Customer/ListCustomerTimelineEvents`. */
  hold(operation: string): Held;
  /** Holds the responses of an operation back; `arrived` is fulfilled when the first has come. */
  holdAnswers(operation: string): HeldAnswers;
  /** How many calls of an operation the graph has sent, held ones included. */
  sent(operation: string): number;
  /** Releases all calls and responses that are held. A test that fails leaves them behind, and closing the graph would wait for them. */
  releaseAll(): void;
}

interface Barrier {
  readonly opened: Promise<void>;
  readonly arrive: () => void;
  readonly answer: () => void;
  readonly abandon: () => void;
}

/** Waits until the call may pass; fails when it is given up. */
function pass({ opened, arrive, abandon }: Barrier, { waiting }: UpstreamRequest): Promise<void> {
  const end = Promise.withResolvers<never>();
  const wait = {
    abandon: () => {
      abandon();
      end.reject(new TransportError(true, false));
    },
  };
  if (waiting) waiting.wait = wait;
  arrive();
  return Promise.race([opened, end.promise]);
}

export function gateOver(transport: Transport): Gate {
  const counts = new Map<string, number>();
  const gates = new Map<string, Barrier>();
  const exits = new Map<string, Pick<Barrier, 'opened' | 'arrive'>>();
  const releases: (() => void)[] = [];
  return {
    hold: (operation) => {
      const arrived = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      const givenUp = Promise.withResolvers<void>();
      releases.push(opened.resolve);
      gates.set(operation, { opened: opened.promise, arrive: arrived.resolve, answer: answered.resolve, abandon: givenUp.resolve });
      return { arrived: arrived.promise, answered: answered.promise, givenUp: givenUp.promise, release: opened.resolve };
    },
    holdAnswers: (operation) => {
      const arrived = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      exits.set(operation, { opened: opened.promise, arrive: arrived.resolve });
      const release = () => {
        exits.delete(operation);
        opened.resolve();
      };
      releases.push(release);
      const timeOut = () => {
        exits.delete(operation);
        opened.reject(new TransportError(true, true));
      };
      return { arrived: arrived.promise, release, timeOut };
    },
    sent: (operation) => counts.get(operation) ?? 0,
    releaseAll: () => {
      for (const release of releases) release();
    },
    send: async (request) => {
      const operation = request.path.replace(/^.*publicapi\.v1\./, '');
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      const gate = gates.get(operation);
      if (gate) await pass(gate, request);
      const answer = await transport.send(request);
      const exit = exits.get(operation);
      exit?.arrive();
      await exit?.opened;
      gate?.answer();
      return answer;
    },
    close: () => transport.close(),
  };
}
