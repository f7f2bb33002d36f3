import { AbandonedError, NotSentError } from './errors.ts';
import type { AnyOperation } from './operation.ts';
import type { Wait, Waiting } from './wait.ts';

/** How many calls may run at a time. */
export interface SlotLimits {
  readonly all: number;
  readonly perKey: number;
  /** So that one slow service of the upstream never holds all. */
  readonly perService: number;
}

/** A document, as the queue sees it. */
export interface Caller {
  /** Calls that it has sent. */
  readonly sent: number;
}

/** A call that takes a slot. */
export interface Claim extends Waiting {
  readonly credential: string;
  readonly operation: AnyOperation;
  /** Whose turn it takes. */
  caller: Caller;
}

/** Calls that wait at a time. Ours: past it waiting would only make everybody late. */
const MAX_WAITING = 10_000;

/** What a connection pool of this size is shared as, where nothing else is said: one key takes half of it, one service three quarters. */
export const slotLimitsOf = (all: number): SlotLimits => ({
  all,
  perKey: Math.max(1, Math.ceil(all / 2)),
  perService: Math.max(1, Math.ceil((all * 3) / 4)),
});

const services = new Map<AnyOperation, string>();

/** `Quote`, of `Quote/ConfirmQuote`. */
export function serviceOf(operation: AnyOperation): string {
  let service = services.get(operation);
  if (service === undefined) {
    service = operation.name.slice(0, operation.name.indexOf('/'));
    services.set(operation, service);
  }
  return service;
}

class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, difference: number): void {
    const count = this.of(name) + difference;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }

  names(): Iterable<string> {
    return this.#counts.keys();
  }
}

/** A call in the queue. */
class Waiter implements Wait {
  readonly claim: Claim;
  /** By performance.now(). */
  readonly lateAt: number;
  readonly go: () => void;
  readonly #fail: (error: Error) => void;
  readonly #leave: (waiter: Waiter) => void;

  constructor(claim: Claim, lateAt: number, go: () => void, fail: (error: Error) => void, leave: (waiter: Waiter) => void) {
    this.claim = claim;
    this.lateAt = lateAt;
    this.go = go;
    this.#fail = fail;
    this.#leave = leave;
  }

  giveUp(): void {
    this.fail(new AbandonedError(this.claim.operation.name));
  }

  fail(error: Error): void {
    this.#leave(this);
    this.#fail(error);
  }
}

/** The calls of one key that wait: by document, by service, in the order in which they came. */
type Line = Map<Caller, Map<string, Set<Waiter>>>;

/**
 * Shares the connections. While there are too few, keys take turns; of the calls of one key, those of the document go first that has sent the
 * fewest, so that a small one need not wait for all of a big one. A call that finds a slot does not wait a tick.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #keys = new Counts();
  readonly #services = new Counts();
  readonly #waitingFor = new Counts();
  readonly #lines = new Map<string, Line>();
  readonly #waiters = new Map<Claim, Waiter>();
  #used = 0;
  /** When calls that are late are looked for next, by performance.now(). */
  #looksAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #leave = (waiter: Waiter) => this.#remove(waiter);

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot; undefined when it was free. Otherwise fulfilled when it is the call's turn. Fails with NotSentError when that takes longer
   * than `timeoutMs`, or when too many wait; with AbandonedError when it is given up.
   */
  acquire(claim: Claim, timeoutMs: number): Promise<void> | undefined {
    const service = serviceOf(claim.operation);
    if (this.#used < this.#limits.all && this.#keys.of(claim.credential) < this.#limits.perKey && this.#isFree(service)) {
      this.#take(claim);
      return undefined;
    }
    if (this.#waiters.size >= MAX_WAITING)
      throw new NotSentError(claim.operation.name, `${MAX_WAITING} other calls wait for the upstream already.`);
    return new Promise((resolve, reject) => {
      const waiter = new Waiter(claim, performance.now() + timeoutMs, resolve, reject, this.#leave);
      this.#add(waiter);
      this.#watch(waiter.lateAt);
    });
  }

  /** Gives the slot back, to who is next. */
  release({ credential, operation }: Claim): void {
    this.#used -= 1;
    this.#keys.add(credential, -1);
    this.#services.add(serviceOf(operation), -1);
    for (let next = this.#next(); next; next = this.#next()) {
      this.#remove(next);
      this.#take(next.claim);
      next.go();
    }
  }

  /** Has a call take the turn of another document, when that one comes first. */
  promote(claim: Claim, caller: Caller): void {
    if (caller.sent < claim.caller.sent) this.handOn(claim, caller);
  }

  /** Has a call take the turn of another document, also while it waits. */
  handOn(claim: Claim, caller: Caller): void {
    if (claim.caller === caller) return;
    const waiter = this.#waiters.get(claim);
    if (waiter) this.#remove(waiter);
    claim.caller = caller;
    if (waiter) this.#add(waiter);
  }

  /** Looks for calls that are late when the first of them is. One timer for all: thousands may wait. */
  #watch(lateAt: number): void {
    if (lateAt >= this.#looksAt) return;
    clearTimeout(this.#timer);
    this.#looksAt = lateAt;
    this.#timer = setTimeout(() => this.#endLate(), Math.max(0, lateAt - performance.now()));
    // Whoever waits for the call keeps the process alive.
    this.#timer.unref();
  }

  #endLate(): void {
    this.#looksAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const waiter of this.#waiters.values()) {
      if (waiter.lateAt > now) this.#watch(waiter.lateAt);
      else
        waiter.fail(
          new NotSentError(waiter.claim.operation.name, 'its turn did not come in time, since many calls wait for the upstream.'),
        );
    }
  }

  #isFree(service: string): boolean {
    return this.#services.of(service) < this.#limits.perService;
  }

  #take({ credential, operation }: Claim): void {
    this.#used += 1;
    this.#keys.add(credential, 1);
    this.#services.add(serviceOf(operation), 1);
  }

  #add(waiter: Waiter): void {
    const { credential, caller, operation } = waiter.claim;
    const service = serviceOf(operation);
    const line = this.#lines.get(credential) ?? new Map();
    const calls = line.get(caller) ?? new Map();
    const waiting = calls.get(service) ?? new Set();
    this.#lines.set(credential, line.set(caller, calls.set(service, waiting.add(waiter))));
    this.#waiters.set(waiter.claim, waiter);
    waiter.claim.wait = waiter;
    this.#waitingFor.add(service, 1);
  }

  #remove(waiter: Waiter): void {
    const { credential, caller, operation } = waiter.claim;
    const service = serviceOf(operation);
    const line = this.#lines.get(credential);
    const calls = line?.get(caller);
    const waiting = calls?.get(service);
    waiting?.delete(waiter);
    if (waiting?.size === 0) calls?.delete(service);
    if (calls?.size === 0) line?.delete(caller);
    if (line?.size === 0) this.#lines.delete(credential);
    this.#waiters.delete(waiter.claim);
    waiter.claim.wait = null;
    this.#waitingFor.add(service, -1);
  }

  #next(): Waiter | undefined {
    if (this.#used >= this.#limits.all || this.#waiters.size === 0) return undefined;
    // Spares the look at everybody while all of them wait for one slow service.
    if (!this.#isAnyFree()) return undefined;
    for (const [credential, line] of this.#lines) {
      const waiter = this.#keys.of(credential) < this.#limits.perKey ? this.#firstOf(line) : undefined;
      if (!waiter) continue;
      // Its turn is over: it goes to the end of the round.
      this.#lines.delete(credential);
      this.#lines.set(credential, line);
      return waiter;
    }
    return undefined;
  }

  /** Whether one of the services that calls wait for has room. */
  #isAnyFree(): boolean {
    for (const service of this.#waitingFor.names()) if (this.#isFree(service)) return true;
    return false;
  }

  #firstOf(line: Line): Waiter | undefined {
    let first: Waiter | undefined;
    for (const [caller, calls] of line) {
      if (first && caller.sent >= first.claim.caller.sent) continue;
      for (const [service, [waiter]] of calls) {
        if (!waiter || !this.#isFree(service)) continue;
        first = waiter;
        break;
      }
    }
    return first;
  }
}
