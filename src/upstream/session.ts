import { setImmediate } from 'node:timers/promises';
import type { UnauthenticatedError } from '../failures/failures.ts';
import { isFlatAndSorted, toCanonicalJson } from '../lib/canonicalJson.ts';
import { systemClock } from '../lib/clock.ts';
import { Authorization } from './access/authorization.ts';
import type { Credential } from './access/credential.ts';
import type { GrantCache } from './access/grants.ts';
import { type AuthorizedRequester, type CallContent, createCall, type RequestCall } from './calls/call.ts';
import type { CallPipeline } from './calls/callPipeline.ts';
import type { Keys } from './calls/key.ts';
import type { ReadCoalescer } from './calls/readCoalescer.ts';
import { type Demand, Requester } from './calls/requester.ts';
import { MAX_WAIT_MS } from './calls/retry.ts';
import type { Contract } from './contract/contract.ts';
import type { Index, IndexColumns } from './contract/fields.ts';
import { type AnyOperation, isRead, type Operation } from './contract/operation.ts';
import { createMissingCredentialError, getTimeoutMs, type UpstreamOptions } from './options.ts';
import type { SessionTrace } from './traffic/callTrace.ts';
import { RequestLists } from './traffic/coveringLists.ts';
import type { Quota, QuotaView } from './traffic/quota.ts';
import type { Turns } from './traffic/turns.ts';

/** What all requests share. */
export interface UpstreamParts {
  readonly options: UpstreamOptions;
  readonly contract: Contract;
  readonly keys: Keys;
  readonly grants: GrantCache;
  readonly quota: Quota;
  readonly pipeline: CallPipeline;
  readonly reads: ReadCoalescer;
  readonly turns: Turns;
}

/** Options of a session. */
export interface SessionOptions {
  /** Whether writes are rejected instead of sent, after they have passed all checks. `Session.rehearsed` is then the name of the operation. */
  readonly isRehearsal?: boolean;
  /** Whether calls fail until the request has been admitted: an operation whose cost is zero must send none. */
  readonly requiresAdmission?: boolean;
  /** `traceparent` header of the request's calls. A coalesced read has that of the first request. */
  readonly traceparent?: string | null;
  /** Records the request's calls as spans, whose headers replace `traceparent`. */
  readonly trace?: SessionTrace | null;
}

/** Options of a call. */
interface CallOptions {
  /** Maximum age of the cached response to a read, in milliseconds. */
  readonly maxAgeMs?: number | undefined;
  /** Called before a write is rejected that the upstream has certainly not received. */
  readonly onUnsent?: () => void;
}

const NO_OPTIONS: CallOptions = {};

/** Serializes a message in this upstream's names. */
const serialize = (operation: AnyOperation, message: object): string =>
  JSON.stringify(operation.wire ? operation.wire.encode(message) : message);

/** Equal for reads with the same operation and message, regardless of the order of members. */
const createRequestKey = ({ name }: AnyOperation, message: object, body: string): string =>
  `${name} ${isFlatAndSorted(message) ? body : toCanonicalJson(message)}`;

/** A GraphQL request's access to the upstream. Every call passes through the steps in calls/callPipeline.ts. */
export class Session extends Requester implements AuthorizedRequester {
  /** Null if the request has none. */
  readonly credential: Credential | null;
  readonly isRehearsal: boolean;
  /** Name of the operation that a rehearsal would have sent. Null before that. */
  rehearsed: string | null = null;
  readonly #parts: UpstreamParts;
  /** Reads of this request, by request key. Each is sent once until something is written. */
  readonly #reads = new Map<string, Promise<object>>();
  #access: Authorization | undefined;
  #lists: RequestLists | undefined;
  #canCall: boolean;
  #isOpen = true;
  #canBeAbandoned = false;
  #isAbandoned = false;

  constructor(parts: UpstreamParts, credential: Credential | null, requestId: string, options: SessionOptions = {}) {
    const { keys, quota } = parts;
    super({
      key: credential ? keys.get(credential.keyHash) : keys.none,
      apiKey: credential?.apiKey ?? '',
      requestId,
      traceparent: options.traceparent ?? null,
      trace: options.trace ?? null,
      maxCalls: parts.options.callsPerRequest,
      quota,
    });
    this.key.sessions += 1;
    this.#parts = parts;
    this.credential = credential;
    this.isRehearsal = options.isRehearsal ?? false;
    this.#canCall = !options.requiresAdmission;
  }

  /** Opens another session of the same caller, for work in the background while a response stays open. It has a budget of calls of its own. */
  fork(): Session {
    return new Session(this.#parts, this.credential, this.requestId);
  }

  /** Columns of an index whose values its rows can provide instead of records, by member. None if rows can't replace records. */
  listRowColumns(index: Index): IndexColumns {
    const { options, contract } = this.#parts;
    return options.hasIndexRows === false ? {} : contract.indexes.listColumns(index);
  }

  /** The lists that can replace calls. Null if pages of lists don't replace calls by ID. */
  get lists(): RequestLists | null {
    const { options } = this.#parts;
    if (options.hasListBatching === false) return null;
    this.#lists ??= new RequestLists(this, options.clock ?? systemClock, options.onPartialRows);
    return this.#lists;
  }

  /** Upstream calls that pages of lists saved the request. Negative if a fetched page didn’t pay off. */
  get savedCalls(): number {
    return this.#lists?.savedCalls ?? 0;
  }

  /** Hash of the API key. Null if the request has none. */
  get keyHash(): string | null {
    return this.credential?.keyHash ?? null;
  }

  /** What the caller is allowed to do. Throws UnauthenticatedError if the request has no credential. */
  get access(): Authorization {
    this.#access ??= new Authorization(this.#parts.grants, this, this.#requireCredential());
    return this.#access;
  }

  /** Looks up the scopes of the key. Rejects with UnauthenticatedError if the request has no credential. */
  async fetchGrants(): Promise<void> {
    await this.access.getGrants();
  }

  #requireCredential(): Credential {
    if (this.credential === null) throw this.createMissingCredentialError();
    return this.credential;
  }

  /** Creates the error for a request without a credential. */
  createMissingCredentialError(): UnauthenticatedError {
    return createMissingCredentialError(this.#parts.options);
  }

  /** The key's quota. Null until the upstream has reported one. */
  get quota(): QuotaView | null {
    return this.#parts.quota.getView(this.key);
  }

  /**
   * Admits this request to the quota of its key, until `finish`. `predictedValues` is the number of values that its response may have. Undefined if nothing has to
   * be waited for. Throws or rejects like `admitToQuota`, after which no call must be sent.
   */
  admit(demand: Demand, predictedValues = 0): Promise<void> | undefined {
    const { turns, options } = this.#parts;
    this.#canCall = true;
    this.values = predictedValues;
    this.expectedCalls = demand.expected;
    if (this.credential === null) return undefined;
    const maxWaitMs = Math.min(MAX_WAIT_MS, options.timeoutMs);
    const turn = turns.waitForTurn(this);
    return turn ? turn.then(() => this.admitToQuota(demand, maxWaitMs)) : this.admitToQuota(demand, maxWaitMs);
  }

  /** Waits for a turn of the event loop to do work that sends no call, in values of responses that take as long. Undefined if it can start immediately. */
  waitToWork(work: number): Promise<void> | undefined {
    return this.#parts.turns.waitToWork(this.sender, work);
  }

  /** Ends the request: releases the reserved calls that weren't sent. Can be called repeatedly. */
  override finish(): void {
    super.finish();
    if (this.#isOpen) this.key.sessions -= 1;
    this.#isOpen = false;
  }

  /** Discards the responses that this request has fetched, or with `key`, those of all requests of its key. They are fetched again if needed. */
  forget(of: 'request' | 'key' = 'request'): void {
    this.#access?.forget();
    this.#reads.clear();
    if (of === 'key') this.#parts.reads.forget(this.key);
  }

  /**
   * Rejects with ForbiddenError, which lists every scope that the key lacks for the operation. Undefined if no scope is known to be missing, so that thousands
   * of records don't wait.
   */
  requireScopes(operation: AnyOperation, message: object = {}): Promise<unknown> | undefined {
    try {
      const grants = this.access.require(operation, message);
      return grants instanceof Promise ? grants : undefined;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The contract with this upstream's corrections. */
  get contract(): Contract {
    return this.#parts.contract;
  }

  /** Returns the operation with this upstream's corrections. Its page sizes and its idempotency key may differ from the contract. */
  operation<Message, Response>(operation: Operation<Message, Response>): Operation<Message, Response> {
    return this.#parts.contract.getOperation(operation);
  }

  /** Calls an operation. A read is sent once per request until something is written. */
  call<Message, Response>(
    named: Operation<Message, Response>,
    message: Message,
    { maxAgeMs, onUnsent }: CallOptions = NO_OPTIONS,
  ): Promise<Response> {
    const operation = this.operation(named);
    this.requested += 1;
    const request = message as object;
    const body = serialize(operation, request);
    if (!isRead(operation)) return this.#write(operation, request, body, onUnsent) as Promise<Response>;
    const requestKey = createRequestKey(operation, request, body);
    const known = maxAgeMs === undefined ? this.#reads.get(requestKey) : undefined;
    // Each use takes a turn of its own, so that the aliases of a large operation aren't all executed in one.
    if (known) return known.then((value) => this.#parts.turns.resume(value, this)) as Promise<Response>;
    const response = this.#read({
      operation,
      request,
      body,
      requestKey,
      maxAgeMs,
      timeoutMs: getTimeoutMs(operation, this.#parts.options),
    });
    this.#reads.set(requestKey, response);
    return response as Promise<Response>;
  }

  /** Settles when no read of this request is in flight, so that what needs their responses can be batched. */
  async waitForReads(): Promise<void> {
    for (let known = -1; known !== this.#reads.size; ) {
      known = this.#reads.size;
      await Promise.allSettled(this.#reads.values());
      // Responses can lead to further reads.
      await setImmediate();
    }
  }

  /** Discards the cached response to a read that is known to be outdated. This request keeps it, so that executing it again sends no further call. */
  discard<Message>(named: Operation<Message, unknown>, message: Message): void {
    const operation = this.operation(named);
    const requestKey = createRequestKey(operation, message as object, serialize(operation, message as object));
    this.#parts.reads.discard(this.key, requestKey);
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
    this.isDisconnected = true;
    this.#parts.reads.disconnect(this.key, this);
  }

  #createCall(content: CallContent): RequestCall {
    if (!this.#canCall)
      throw new Error(`${content.operation.name} was called by an operation that wasn’t admitted because its cost is zero.`);
    this.#requireCredential();
    return createCall(content, this);
  }

  #read(content: CallContent): Promise<object> {
    try {
      return this.#parts.pipeline.send(this.#createCall(content));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #write(operation: AnyOperation, request: object, body: string, onUnsent: (() => void) | undefined): Promise<object> {
    let call: RequestCall | undefined;
    try {
      call = this.#createCall({ operation, request, body, timeoutMs: getTimeoutMs(operation, this.#parts.options) });
      return await this.#parts.pipeline.send(call);
    } catch (error) {
      if (!call?.mayHaveArrived) onUnsent?.();
      throw error;
    } finally {
      this.forget();
    }
  }
}
