import { type Transport, TransportError, type UpstreamRequest } from '../../src/upstream/transport/transport.ts';

/** Sent calls of one operation whose responses are pending. */
export interface HeldCalls {
  /** Resolves when the first call has been sent. */
  readonly arrived: Promise<void>;
  /** Resolves when the graph has received the response to the first released call. */
  readonly answered: Promise<void>;
  /** Resolves when the graph has abandoned a call. */
  readonly abandoned: Promise<void>;
  /** Releases the held calls, and stops holding later ones. */
  release(): void;
}

/** Held responses. */
export interface HeldResponses extends Pick<HeldCalls, 'arrived' | 'release'> {
  /** Fails the calls as if they had timed out, and stops holding later responses. */
  timeOut(): void;
}

/** A transport that can hold calls. */
export interface Gate extends Transport {
  /** Holds calls of an operation, such as `Customer/ListCustomerTimelineEvents`. */
  hold(operation: string): HeldCalls;
  /** Holds the responses of an operation. `arrived` resolves when the first one has arrived. */
  holdResponses(operation: string): HeldResponses;
  /** Number of calls of an operation that the graph has sent, including held ones. */
  sent(operation: string): number;
  /** Releases all held calls and responses. A failing test doesn't release them, and closing the graph would wait for them. */
  releaseAll(): void;
}

interface Barrier {
  readonly opened: Promise<void>;
  readonly arrive: () => void;
  readonly respond: () => void;
  readonly abandon: () => void;
}

/** Waits until the call is released. Rejects if it's abandoned. */
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

export function createGate(transport: Transport): Gate {
  const counts = new Map<string, number>();
  const gates = new Map<string, Barrier>();
  const exits = new Map<string, Pick<Barrier, 'opened' | 'arrive'>>();
  const releases: (() => void)[] = [];
  return {
    hold: (operation) => {
      const arrived = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      const received = Promise.withResolvers<void>();
      const givenUp = Promise.withResolvers<void>();
      releases.push(opened.resolve);
      gates.set(operation, { opened: opened.promise, arrive: arrived.resolve, respond: received.resolve, abandon: givenUp.resolve });
      return { arrived: arrived.promise, answered: received.promise, abandoned: givenUp.promise, release: opened.resolve };
    },
    holdResponses: (operation) => {
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
      const response = await transport.send(request);
      const exit = exits.get(operation);
      exit?.arrive();
      await exit?.opened;
      gate?.respond();
      return response;
    },
    close: () => transport.close(),
  };
}
