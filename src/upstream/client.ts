import { randomUUID } from 'node:crypto';
import {
  AbandonedError,
  ForbiddenError,
  RateLimitedError,
  UnauthenticatedError,
  UpstreamInvalidError,
  UpstreamUnavailableError,
  ValidationError,
} from '../failures.ts';
import { canonicalJson, isInOrder } from '../lib/canonicalJson.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { credentialOf } from '../lib/credential.ts';
import { GrantCache, type Grants, grantsIn, mayHold, UNTOLD } from './access/grants.ts';
import { Meter } from './calls/meter.ts';
import { type BudgetOptions, MAX_WAIT_MS, type PauseOptions, Pauses, RetryBudget } from './calls/resend.ts';
import { type Call, callOf, isOwnLimit, Sender, type SenderOptions } from './calls/send.ts';
import { SharedReads } from './calls/sharedReads.ts';
import { Me } from './contract/generated/operations.ts';
import { type AnyOperation, isRead, type Operation } from './contract/operation.ts';
import { brokenRules, statedRulesOf } from './contract/rules.ts';
import { BREAKER, type BreakerOptions, Breakers, type Outcome } from './traffic/breakers.ts';
import { MemoryQuota, type Quota, type QuotaView } from './traffic/quota.ts';
import { type SlotLimits, Slots, slotLimitsOf } from './traffic/slots.ts';
import { type Transport, TransportError } from './transport/transport.ts';

export interface UpstreamOptions extends PauseOptions {
  readonly transport: Transport;
  /** How long a call may take, with its resends and all waits. */
  readonly timeoutMs: number;
  /** Told of every call that the upstream announces the end of. */
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
  /** Without it, the clocks of this machine. */
  readonly clock?: Clock;
  /** Calls that one request may make, so that no document uses up the key's quota. */
  readonly callsPerRequest: number;
  /** Calls that may run at a time; without them, 128 in all. */
  readonly slots?: SlotLimits;
  /** When the upstream is left alone. Null switches that off. */
  readonly breaker?: BreakerOptions | null;
  /** How many calls may be sent again; without it, `RETRY_BUDGET`. */
  readonly retryBudget?: BudgetOptions;
  /** What the upstream allows each key; without it, as far as this process learns. */
  readonly quota?: Quota;
  /** How long answers to reads are kept, per key; without it, they are not. */
  readonly readCacheMs?: number;
}

/** The vendor's API, shared by all requests. */
export interface Upstream {
  /** The API as one caller sees it, for one request. `apiKey` is null when the caller sent none. */
  for(apiKey: string | null, requestId: string): Session;
  /** Fails when the upstream cannot be reached or fails, or is left alone since it has; passes when it answers, be it a refusal. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** As many as the graph has connections unless it is told otherwise. */
const CALLS_AT_A_TIME = 128;

/** What all requests share. */
interface Shared {
  readonly options: UpstreamOptions;
  readonly grants: GrantCache;
  readonly quota: Quota;
  readonly sender: Sender;
  readonly reads: SharedReads<Call>;
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The scopes that a request needs. */
function scopesFor({ scopes, conditionalScopes }: AnyOperation, request: object): readonly string[] {
  if (!conditionalScopes) return scopes;
  const conditional = conditionalScopes.filter(({ field }) => isGiven((request as Record<string, unknown>)[field]));
  return [...scopes, ...conditional.map(({ scope }) => scope)];
}

const missingFrom = ({ scopes }: Grants, wanted: readonly string[]) => wanted.filter((scope) => !mayHold(scopes, scope));

/** One caller's road to the upstream. Every call passes its scope check and its limits here: there is no way round. */
export class Session {
  readonly apiKey: string | null;
  readonly requestId: string;
  readonly #shared: Shared;
  /** Reads of this request, by operation and request: the same question is asked once. */
  readonly #reads = new Map<string, Promise<object>>();
  readonly #meter: Meter;
  /** What the key has shown that it may do, of operations whose scopes are the same for every request: thousands of records ask. */
  readonly #granted = new Map<AnyOperation, Grants>();
  /** Grants of the key, asked for by this request. */
  #renewal: Promise<Grants> | undefined;
  #credential: string | undefined;
  #isFinished = false;
  #mayBeAbandoned = false;
  #isAbandoned = false;

  constructor(shared: Shared, apiKey: string | null, requestId: string) {
    this.#shared = shared;
    this.#meter = new Meter(shared.options.callsPerRequest);
    this.apiKey = apiKey;
    this.requestId = requestId;
  }

  /** The upstream calls that this request has sent: resends are counted, `Me` of `grants` is not. */
  get sentCalls(): number {
    return this.#meter.sent;
  }

  /** Whether its caller has left, so that nobody reads what comes of it. */
  get isAbandoned(): boolean {
    return this.#meter.hasLeft;
  }

  /** What is known of the key's window of calls; null when the upstream tells nothing of it. */
  get quota(): QuotaView | null {
    return this.apiKey === null ? null : this.#shared.quota.view(this.#credentialOf(this.apiKey));
  }

  /**
   * Sets calls aside for this request, which is to end with `finish`. Fails with RateLimitedError when the key has too few left: then nothing
   * is to be sent.
   */
  async admit(calls: number): Promise<void> {
    if (this.apiKey === null) return;
    const { quota, options } = this.#shared;
    const needed = Math.min(calls, options.callsPerRequest);
    const admission = await quota.reserve(this.#credentialOf(this.apiKey), needed, Math.min(MAX_WAIT_MS, options.timeoutMs));
    if ('waitMs' in admission) throw new RateLimitedError(Math.ceil(admission.waitMs / 1000));
    this.#meter.reservation = admission;
    // It may have ended while it waited.
    if (this.#isFinished) this.finish();
  }

  /** Gives back what was set aside and is not needed. May be called again. */
  finish(): void {
    this.#isFinished = true;
    const { reservation } = this.#meter;
    this.#meter.reservation = null;
    if (reservation) this.#shared.quota.release(reservation);
  }

  /** Lets go of what has been read: it is asked anew from here on. */
  forget(): void {
    this.#renewal = undefined;
    this.#reads.clear();
  }

  /** What the key may do. Fails with UnauthenticatedError when there is no key, or the upstream does not know it. */
  async grants(): Promise<Grants> {
    const key = this.#key();
    return this.#shared.grants.get(this.#credentialOf(key), key);
  }

  /**
   * The workspace of the key, for what is kept under it; null where the upstream tells none. Fails with UpstreamInvalidError when it is left out though the
   * upstream tells other keys theirs: what is kept under it would be overlooked.
   */
  async workspaceId(): Promise<string | null> {
    const remembered = await this.grants();
    const { workspaceId, lacksWorkspace } = remembered.lacksWorkspace ? await this.#grantsAnew() : remembered;
    if (!lacksWorkspace) return workspaceId;
    throw new UpstreamInvalidError('it leaves out the workspace of the key, which it tells other keys');
  }

  /**
   * Passes when the key may hold all scopes of the operation; else ForbiddenError names every missing one. Undefined when that is known already:
   * of thousands of records nobody waits for it.
   */
  requireScopes(operation: AnyOperation, request: object = {}): Promise<unknown> | undefined {
    try {
      const grants = this.#grantsFor(operation, request);
      return grants instanceof Promise ? grants : undefined;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * The same by what the upstream says now, whatever is remembered: for use before anything is told that the upstream is not asked for. Fails with
   * UnauthenticatedError when the key was revoked.
   */
  async requireScopesAnew(operation: AnyOperation, request: object = {}): Promise<void> {
    const wanted = scopesFor(operation, request);
    const missing = missingFrom(await this.#grantsAnew(), wanted);
    if (missing.length > 0) throw new ForbiddenError('MISSING_SCOPE', wanted, missing);
  }

  /** Calls one operation. A read that this request has asked before is answered from memory, until something is changed. */
  call<Request, Response>(operation: Operation<Request, Response>, request: Request): Promise<Response> {
    const body = JSON.stringify(request);
    if (!isRead(operation)) return this.#write(operation, request as object, body) as Promise<Response>;
    if (operation.effect === 'EXPENSIVE_READ') return this.#readAlone(operation, request as object, body) as Promise<Response>;
    const question = `${operation.name} ${isInOrder(request as object) ? body : canonicalJson(request)}`;
    let answer = this.#reads.get(question);
    if (!answer) {
      answer = this.#read(operation, request as object, body, question);
      this.#reads.set(question, answer);
    }
    return answer as Promise<Response>;
  }

  /** The operation changes nothing: nobody misses what is not read for a caller that has left. Until this is said, nothing is given up. */
  permitAbandonment(): void {
    this.#mayBeAbandoned = true;
    if (this.#isAbandoned) this.abandon();
  }

  /** Its caller has left before the answer had ended: reads that nobody else waits for are given up, and none is sent any more. */
  abandon(): void {
    this.#isAbandoned = true;
    if (!this.#mayBeAbandoned) return;
    this.#meter.hasLeft = true;
    this.#shared.reads.leave(this.#meter);
  }

  #read(operation: AnyOperation, request: object, body: string, question: string): Promise<object> {
    const { reads } = this.#shared;
    try {
      if (this.#meter.hasLeft) throw new AbandonedError();
      const prepared = this.#prepare(operation, request, body);
      return prepared instanceof Promise ? prepared.then((call) => reads.read(call, question)) : reads.read(prepared, question);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** A read that every asker has to itself. */
  async #readAlone(operation: AnyOperation, request: object, body: string): Promise<object> {
    if (this.#meter.hasLeft) throw new AbandonedError();
    return (await this.#shared.sender.send(await this.#prepare(operation, request, body))).value;
  }

  async #write(operation: AnyOperation, request: object, body: string): Promise<object> {
    const { reads, sender } = this.#shared;
    try {
      const call = await this.#prepare(operation, request, body);
      reads.onWrite(call.credential);
      try {
        return (await sender.send(call)).value;
      } finally {
        reads.onWrite(call.credential);
      }
    } finally {
      this.forget();
    }
  }

  /** A call that has passed the documented rules and its scopes; a promise where the grants have to be asked for. */
  #prepare(operation: AnyOperation, request: object, body: string): Call | Promise<Call> {
    const deadline = performance.now() + this.#shared.options.timeoutMs;
    const issues = brokenRules(request, statedRulesOf(operation.request));
    if (issues.length > 0) throw new ValidationError(issues);
    const grants = this.#grantsFor(operation, request);
    if (!(grants instanceof Promise)) return this.#callOf(operation, request, body, deadline, grants);
    return grants.then((asked) => this.#callOf(operation, request, body, deadline, asked));
  }

  #callOf(operation: AnyOperation, request: object, body: string, deadline: number, { scopes }: Grants): Call {
    const apiKey = this.#key();
    const requiredScopes = scopesFor(operation, request);
    return callOf(operation, request, body, {
      apiKey,
      credential: this.#credentialOf(apiKey),
      requestId: this.requestId,
      document: this.#meter,
      deadline,
      timeoutMs: this.#shared.options.timeoutMs,
      requiredScopes,
      holdsScopes: scopes !== null && requiredScopes.every((scope) => scopes.has(scope)),
    });
  }

  /** The grants of the key, which may hold all scopes of the operation; a promise where they have to be asked for. */
  #grantsFor(operation: AnyOperation, request: object): Grants | Promise<Grants> {
    const granted = this.#granted.get(operation);
    if (granted) return granted;
    const wanted = scopesFor(operation, request);
    const known = this.#shared.grants.known(this.#credentialOf(this.#key()));
    if (!known || missingFrom(known, wanted).length > 0) return this.#askGrantsFor(wanted);
    if (!operation.conditionalScopes) this.#granted.set(operation, known);
    return known;
  }

  async #askGrantsFor(wanted: readonly string[]): Promise<Grants> {
    const grants = await this.grants();
    if (missingFrom(grants, wanted).length === 0) return grants;
    const key = this.#key();
    const asked = await this.#shared.grants.recheck(this.#credentialOf(key), key);
    const missing = missingFrom(asked, wanted);
    if (missing.length > 0) throw new ForbiddenError('MISSING_SCOPE', wanted, missing);
    return asked;
  }

  /** Asked once by this request, until something is changed. */
  async #grantsAnew(): Promise<Grants> {
    const key = this.#key();
    this.#renewal ??= this.#shared.grants.renew(this.#credentialOf(key), key);
    return this.#renewal;
  }

  #credentialOf(apiKey: string): string {
    this.#credential ??= credentialOf(apiKey);
    return this.#credential;
  }

  #key(): string {
    if (this.apiKey === null) {
      throw new UnauthenticatedError('There is no API key: send it as `Authorization: Bearer <key>`, or as `X-API-Key: <key>`.');
    }
    return this.apiKey;
  }
}

function createSender(
  options: UpstreamOptions,
  { quota, slots, breakers, onRefusedKey }: Pick<SenderOptions, 'quota' | 'slots' | 'breakers' | 'onRefusedKey'>,
): Sender {
  const { transport, clock = systemClock, onDeprecated } = options;
  const pauses = new Pauses(options);
  const budget = new RetryBudget(options.retryBudget);
  return new Sender({ transport, quota, slots, breakers, budget, pauses, clock, onRefusedKey, ...(onDeprecated && { onDeprecated }) });
}

/** Asks what a key may do. Nobody pays for it: its answer serves all requests of the key. */
async function askGrants(sender: Sender, timeoutMs: number, apiKey: string): Promise<ReturnType<typeof grantsIn>> {
  const asker = { apiKey, credential: credentialOf(apiKey), requestId: randomUUID(), document: new Meter(Number.POSITIVE_INFINITY) };
  const time = { deadline: performance.now() + timeoutMs, timeoutMs };
  const call = callOf(Me, {}, '{}', { ...asker, ...time, requiredScopes: Me.scopes, holdsScopes: false });
  try {
    return grantsIn((await sender.send(call)).value);
  } catch (error) {
    // The key is good, but may not ask: `Me` needs a scope of its own.
    if (error instanceof ForbiddenError && error.reason !== 'ADDRESS') return UNTOLD;
    throw error;
  }
}

/** Asks as nobody, to see whether an answer comes. */
async function probe({ transport, timeoutMs }: UpstreamOptions, breakers: Breakers): Promise<void> {
  breakers.check(Me);
  const request = { path: Me.path, apiKey: 'probe', body: '{}', requestId: randomUUID(), timeoutMs };
  let outcome: Outcome = null;
  breakers.begin(Me, request);
  try {
    outcome = (await transport.send(request)).status;
  } catch (error) {
    if (error instanceof TransportError) outcome = error;
    throw new UpstreamUnavailableError(error);
  } finally {
    breakers.end(Me, request, outcome);
  }
  if (outcome >= 500) throw new UpstreamUnavailableError();
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { clock = systemClock, timeoutMs, breaker = BREAKER } = options;
  const quota = options.quota ?? new MemoryQuota(clock);
  const slots = new Slots(options.slots ?? slotLimitsOf(CALLS_AT_A_TIME));
  const breakers = new Breakers(breaker, clock);
  const onRefusedKey = (credential: string) => {
    grants.forget(credential);
    reads.forget(credential);
  };
  const sender = createSender(options, { quota, slots, breakers, onRefusedKey });
  const reads = new SharedReads<Call>({
    send: (call) => sender.send(call),
    onJoin: (underWay, { document }) => slots.promote(underWay, document),
    onLeave: (underWay, waiting) => sender.leave(underWay, waiting),
    isOwn: isOwnLimit,
    cacheMs: options.readCacheMs ?? 0,
    clock,
  });
  const grants = new GrantCache((apiKey) => askGrants(sender, timeoutMs, apiKey), clock);
  const shared: Shared = { options, grants, quota, sender, reads };
  return {
    for: (apiKey, requestId) => new Session(shared, apiKey, requestId),
    probe: () => probe(options, breakers),
    close: async () => {
      await quota.close();
      await options.transport.close();
    },
  };
}
