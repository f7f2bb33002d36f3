import { setImmediate } from 'node:timers/promises';
import { UnauthenticatedError } from '../failures/failures.ts';
import { isFlatAndSorted, toCanonicalJson } from '../lib/canonicalJson.ts';
import { systemClock } from '../lib/clock.ts';
import { Authorization } from './access/authorization.ts';
import type { Credential } from './access/credential.ts';
import { GrantCache } from './access/grants.ts';
import { type CallContent, createCall, type RequestCall, type RequestOrigin, type Send } from './calls/call.ts';
import { meterTransport } from './calls/callMeter.ts';
import { createChain } from './calls/chain.ts';
import { onRequesterDisconnect } from './calls/charge.ts';
import { ReadCoalescer } from './calls/deduplicate.ts';
import { MAX_WAIT_MS, Pauses, RetryBudget } from './calls/retry.ts';
import { Contract } from './contract/contract.ts';
import type { Index, IndexColumns } from './contract/fields.ts';
import { Me, operations } from './contract/generated/operations.ts';
import { type AnyOperation, isRead, type Operation } from './contract/operation.ts';
import { DEFAULT_MAX_CALLS_IN_FLIGHT, getTimeoutMs, type UpstreamLoad, type UpstreamOptions } from './options.ts';
import { disableDecoding, fetchGrants, probe } from './ownCalls.ts';
import { Admission, type Demand, type Stop } from './traffic/admission.ts';
import { BREAKER, Breakers } from './traffic/breakers.ts';
import { CallBudget } from './traffic/callBudget.ts';
import type { SessionTrace } from './traffic/callTrace.ts';
import { DriftWatch } from './traffic/driftWatch.ts';
import { KnownLists } from './traffic/knownLists.ts';
import { derivePermitLimits, Permits } from './traffic/permits.ts';
import { MemoryQuota, type Quota, type QuotaView } from './traffic/quota.ts';
import { RequestLists } from './traffic/requestLists.ts';
import { Turns } from './traffic/turns.ts';

/** The upstream API, shared by all requests. */
export interface Upstream {
  /** The contract with this upstream's deviations applied. */
  readonly contract: Contract;
  /** How often each difference between sampled responses and the contract was seen, by coordinate and kind. */
  readonly drifts: ReadonlyMap<string, number>;
  /** Returns a snapshot of the traffic. Iterates over all keys. */
  load(): UpstreamLoad;
  /** Creates the session of one request. `credential` is null if the client sent none. */
  openSession(credential: Credential | null, requestId: string, options?: SessionOptions): Session;
  /** Checks whether the upstream responds; client errors are fine. Rejects if it's unreachable or failing, or if a circuit breaker is open. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies that all requests share. */
interface SharedDependencies {
  readonly options: UpstreamOptions;
  readonly contract: Contract;
  readonly grants: GrantCache;
  readonly quota: Quota;
  readonly send: Send<RequestCall>;
  readonly reads: ReadCoalescer<RequestCall>;
  readonly knownLists: KnownLists;
  readonly turns: Turns;
}

/** Options of a session. */
export interface SessionOptions {
  /** Whether writes are rejected instead of sent, after they have passed all checks. `Session.rehearsed` is the name of the operation. */
  readonly isRehearsal?: boolean;
  /** Whether calls fail until the session has been admitted: an operation whose cost is zero must send none. */
  readonly requiresAdmission?: boolean;
  /** `traceparent` header of the session's calls. A coalesced read has that of the first request. */
  readonly traceparent?: string | null;
  /** Records the session's calls as spans, whose headers replace `traceparent`. */
  readonly trace?: SessionTrace | null;
}

/** Serializes a request in this upstream's names. */
const serializeRequest = (operation: AnyOperation, request: object): string =>
  JSON.stringify(operation.wire ? operation.wire.encode(request) : request);

/** Equal for reads with the same operation and request, regardless of the order of members. */
const createRequestKey = ({ name }: AnyOperation, request: object, body: string): string =>
  `${name} ${isFlatAndSorted(request) ? body : toCanonicalJson(request)}`;

/** A request's access to the upstream. Every call passes through the steps in calls/chain.ts. */
export class Session {
  /** Null if the request has none. */
  readonly credential: Credential | null;
  readonly requestId: string;
  /** Null if no spans are exported. */
  readonly trace: SessionTrace | null;
  /** Null if pages of lists don't replace calls by ID. */
  readonly lists: RequestLists | null;
  readonly #budget: CallBudget;
  readonly #shared: SharedDependencies;
  readonly #options: SessionOptions;
  /** Reads of this request, by request key. Each is sent once until something is written. */
  readonly #reads = new Map<string, Promise<object>>();
  #access: Authorization | undefined;
  #origin: RequestOrigin | undefined;
  #isAdmitted: boolean;
  #isFinished = false;
  #canBeAbandoned = false;
  #isAbandoned = false;
  #rehearsed: string | null = null;

  constructor(shared: SharedDependencies, credential: Credential | null, requestId: string, options: SessionOptions = {}) {
    this.#shared = shared;
    this.#options = options;
    this.#isAdmitted = !options.requiresAdmission;
    this.trace = options.trace ?? null;
    this.#budget = new CallBudget(shared.options.callsPerRequest);
    this.credential = credential;
    this.requestId = requestId;
    this.lists = this.#openLists();
  }

  /** Columns of an index whose values its rows can provide instead of records, by member. None if rows can't replace records. */
  listRowColumns(index: Index): IndexColumns {
    const { options, contract } = this.#shared;
    return options.hasIndexRows === false ? {} : contract.indexes.listColumns(index);
  }

  #openLists(): RequestLists | null {
    const { knownLists, options } = this.#shared;
    const { hasListBatching = true, onPartialRows } = options;
    if (!hasListBatching) return null;
    const lookups = {
      keyHash: () => this.#requireCredential().keyHash,
      quota: () => this.quota,
      lookUpQuota: () => this.access.getGrants(),
    };
    return new RequestLists({ knownLists, budget: this.#budget, ...lookups, onPartialRows, trace: this.trace });
  }

  /** Opens another session of the same caller, for work in the background while a response stays open. It has a call budget of its own. */
  fork(): Session {
    return new Session(this.#shared, this.credential, this.requestId);
  }

  /** Hash of the API key, by which everything about the key is stored. Null if the request has no key. */
  get keyHash(): string | null {
    return this.credential?.keyHash ?? null;
  }

  /** What the caller is allowed to do. Throws UnauthenticatedError if the request has no credential. */
  get access(): Authorization {
    this.#access ??= new Authorization(this.#shared.grants, this.#requireCredential());
    return this.#access;
  }

  /** Creates the error for a request without a credential. */
  createMissingCredentialError(): UnauthenticatedError {
    return new UnauthenticatedError(this.#shared.options.missingCredential ?? 'Missing API key.');
  }

  #requireCredential(): Credential {
    if (this.credential === null) throw this.createMissingCredentialError();
    return this.credential;
  }

  /** Number of upstream calls that this request has sent, including retries but excluding lookups of the key's grants. */
  get sentCalls(): number {
    return this.#budget.sent;
  }

  /** Whether the client has disconnected. */
  get isAbandoned(): boolean {
    return this.#budget.isDisconnected;
  }

  /** Name of the operation that a rehearsal would have sent. Null before that. */
  get rehearsed(): string | null {
    return this.#rehearsed;
  }

  /** The key's quota. Null until the upstream has reported one. */
  get quota(): QuotaView | null {
    const { keyHash } = this;
    return keyHash === null ? null : this.#shared.quota.getView(keyHash);
  }

  /** Admits this request to the quota of its key, until `finish`. Throws like `Admission.open`, after which no call must be sent. */
  async admit(demand: Demand, predictedValues = 0): Promise<void> {
    this.#isAdmitted = true;
    this.#budget.values = predictedValues;
    this.#budget.expectedCalls = demand.expected ?? 1;
    const { keyHash } = this;
    if (keyHash === null) return;
    const { quota, options, turns } = this.#shared;
    await turns.waitForTurn(keyHash);
    const admission = new Admission(quota, keyHash, this.#budget, Math.min(MAX_WAIT_MS, options.timeoutMs));
    this.#budget.admission = admission;
    // The request may have ended already.
    if (this.#isFinished) admission.finish();
    await admission.open(demand);
  }

  /** Why the request was stopped. Null while it may continue. */
  get stop(): Stop | null {
    return this.#budget.admission?.stop ?? null;
  }

  /** Releases the reserved calls that weren't sent. Can be called repeatedly. */
  finish(): void {
    this.#isFinished = true;
    this.#budget.admission?.finish();
  }

  /** Discards the responses that this request has fetched, or with `key`, those of all requests of its key. They are fetched again if needed. */
  forget(of: 'request' | 'key' = 'request'): void {
    this.#access?.forget();
    this.#reads.clear();
    if (of === 'key' && this.keyHash !== null) this.#shared.reads.forget(this.keyHash);
  }

  /**
   * Rejects with ForbiddenError, which lists every scope that the key lacks for the operation. Undefined if no scope is known to be missing, so that thousands
   * of records don't wait.
   */
  requireScopes(operation: AnyOperation, request: object = {}): Promise<unknown> | undefined {
    try {
      const grants = this.access.require(operation, request);
      return grants instanceof Promise ? grants : undefined;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Returns the operation with this upstream's corrections. Its page sizes and its idempotency key may differ from the contract. */
  operation<Request, Response>(operation: Operation<Request, Response>): Operation<Request, Response> {
    return this.#shared.contract.getOperation(operation);
  }

  /** The contract with this upstream's corrections. */
  get contract(): Contract {
    return this.#shared.contract;
  }

  /** Calls an operation. A read is sent once per request until something is written. `maxAgeMs` limits the age of a cached response. */
  call<Request, Response>(named: Operation<Request, Response>, request: Request, maxAgeMs?: number): Promise<Response> {
    const operation = this.operation(named);
    this.#budget.requested += 1;
    const body = serializeRequest(operation, request as object);
    if (!isRead(operation)) return this.#write(operation, request as object, body) as Promise<Response>;
    const requestKey = createRequestKey(operation, request as object, body);
    let response = maxAgeMs === undefined ? this.#reads.get(requestKey) : undefined;
    if (!response) {
      response = this.#send({ operation, request: request as object, body, requestKey, ...(maxAgeMs !== undefined && { maxAgeMs }) });
      this.#reads.set(requestKey, response);
    }
    return this.#shared.turns.resume(response, this.keyHash, this.#budget) as Promise<Response>;
  }

  /** Settles when no read of this request is in flight, so that what needs their responses can be batched. */
  async waitForReads(): Promise<void> {
    for (let known = -1; known !== this.#reads.size; ) {
      known = this.#reads.size;
      await Promise.allSettled(this.#reads.values());
      // Responses are resumed in turns of the event loop, and can lead to further reads.
      await setImmediate();
    }
  }

  /** Discards the cached response to a read that is known to be outdated. */
  discard<Request>(named: Operation<Request, unknown>, request: Request): void {
    const operation = this.operation(named);
    const requestKey = createRequestKey(operation, request as object, serializeRequest(operation, request as object));
    this.#reads.delete(requestKey);
    this.#shared.reads.discard(this.#requireCredential().keyHash, requestKey);
  }

  /** Declares that the request writes nothing, so that its reads can be canceled when its client disconnects. */
  permitAbandonment(): void {
    this.#canBeAbandoned = true;
    if (this.#isAbandoned) this.abandon();
  }

  /**
   * Called when the client disconnects before the end of its response. After `permitAbandonment`, cancels the reads that no other request waits for, and sends
   * no further ones.
   */
  abandon(): void {
    this.#isAbandoned = true;
    if (!this.#canBeAbandoned) return;
    this.#budget.isDisconnected = true;
    this.#shared.reads.disconnect(this.#budget);
  }

  #send(content: Omit<CallContent, 'timeoutMs'>): Promise<object> {
    const { operation } = content;
    try {
      if (!this.#isAdmitted) throw new Error(`${operation.name} was called by an operation that wasn’t admitted because its cost is zero.`);
      const timeoutMs = getTimeoutMs(operation, this.#shared.options);
      this.#origin ??= this.#createOrigin();
      return this.#shared.send(createCall({ ...content, timeoutMs }, this.#origin));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #createOrigin(): RequestOrigin {
    const { requestId, trace, access } = this;
    const { traceparent = null, isRehearsal = false } = this.#options;
    const { apiKey, keyHash } = this.#requireCredential();
    return {
      apiKey,
      keyHash,
      requestId,
      traceparent,
      trace,
      budget: this.#budget,
      authorize: (operation, request) => access.require(operation, request),
      rehearses: ({ name }) => {
        if (isRehearsal) this.#rehearsed = name;
        return isRehearsal;
      },
    };
  }

  async #write(operation: AnyOperation, request: object, body: string): Promise<object> {
    try {
      return await this.#send({ operation, request, body });
    } finally {
      this.forget();
    }
  }
}

/** Creates the upstream. Closing it also closes its transport. */
export function createUpstream(settings: UpstreamOptions): Upstream {
  const { meter } = settings;
  const options = meter ? { ...settings, transport: meterTransport(settings.transport, operations, meter) } : settings;
  const { transport, clock = systemClock, timeoutMs, breaker = BREAKER, onDeprecated, onFailure } = options;
  const quota = options.quota ?? new MemoryQuota(clock);
  const permits = new Permits(options.permits ?? derivePermitLimits(DEFAULT_MAX_CALLS_IN_FLIGHT));
  const breakers = new Breakers(breaker, clock);
  const pauses = new Pauses(options);
  const drift = new DriftWatch(options.onDrift);
  const reads = new ReadCoalescer<RequestCall>({
    onJoin: (inFlight, { requester, trace }) => {
      meter?.onCoalesced();
      permits.promote(inFlight, requester);
      return trace?.join(inFlight.trace);
    },
    onDisconnect: (inFlight, waiting) => onRequesterDisconnect(inFlight, waiting, permits),
    cacheMs: options.readCacheMs ?? 0,
    clock,
  });
  const { send, sendOwn } = createChain({
    transport,
    clock,
    quota,
    permits,
    breakers,
    pauses,
    reads,
    drift,
    retryBudget: new RetryBudget(options.retryBudget),
    onInvalidKey: (keyHash) => {
      grants.forget(keyHash);
      reads.forget(keyHash);
    },
    ...(onDeprecated && { onDeprecated }),
    ...(onFailure && { onFailure }),
    ...(meter && { meter }),
  });
  const contract = new Contract(options.overlay);
  const me = disableDecoding(contract.getOperation(Me));
  const grants = new GrantCache((apiKey) => fetchGrants(sendOwn, me, timeoutMs, apiKey, options.currentTrace?.() ?? null), clock);
  const shared: SharedDependencies = {
    options,
    contract,
    grants,
    quota,
    send,
    reads,
    knownLists: new KnownLists(clock),
    turns: new Turns(),
  };
  return {
    contract,
    drifts: drift.counts,
    load: () => ({ queueLength: permits.waiting, lowestRemaining: quota.findLowestRemaining(), breakers: breakers.getStates() }),
    openSession: (credential, requestId, options) => new Session(shared, credential, requestId, options),
    probe: () => probe(options, me, breakers),
    close: async () => {
      const closed = transport.close();
      pauses.close();
      await closed;
      await quota.close();
    },
  };
}
