import type { DocumentNode } from 'graphql';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Cost } from '../../schema/cost/cost.ts';
import type { Demand } from '../../upstream/traffic/admission.ts';

/** Share of a higher estimate that remains after an execution that needed less. Chosen: forgotten over some dozen executions. */
const MEMORY = 0.9;
/** Stopped operations that are remembered. Chosen: 1 MB. */
const MAX_STOPPED = 10_000;
/** Time for which a stopped operation is remembered, in milliseconds. Chosen: as long as the longest window, so that it isn't stopped again in each. */
const STOPPED_MS = 3_600_000;

/** An operation of a document, for an API key. */
export interface PricedOperation {
  readonly document: DocumentNode;
  readonly operationName: string;
  /** Null without a key. */
  readonly keyHash: string | null;
  readonly cost: Pick<Cost, 'calls' | 'writes'>;
}

/**
 * Learns the share of its predicted calls that an operation sends: the prediction assumes that every record is distinct, but most occur twice.
 * Stored for as long as the document is cached.
 */
export class CostShares {
  readonly #shares = new WeakMap<DocumentNode, Map<string, number>>();
  /** Shares that operations needed at least when they were stopped, by key: other keys may see fewer records. */
  readonly #stopped: BoundedCache<number>;
  readonly #ids = new WeakMap<DocumentNode, number>();
  #lastId = 0;

  constructor(clock: Clock = systemClock) {
    this.#stopped = new BoundedCache({ entries: MAX_STOPPED, ttlMs: STOPPED_MS, clock });
  }

  demandOf(operation: PricedOperation): Demand {
    const { document, operationName, cost } = operation;
    const share = this.#shares.get(document)?.get(operationName);
    const stoppedShare = this.#stopped.get(this.#idOf(operation)) ?? 0;
    const isLowerBound = stoppedShare > (share ?? 0);
    const likely = isLowerBound ? stoppedShare : share;
    const expected = likely === undefined ? null : Math.max(1, Math.min(cost.calls, Math.ceil(cost.calls * likely)));
    return { atMost: cost.calls, atLeast: cost.writes, expected, isLowerBound };
  }

  /** The operation was executed to its end and sent so many calls. */
  learn(operation: PricedOperation, sentCalls: number): void {
    const { document, operationName, cost } = operation;
    const shares = this.#shares.get(document) ?? new Map<string, number>();
    this.#shares.set(document, shares.set(operationName, Math.max(sentCalls / cost.calls, MEMORY * (shares.get(operationName) ?? 0))));
    this.#stopped.delete(this.#idOf(operation));
  }

  /** The operation was stopped because it needs at least so many calls. */
  learnStopped(operation: PricedOperation, neededCalls: number): void {
    this.#stopped.set(this.#idOf(operation), neededCalls / operation.cost.calls);
  }

  #idOf({ document, operationName, keyHash }: PricedOperation): string {
    let id = this.#ids.get(document);
    if (id === undefined) {
      this.#lastId += 1;
      id = this.#lastId;
      this.#ids.set(document, id);
    }
    return `${id} ${operationName} ${keyHash}`;
  }
}
