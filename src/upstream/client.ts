import { ABANDONED, ForbiddenError, UnauthenticatedError, UpstreamInvalidError, ValidationError } from '../failures.ts';
import { canonicalJson, isInOrder } from '../lib/canonicalJson.ts';
import { systemClock } from '../lib/clock.ts';
import { keyHashOf } from '../lib/keyHash.ts';
import { GrantCache, type Grants } from './access/grants.ts';
import { missingExactly, missingFrom, scopesFor } from './access/scopes.ts';
import { meteredTransport } from './calls/callMeter.ts';
import { REHEARSED, type SessionOptions } from './calls/rehearsal.ts';
import { MAX_WAIT_MS } from './calls/retry.ts';
import { type Call, createCall, isRequesterLimit, type Sender } from './calls/send.ts';
import { SharedReads } from './calls/sharedReads.ts';
import { Contract } from './contract/contract.ts';
import { Me, operations } from './contract/generated/operations.ts';
import { type AnyOperation, isRead, type Operation } from './contract/operation.ts';
import { brokenRules, statedRulesOf } from './contract/rules.ts';
import { createSender } from './createSender.ts';
import { CALLS_AT_A_TIME, timeoutOf, type UpstreamLoad, type UpstreamOptions } from './options.ts';
import { askGrants, probe, undecoded } from './ownCalls.ts';
import { Admission, type Demand, type Stop } from './traffic/admission.ts';
import { BREAKER, Breakers } from './traffic/breakers.ts';
import { CallBudget } from './traffic/callBudget.ts';
import type { SessionTrace } from './traffic/callTrace.ts';
import { DriftWatch } from './traffic/driftWatch.ts';
import { KeptAnswers } from './traffic/keptAnswers.ts';
import { ListStatsStore } from './traffic/listStats.ts';
import { Permits, permitLimitsOf } from './traffic/permits.ts';
import { MemoryQuota, type Quota, type QuotaView } from './traffic/quota.ts';
import { RequestLists } from './traffic/requestLists.ts';
import { Turns } from './traffic/turns.ts';

/** The vendor's API, shared by all requests. */
export interface Upstream {
  /** The contract, as this upstream keeps it. */
  readonly contract: Contract;
  /** Differences of sampled answers from the contract: how often each was seen, by coordinate and kind. */
  readonly drifts: ReadonlyMap<string, number>;
  /** The state of the traffic, now. Looks at all keys. */
  load(): UpstreamLoad;
  /** The API as one caller sees it, for one request. `apiKey` is null when the caller sent none. A rehearsal sends no change. */
  for(apiKey: string | null, requestId: string, options?: SessionOptions): Session;
  /** Fails when the upstream cannot be reached or fails, or is left alone since it has; passes when it answers, be it a refusal. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Parts that all requests share. */
interface Shared {
  readonly options: UpstreamOptions;
  readonly contract: Contract;
  readonly grants: GrantCache;
  readonly quota: Quota;
  readonly sender: Sender;
  readonly reads: SharedReads<Call>;
  readonly shapes: ListStatsStore;
  readonly kept: KeptAnswers;
  readonly turns: Turns;
}

/** Session: the upstream as a request sees it. Every call passes the check of its scopes (step 1 in send.ts) and its limits here. */
export class Session {
  readonly apiKey: string | null;
  readonly requestId: string;
  /** Null where no spans are exported. */
  readonly trace: SessionTrace | null;
  /** Null when no list may stand for calls by id. */
  readonly lists: RequestLists | null;
  readonly #shared: Shared;
  /** Reads of this request, by operation and request: the same question is asked once. */
  readonly #reads = new Map<string, Promise<object>>();
  readonly #budget: CallBudget;
  /** Grants that were enough, by operations whose scopes are the same for every call: thousands of records ask. */
  readonly #granted = new Map<AnyOperation, Grants>();
  #renewal: Promise<Grants> | undefined;
  #keyHash: string | undefined;
  #isAdmitted: boolean;
  #isFinished = false;
  #mayBeAbandoned = false;
  #isAbandoned = false;
  readonly #options: SessionOptions;
  #rehearsed: string | null = null;

  constructor(shared: Shared, apiKey: string | null, requestId: string, options: SessionOptions = {}) {
    this.#shared = shared;
    this.#options = options;
    this.#isAdmitted = !options.requiresAdmission;
    this.trace = options.trace ?? null;
    this.#budget = new CallBudget(shared.options.callsPerRequest);
    this.apiKey = apiKey;
    this.requestId = requestId;
    this.lists = this.#openLists();
  }

  #openLists(): RequestLists | null {
    const { shapes, options } = this.#shared;
    const { hasListBatching = true, onPartialRows } = options;
    if (!hasListBatching) return null;
    const lookups = { keyHash: () => this.#keyHashOf(this.#key()), quota: () => this.quota, lookUpQuota: () => this.grants() };
    return new RequestLists({ shapes, budget: this.#budget, ...lookups, onPartialRows, trace: this.trace });
  }

  /** Upstream calls that this request has sent: resends are counted, `Me` of `grants` is not. */
  get sentCalls(): number {
    return this.#budget.sent;
  }

  /** Whether the caller has left, so that nobody reads the answer. */
  get isAbandoned(): boolean {
    return this.#budget.isDisconnected;
  }

  /** The operation that a rehearsal would have sent; null before it comes to that. */
  get rehearsed(): string | null {
    return this.#rehearsed;
  }

  /** Quota of the key, as far as it is known; null when the upstream tells nothing of it. */
  get quota(): QuotaView | null {
    return this.keyHash === null ? null : this.#shared.quota.view(this.keyHash);
  }

  /** Hash of the key, for what is remembered of it. Null without a key. */
  get keyHash(): string | null {
    return this.apiKey === null ? null : this.#keyHashOf(this.apiKey);
  }

  /** Admits this request to the quota of its key, until `finish`. Throws as `Admission.open` does: then nothing must be sent. */
  async admit(demand: Demand, predictedValues = 0): Promise<void> {
    this.#isAdmitted = true;
    this.#budget.values = predictedValues;
    this.#budget.expectedCalls = demand.expected ?? 1;
    if (this.keyHash === null) return;
    const { quota, options, turns } = this.#shared;
    await turns.take(this.keyHash);
    const admission = new Admission(quota, this.keyHash, this.#budget, Math.min(MAX_WAIT_MS, options.timeoutMs));
    this.#budget.admission = admission;
    // The request may have ended already.
    if (this.#isFinished) admission.finish();
    await admission.open(demand);
  }

  /** Why the request was stopped. Null while it may continue. */
  get stop(): Stop | null {
    return this.#budget.admission?.stop ?? null;
  }

  /** Releases the calls that were reserved and aren't needed. May be called again. */
  finish(): void {
    this.#isFinished = true;
    this.#budget.admission?.finish();
  }

  /** Forgets the reads of this request, or those of all requests of its key: they are asked anew from here on. */
  forget(of: 'request' | 'key' = 'request'): void {
    this.#renewal = undefined;
    this.#reads.clear();
    if (of === 'key' && this.keyHash !== null) this.#shared.reads.forget(this.keyHash);
  }

  /** Grants of the key. Fails with UnauthenticatedError when there is no key, or the upstream does not know it. */
  async grants(): Promise<Grants> {
    const key = this.#key();
    return this.#shared.grants.get(this.#keyHashOf(key), key);
  }

  /**
   * The workspace of the key, for what is kept under it; null where the upstream tells none. Fails with UpstreamInvalidError when it is left out though the
   * upstream tells other keys theirs: what is kept under it would be overlooked.
   */
  async workspaceId(): Promise<string | null> {
    const remembered = await this.grants();
    const { workspaceId, lacksWorkspace } = remembered.lacksWorkspace ? await this.#grantsAnew() : remembered;
    if (!lacksWorkspace) return workspaceId;
    throw new UpstreamInvalidError('it doesn’t include the workspace of the key, but does so for other keys');
  }

  /** Throws ForbiddenError with every scope that the key lacks for the operation. Undefined if none is known to be missing, so that thousands of records don't wait. */
  requireScopes(operation: AnyOperation, request: object = {}): Promise<unknown> | undefined {
    try {
      const grants = this.#grantsFor(operation, request);
      return grants instanceof Promise ? grants : undefined;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The same with a new lookup of the scopes, for responses that aren't fetched from the upstream. Throws UnauthenticatedError if the key was revoked. */
  async requireScopesAnew(operation: AnyOperation, request: object = {}): Promise<void> {
    const wanted = scopesFor(operation, request);
    const missing = missingFrom(await this.#grantsAnew(), wanted);
    if (missing.length > 0) throw new ForbiddenError('MISSING_SCOPE', wanted, missing);
  }

  /** Those of some scopes that the key is not told to hold letter by letter. Asks again before it answers any; fails with UnauthenticatedError when there is no such key. */
  async missingExactly(wanted: readonly string[]): Promise<readonly string[]> {
    if (missingExactly(await this.grants(), wanted).length === 0) return [];
    const key = this.#key();
    return missingExactly(await this.#shared.grants.recheck(this.#keyHashOf(key), key), wanted);
  }

  /** An operation as the upstream has it: its pages, and how it knows a repeat, may differ from the contract's. */
  operation<Request, Response>(operation: Operation<Request, Response>): Operation<Request, Response> {
    return this.#shared.contract.of(operation);
  }

  /** Calls one operation. A read that this request has asked before is answered from memory, until something is changed. */
  call<Request, Response>(named: Operation<Request, Response>, request: Request): Promise<Response> {
    const operation = this.operation(named);
    this.#budget.requested += 1;
    const body = JSON.stringify(operation.wire ? operation.wire.encode(request as object) : request);
    if (!isRead(operation)) return this.#write(operation, request as object, body) as Promise<Response>;
    const question = `${operation.name} ${isInOrder(request as object) ? body : canonicalJson(request)}`;
    let answer = this.#reads.get(question);
    if (!answer) {
      const isShared = operation.effect !== 'EXPENSIVE_READ';
      answer = isShared ? this.#read(operation, request as object, body, question) : this.#readAlone(operation, request as object, body);
      this.#reads.set(question, answer);
    }
    return this.#shared.turns.resume(answer, this.keyHash, this.#budget) as Promise<Response>;
  }

  /** The same for a read whose response changes so rarely that it's cached for minutes, also during writes. `maxAgeMs` limits the age of a cached response. */
  async callKept<Request, Response extends object>(
    of: Operation<Request, Response>,
    request: Request,
    maxAgeMs?: number,
  ): Promise<Response> {
    await this.requireScopes(of, request as object);
    const { kept } = this.#shared;
    const keyHash = this.#keyHashOf(this.#key());
    const known = kept.get(keyHash, of.name, maxAgeMs) as Response | undefined;
    if (known) return known;
    const answer = await this.call(of, request);
    kept.set(keyHash, of.name, answer);
    return answer;
  }

  /** Forgets an outdated cached response. */
  forgetKept({ name }: AnyOperation): void {
    this.#shared.kept.delete(this.#keyHashOf(this.#key()), name);
  }

  /** Says that the request changes nothing, so that its reads may be given up when its caller leaves. */
  permitAbandonment(): void {
    this.#mayBeAbandoned = true;
    if (this.#isAbandoned) this.abandon();
  }

  /** The caller has left before the end of its answer: reads that no other request waits for are given up, and no further one is sent. */
  abandon(): void {
    this.#isAbandoned = true;
    if (!this.#mayBeAbandoned) return;
    this.#budget.isDisconnected = true;
    this.#shared.reads.leave(this.#budget);
  }

  #read(operation: AnyOperation, request: object, body: string, question: string): Promise<object> {
    const { reads } = this.#shared;
    try {
      if (this.#budget.isDisconnected) throw ABANDONED;
      const prepared = this.#prepare(operation, request, body);
      return prepared instanceof Promise ? prepared.then((call) => reads.read(call, question)) : reads.read(prepared, question);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** A read that every request has to itself. */
  async #readAlone(operation: AnyOperation, request: object, body: string): Promise<object> {
    if (this.#budget.isDisconnected) throw ABANDONED;
    return (await this.#shared.sender.send(await this.#prepare(operation, request, body))).value;
  }

  async #write(operation: AnyOperation, request: object, body: string): Promise<object> {
    const { reads, sender } = this.#shared;
    try {
      const call = await this.#prepare(operation, request, body);
      if (this.#options.isRehearsal) {
        this.#rehearsed = operation.name;
        throw REHEARSED;
      }
      reads.onWrite(call.keyHash);
      try {
        return (await sender.send(call)).value;
      } finally {
        reads.onWrite(call.keyHash);
      }
    } finally {
      this.forget();
    }
  }

  /** Scopes (1): a call that has passed the documented rules and its scopes; a promise where the grants have to be asked for. */
  #prepare(operation: AnyOperation, request: object, body: string): Call | Promise<Call> {
    if (!this.#isAdmitted) throw new Error(`${operation.name} was called by an operation that wasn’t admitted because its cost is zero.`);
    const deadline = performance.now() + timeoutOf(operation, this.#shared.options);
    const issues = brokenRules(request, statedRulesOf(operation.request));
    if (issues.length > 0) throw new ValidationError(issues);
    const grants = this.#grantsFor(operation, request);
    if (!(grants instanceof Promise)) return this.#createCall(operation, request, body, deadline, grants);
    return grants.then((asked) => this.#createCall(operation, request, body, deadline, asked));
  }

  #createCall(operation: AnyOperation, request: object, body: string, deadline: number, { scopes }: Grants): Call {
    const apiKey = this.#key();
    const requiredScopes = scopesFor(operation, request);
    return createCall(operation, request, body, {
      apiKey,
      keyHash: this.#keyHashOf(apiKey),
      requestId: this.requestId,
      traceparent: this.#options.traceparent ?? null,
      trace: this.trace,
      requester: this.#budget,
      deadline,
      timeoutMs: timeoutOf(operation, this.#shared.options),
      requiredScopes,
      hasExactScopes: scopes !== null && requiredScopes.every((scope) => scopes.has(scope)),
    });
  }

  /** The grants of the key, which may hold all scopes of the operation; a promise where they have to be asked for. */
  #grantsFor(operation: AnyOperation, request: object): Grants | Promise<Grants> {
    const granted = this.#granted.get(operation);
    if (granted) return granted;
    const wanted = scopesFor(operation, request);
    const known = this.#shared.grants.known(this.#keyHashOf(this.#key()));
    if (!known || missingFrom(known, wanted).length > 0) return this.#askGrantsFor(wanted);
    if (!operation.conditionalScopes) this.#granted.set(operation, known);
    return known;
  }

  async #askGrantsFor(wanted: readonly string[]): Promise<Grants> {
    const grants = await this.grants();
    if (missingFrom(grants, wanted).length === 0) return grants;
    const key = this.#key();
    const asked = await this.#shared.grants.recheck(this.#keyHashOf(key), key);
    const missing = missingFrom(asked, wanted);
    if (missing.length > 0) throw new ForbiddenError('MISSING_SCOPE', wanted, missing);
    return asked;
  }

  /** Asked once by this request, until something is changed. */
  async #grantsAnew(): Promise<Grants> {
    const key = this.#key();
    this.#renewal ??= this.#shared.grants.renew(this.#keyHashOf(key), key);
    return this.#renewal;
  }

  #keyHashOf(apiKey: string): string {
    this.#keyHash ??= keyHashOf(apiKey);
    return this.#keyHash;
  }

  #key(): string {
    if (this.apiKey === null)
      throw new UnauthenticatedError('Missing API key. Send it as `Authorization: Bearer <key>` or `X-API-Key: <key>`.');
    return this.apiKey;
  }
}

/** Opens the upstream. Its transport is closed with it. */
export function createUpstream(given: UpstreamOptions): Upstream {
  const { meter } = given;
  const options = meter ? { ...given, transport: meteredTransport(given.transport, operations, meter) } : given;
  const { clock = systemClock, timeoutMs, breaker = BREAKER } = options;
  const quota = options.quota ?? new MemoryQuota(clock);
  const permits = new Permits(options.permits ?? permitLimitsOf(CALLS_AT_A_TIME));
  const breakers = new Breakers(breaker, clock);
  const onInvalidKey = (keyHash: string) => {
    grants.forget(keyHash);
    reads.forget(keyHash);
    kept.forget(keyHash);
  };
  const drift = new DriftWatch(options.onDrift);
  const sender = createSender(options, { quota, permits, breakers, onInvalidKey, drift });
  const reads = new SharedReads<Call>({
    send: (call) => sender.send(call),
    onJoin: (underWay, { requester, trace }) => {
      meter?.onShared();
      permits.promote(underWay, requester);
      return trace?.join(underWay.trace);
    },
    onLeave: (underWay, waiting) => sender.onRequesterDisconnect(underWay, waiting),
    isOwn: isRequesterLimit,
    cacheMs: options.readCacheMs ?? 0,
    clock,
  });
  const kept = new KeptAnswers(clock);
  const contract = new Contract(options.overlay);
  const me = undecoded(contract.of(Me));
  const grants = new GrantCache((apiKey) => askGrants(sender, me, timeoutMs, apiKey, options.currentTrace?.() ?? null), clock);
  const shared: Shared = { options, contract, grants, quota, sender, reads, shapes: new ListStatsStore(clock), kept, turns: new Turns() };
  return {
    contract,
    drifts: drift.counts,
    load: () => ({ queueLength: permits.waiting, leastRemaining: quota.leastRemaining(), breakers: breakers.states() }),
    for: (apiKey, requestId, options) => new Session(shared, apiKey, requestId, options),
    probe: () => probe(options, me, breakers),
    close: () => sender.close().then(() => quota.close()),
  };
}
