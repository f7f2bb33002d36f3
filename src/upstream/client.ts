import { randomUUID } from 'node:crypto';
import { afterUncertainty, type CallFacts, failure, refusal, success } from './answers.ts';
import {
  ApiError,
  ForbiddenError,
  QueryTooExpensiveError,
  UnauthenticatedError,
  UpstreamUnavailableError,
  ValidationError,
} from './errors.ts';
import { Me } from './generated/operations.ts';
import { GrantCache, type Grants, grantsOf, mayHold } from './grants.ts';
import type { AnyOperation, Operation } from './operation.ts';
import { brokenRules } from './rules.ts';
import { type Transport, TransportError, type UpstreamAnswer, type UpstreamRequest } from './transport.ts';

export interface UpstreamOptions {
  readonly transport: Transport;
  /** How long a call may take, its resend included. */
  readonly timeoutMs: number;
  /** Told of every call that the upstream announces the end of. */
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
  readonly now?: () => number;
  /** Calls that one request may make, so that no document uses up the key's quota. */
  readonly callsPerRequest: number;
}

/** The vendor's API, shared by all requests. */
export interface Upstream {
  /** The API as one caller sees it, for one request. `apiKey` is null when the caller sent none. */
  for(apiKey: string | null, requestId: string): Session;
  /** Fails when the upstream cannot be reached or fails; passes when it answers, be it a refusal. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Operations that may be sent again after a failure of the connection: a repeat has no second effect. */
const isResendable = ({ effect }: AnyOperation) => effect === 'READ' || effect === 'SETTLED' || effect === 'KEYED';

/** Statuses that say the upstream could not begin, or fell over: a resend may find it well. */
const TRANSIENT = new Set([502, 503, 504]);

/** One caller's road to the upstream. Every call passes its scope check and its limits here: there is no way round. */
export class Session {
  readonly apiKey: string | null;
  readonly requestId: string;
  readonly #options: UpstreamOptions;
  readonly #cache: GrantCache;
  /** Reads of this request, by operation and request: the same question is asked once. */
  readonly #reads = new Map<string, Promise<object>>();
  #calls = 0;

  constructor(options: UpstreamOptions, cache: GrantCache, apiKey: string | null, requestId: string) {
    this.#options = options;
    this.#cache = cache;
    this.apiKey = apiKey;
    this.requestId = requestId;
  }

  /** What the key may do. Fails with UnauthenticatedError when there is no key, or the upstream does not know it. */
  async grants(): Promise<Grants> {
    return this.#cache.get(this.#key());
  }

  /** Passes when the key may hold all scopes of the operation; else ForbiddenError names every missing one. */
  async requireScopes(operation: AnyOperation, request: object = {}): Promise<void> {
    const conditional = operation.conditionalScopes ?? [];
    const wanted = [
      ...operation.scopes,
      ...conditional.filter(({ field }) => isGiven((request as Record<string, unknown>)[field])).map(({ scope }) => scope),
    ];
    const missingFrom = ({ scopes }: Grants) => wanted.filter((scope) => !mayHold(scopes, scope));
    if (missingFrom(await this.grants()).length === 0) return;
    const missing = missingFrom(await this.#cache.recheck(this.#key()));
    if (missing.length > 0) throw new ForbiddenError('MISSING_SCOPE', wanted, missing);
  }

  /** Calls one operation. A read that this request has asked before is answered from memory, until something is changed. */
  async call<Request, Response>(operation: Operation<Request, Response>, request: Request): Promise<Response> {
    if (operation.effect !== 'READ') {
      try {
        return (await this.#perform(operation, request as object)) as Response;
      } finally {
        this.#reads.clear();
      }
    }
    const id = `${operation.name} ${JSON.stringify(request)}`;
    let answer = this.#reads.get(id);
    if (!answer) {
      answer = this.#perform(operation, request as object);
      this.#reads.set(id, answer);
    }
    return answer as Promise<Response>;
  }

  async #perform(operation: AnyOperation, request: object): Promise<object> {
    const issues = brokenRules(request, operation.rules);
    if (issues.length > 0) throw new ValidationError(issues);
    await this.requireScopes(operation, request);
    const { scopes } = await this.grants();
    this.#calls += 1;
    const { callsPerRequest: limit } = this.#options;
    if (this.#calls > limit) {
      const message = `This request takes more than ${limit} upstream calls; the rest was not sent. Ask for less at a time.`;
      throw new QueryTooExpensiveError(message, limit);
    }
    return send(this.#options, operation, request, this.#key(), this.requestId, scopes !== null);
  }

  #key(): string {
    if (this.apiKey === null) {
      throw new UnauthenticatedError('There is no API key: send it as `Authorization: Bearer <key>`, or as `X-API-Key: <key>`.');
    }
    return this.apiKey;
  }
}

/** An attempt that came to nothing for a reason that may have passed by the next one. */
class Interruption extends Error {
  /** What to tell the caller when there is no next attempt. */
  readonly failure: ApiError;
  /** Whether the attempt may have taken effect. */
  readonly isUncertain: boolean;

  constructor(failure: ApiError, isUncertain: boolean) {
    super(failure.message, { cause: failure });
    this.name = 'Interruption';
    this.failure = failure;
    this.isUncertain = isUncertain;
  }
}

/** Sends a call once. */
async function attempt({ transport, onDeprecated }: UpstreamOptions, sent: UpstreamRequest, facts: CallFacts): Promise<object> {
  let answer: UpstreamAnswer;
  try {
    answer = await transport.send(sent);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    // Time that has run out does not come back with another attempt.
    if (error.isTimeout) throw failure(error, facts);
    throw new Interruption(failure(error, facts), error.isSent);
  }
  const { status, headers } = answer;
  if (headers.deprecation !== undefined) onDeprecated?.(facts.operation.name, String(headers.sunset ?? '') || null);
  if (status === 200 || status === 201) return success(answer, facts);
  const refused = refusal(answer, facts);
  throw TRANSIENT.has(status) && headers['retry-after'] === undefined ? new Interruption(refused, true) : refused;
}

async function send(
  options: UpstreamOptions,
  operation: AnyOperation,
  request: object,
  apiKey: string,
  requestId: string,
  areScopesKnown: boolean,
): Promise<object> {
  const deadline = performance.now() + options.timeoutMs;
  const body = JSON.stringify(request);
  const textOf = (field: string | undefined) => {
    const value = field && (request as Record<string, unknown>)[field];
    return typeof value === 'string' ? value : null;
  };
  const facts: CallFacts = {
    operation,
    startedAt: new Date(),
    timeoutMs: options.timeoutMs,
    areScopesKnown,
    idempotencyKey: textOf(operation.keyField),
    expectedVersion: textOf(operation.versionField),
    apiKey,
  };
  // Without its key a keyed operation is like any other write.
  const canResend = isResendable(operation) && (operation.effect !== 'KEYED' || facts.idempotencyKey !== null);
  let isUncertain = false;
  for (let left = canResend ? 1 : 0; ; left -= 1) {
    try {
      const timeoutMs = deadline - performance.now();
      return await attempt(options, { path: operation.path, apiKey, body, requestId, timeoutMs }, facts);
    } catch (error) {
      const isInterrupted = error instanceof Interruption;
      if (!isInterrupted || left === 0 || performance.now() >= deadline) {
        const last = isInterrupted ? error.failure : error;
        throw isUncertain && last instanceof ApiError ? afterUncertainty(last, facts) : last;
      }
      isUncertain = error.isUncertain;
    }
  }
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const ask = async (apiKey: string): Promise<Grants> => {
    try {
      return grantsOf(await send(options, Me, {}, apiKey, randomUUID(), false));
    } catch (error) {
      // The key is good, but may not ask: `Me` needs a scope of its own.
      if (error instanceof ForbiddenError) return { scopes: null, workspaceId: null };
      throw error;
    }
  };
  const cache = new GrantCache(ask, options.now);
  return {
    for: (apiKey, requestId) => new Session(options, cache, apiKey, requestId),
    probe: async () => {
      const { status } = await options.transport
        .send({ path: Me.path, apiKey: 'probe', body: '{}', requestId: randomUUID(), timeoutMs: options.timeoutMs })
        .catch((error: unknown) => {
          throw new UpstreamUnavailableError(Me.name, error);
        });
      if (status >= 500) throw new UpstreamUnavailableError(Me.name);
    },
    close: () => options.transport.close(),
  };
}
