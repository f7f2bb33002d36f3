import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Cost } from '../../schema/cost/cost.ts';
import type { Demand } from '../../upstream/calls/requester.ts';
import type { Plan } from './plan.ts';

/** Factor by which a higher share decreases with each execution that needed less. Chosen: forgotten over some dozen executions. */
const DECAY = 0.9;
/** Stopped operations that are remembered. Chosen: 1 MB. */
const MAX_STOPPED = 10_000;
/** Time for which a stopped operation is remembered, in milliseconds. Chosen: as long as the longest window, so that it isn't stopped again in each. */
const STOPPED_MS = 3_600_000;

/** An operation for an API key, with the cost that its variables have. */
export interface PricedOperation {
  readonly plan: Pick<Plan, 'id' | 'callShare'>;
  /** Null without a key. */
  readonly keyHash: string | null;
  readonly cost: Pick<Cost, 'calls' | 'probeCalls' | 'writes'>;
}

const createKey = ({ plan, keyHash }: PricedOperation): string => `${plan.id} ${keyHash}`;

/** Learns the share of its predicted calls that an operation sends: the prediction assumes that every record is distinct, but most occur twice. */
export class CostShares {
  /** Minimum shares of stopped operations, by API key, because other keys may see fewer records. */
  readonly #stopped: BoundedCache<number>;

  constructor(clock: Clock = systemClock) {
    this.#stopped = new BoundedCache({ entries: MAX_STOPPED, ttlMs: STOPPED_MS, clock });
  }

  predictDemand(operation: PricedOperation): Demand {
    const { plan, cost } = operation;
    const share = plan.callShare;
    // Almost always empty.
    const stoppedShare = (this.#stopped.size > 0 && this.#stopped.get(createKey(operation))) || 0;
    const isLowerBound = stoppedShare > (share ?? 0);
    const likely = isLowerBound ? stoppedShare : share;
    const expected = likely === undefined ? null : Math.max(1, Math.min(cost.calls, Math.ceil(cost.calls * likely)));
    return { maxCalls: cost.calls, probeCalls: cost.probeCalls, minCalls: cost.writes, expected, isLowerBound };
  }

  /** Records the calls of an execution that was completed. */
  learn(operation: PricedOperation, sentCalls: number): void {
    const { plan, cost } = operation;
    plan.callShare = Math.max(sentCalls / cost.calls, DECAY * (plan.callShare ?? 0));
    if (this.#stopped.size > 0) this.#stopped.delete(createKey(operation));
  }

  /** Records that an execution was stopped because it needs at least this many calls. */
  learnStopped(operation: PricedOperation, neededCalls: number): void {
    this.#stopped.set(createKey(operation), neededCalls / operation.cost.calls);
  }
}
