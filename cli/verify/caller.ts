import { randomUUID } from 'node:crypto';
import { ForbiddenError, NotFoundError, RateLimitedError, UnauthenticatedError, ValidationError } from '../../src/failures/failures.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import { type Grants, mayHaveScope } from '../../src/upstream/access/grants.ts';
import { findKnownCode } from '../../src/upstream/calls/errorBody.ts';
import { classifyResponse, ForeignResponseError } from '../../src/upstream/calls/outcomes.ts';
import { Contract } from '../../src/upstream/contract/contract.ts';
import { type IndexOverlay, mergeIndexOverlays } from '../../src/upstream/contract/indexOverlay.ts';
import { type AnyOperation, isRead } from '../../src/upstream/contract/operation.ts';
import { getServiceName, type Overlay, type SortDirectionSupport } from '../../src/upstream/contract/overlay.ts';
import type { WireIndexes } from '../../src/upstream/contract/wireIndexes.ts';
import { getResponseDate, parseQuotaHeaders } from '../../src/upstream/traffic/rateLimitHeaders.ts';
import { type Transport, TransportError, type UpstreamResponse } from '../../src/upstream/transport/transport.ts';

/** Unit of the RateLimit-Reset header. `UNREADABLE` means a unit that the graph doesn't support: it ignores the header. */
type ResetUnit = 'SECONDS_LEFT' | 'UNIX_SECONDS' | 'UNREADABLE' | 'ABSENT';

const hasHeader = (headers: UpstreamResponse['headers'], name: string) => headers[name] !== undefined;

const parseNumber = (headers: UpstreamResponse['headers'], name: string): number | null => {
  const value = headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
};

/** Largest value that is treated as seconds from now. The graph uses the same limit. */
const MAX_SECONDS_LEFT = 3_600;
const MIN_UNIX_SECONDS = 1e9;
const MIN_UNIX_MS = 1e11;

function detectUnit(reset: number | null): ResetUnit {
  if (reset === null) return 'ABSENT';
  if (reset <= MAX_SECONDS_LEFT) return 'SECONDS_LEFT';
  return reset >= MIN_UNIX_SECONDS && reset < MIN_UNIX_MS ? 'UNIX_SECONDS' : 'UNREADABLE';
}

/** Other forms of the headers: earlier and later IETF drafts than the contract's, and the non-standard headers that preceded them. */
const OTHER_FORMS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
];

/** Tracks the RateLimit headers of a run: the remaining calls, and the unit of the reset. */
class RateWatch {
  readonly #otherHeaders = new Set<string>();
  #remaining: number | null = null;
  #unit: ResetUnit = 'ABSENT';
  /** Largest decrease of the remaining calls between two responses. */
  #decrease: number | null = null;

  observe(headers: UpstreamResponse['headers']): void {
    for (const name of OTHER_FORMS) if (hasHeader(headers, name)) this.#otherHeaders.add(name);
    const remaining = parseNumber(headers, 'ratelimit-remaining');
    if (remaining === null) return;
    if (this.#remaining !== null && remaining < this.#remaining)
      this.#decrease = Math.max(this.#decrease ?? 0, this.#remaining - remaining);
    this.#remaining = remaining;
    const reset = parseNumber(headers, 'ratelimit-reset');
    this.#unit = reset === null && hasHeader(headers, 'ratelimit-reset') ? 'UNREADABLE' : detectUnit(reset);
  }

  /** Rate-limit headers in another form, which the graph doesn't read. */
  get otherHeaders(): readonly string[] {
    return [...this.#otherHeaders].sort();
  }

  isBelow(reserve: number): boolean {
    return this.#remaining !== null && this.#remaining <= reserve;
  }

  get unit(): ResetUnit {
    return this.#unit;
  }

  /** Calls that the upstream counts per call. Null if the header hasn't decreased yet. Also more than 1 if the key is used elsewhere at the same time. */
  get decrease(): number | null {
    return this.#decrease;
  }
}

/**
 * Reason why a coordinate couldn't be checked.
 * - `NO_DATA`: no record was found.
 * - `MISSING_SCOPE`: the key lacks the scope.
 * - `PERMISSION`: the member of the key lacks a permission, or the upstream doesn't say why it rejects the call.
 * - `ADDRESS`: the key doesn't allow this IP address.
 * - `NOT_SERVED`: nothing responds at the path of the operation.
 * - `REFUSED`: the upstream rejects the request as invalid.
 * - `ERROR`: the upstream failed, or didn't respond in time.
 * - `UNREADABLE`: the response doesn't have the form of the contract. A drift describes it.
 * - `BUDGET`: the run reached its maximum number of calls, or the reserve of the rate limit.
 */
export type UnreachedReason =
  | 'NO_DATA'
  | 'MISSING_SCOPE'
  | 'PERMISSION'
  | 'ADDRESS'
  | 'NOT_SERVED'
  | 'REFUSED'
  | 'ERROR'
  | 'UNREADABLE'
  | 'BUDGET';

/** Limit that ended a run early: its maximum number of calls, or the reserve of the rate limit. */
export type RunLimit = 'MAX_CALLS' | 'RESERVE';

/** Result of a call: a response in the contract's names, or the reason why the call has none. */
export type CallResult =
  | { readonly response: JsonObject; readonly status: number }
  | {
      readonly reason: UnreachedReason;
      readonly status: number | null;
      readonly code: string | null;
      readonly members: readonly string[];
      readonly isMissing: boolean;
      /** Details of the reason, without a value. */
      readonly detail: string | null;
    };

interface CallerOptions {
  readonly transport: Transport;
  readonly apiKey: string;
  readonly overlay: Overlay;
  readonly maxCalls: number;
  /** Calls of the rate limit that are reserved for other users of the key. */
  readonly reserve: number;
  readonly timeoutMs: number;
  /** Waits for the next window of the rate limit. Without it, a run ends with the window. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
  /** Called for each successful response, with its `Date` header in Unix seconds. Null without the header. */
  readonly onResponse?: (operation: AnyOperation, response: JsonObject, sentAtS: number | null) => void;
}

/** Members of error bodies that a report can contain: names without data. */
const MEMBERS = ['code', 'message', 'details', 'error', 'status', 'title', 'detail', 'errors'];

const listKnownMembers = (body: unknown): readonly string[] => (isJsonObject(body) ? MEMBERS.filter((name) => name in body) : []);

const createFailure = (reason: UnreachedReason, detail: string | null = null, status: number | null = null): CallResult => ({
  reason,
  status,
  code: null,
  members: [],
  isMissing: false,
  detail,
});

/** How a successful response differs from the expected JSON object. Null if it doesn't. */
function describeUnreadable({ headers, status }: UpstreamResponse, json: unknown): string | null {
  if (status < 200 || (status > 201 && status < 400)) return `status ${status}, expected 200`;
  if (headers['content-encoding'] !== undefined) return 'a compressed body, which wasn’t requested';
  if (Array.isArray(json)) return 'an array instead of an object';
  return isJsonObject(json) ? null : 'a body that isn’t a JSON object in UTF-8';
}

/** Error codes of Node.js: network, TLS, and undici. */
const SYSTEM_CODE = /^[A-Z][A-Z_]+$/;

function describeConnectionFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof TransportError && error.isTimeout) return `no response within ${timeoutMs / 1000} seconds`;
  const code = String((error as { readonly cause?: { readonly code?: unknown } }).cause?.code ?? '');
  return SYSTEM_CODE.test(code) ? `connection failed: ${code}` : 'connection failed';
}

/** Whether the upstream or the connection failed, so that a retry can succeed. */
const isRetryable = (result: CallResult) =>
  'reason' in result && result.reason === 'ERROR' && (result.status === null || result.status >= 500);

/** Thrown when the upstream rejects the key. */
export class KeyRejectedError extends Error {}

/** Sends reads, and only reads, within the limits of the run. */
export class Caller {
  readonly rate = new RateWatch();
  readonly #options: CallerOptions;
  #overlay: Overlay;
  #contract: Contract;
  #grants: Pick<Grants, 'scopes'> = { scopes: null };
  calls = 0;
  /** Limit that prevented calls. Null if all were sent. */
  cutBy: RunLimit | null = null;
  /** Calls that weren't sent because of a limit. */
  withheld = 0;
  /** Time to the next window, from the last response. Null if unknown. */
  #resetsInMs: number | null = null;
  /** Calls sent before the last wait for a window. */
  #callsAtWait = Number.NEGATIVE_INFINITY;
  /** Whether the key was accepted once. A later 401 then concerns the operation. */
  #isAccepted = false;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#overlay = options.overlay;
    this.#contract = new Contract(options.overlay);
  }

  /** Scopes of the key as reported by the upstream. Null if it doesn't report them. */
  set scopes(scopes: ReadonlySet<string> | null) {
    this.#grants = { scopes };
  }

  /** Whether the overlay declares that no list returns complete records of a get. */
  hasNoCoveringList({ name }: AnyOperation): boolean {
    return this.#overlay.operations[name]?.cover === null;
  }

  /** The operation with all corrections found so far. */
  applyCorrections(operation: AnyOperation): AnyOperation {
    return this.#contract.getOperation(operation);
  }

  /** Sets the name of a service in paths for later calls. */
  renameService(service: string, name: string): void {
    this.#setOverlay(this.#addServiceName(service, name));
  }

  /** Sets the wire names of a message's fields for later calls. */
  renameMembers(message: string, names: Readonly<Record<string, string>>): void {
    const { fields } = this.#overlay;
    this.#setOverlay({ ...this.#overlay, fields: { ...fields, [message]: { ...fields[message], ...names } } });
  }

  /** The indexes with all corrections found so far. */
  get indexes(): WireIndexes {
    return this.#contract.indexes;
  }

  /** How analytics queries can be sorted in descending order, according to the overlay. */
  get sortDirection(): SortDirectionSupport {
    return this.#contract.sortDirection;
  }

  /** Corrects indexes for later calls, by the contract's names of their roots. */
  correctIndexes(corrections: ReadonlyMap<string, IndexOverlay | null>): void {
    this.#setOverlay({ ...this.#overlay, indexes: mergeIndexOverlays(this.#overlay.indexes, corrections) });
  }

  #setOverlay(overlay: Overlay): void {
    this.#overlay = overlay;
    this.#contract = new Contract(overlay);
  }

  #addServiceName(service: string, name: string): Overlay {
    return { ...this.#overlay, services: { ...this.#overlay.services, [service]: name } };
  }

  /** Required scopes that the key is known to lack. */
  listMissingScopes({ scopes }: { readonly scopes: readonly string[] }): readonly string[] {
    return scopes.filter((scope) => !mayHaveScope(this.#grants.scopes, scope));
  }

  #findReachedLimit(): RunLimit | null {
    if (this.calls >= this.#options.maxCalls) return 'MAX_CALLS';
    return this.rate.isBelow(this.#options.reserve) ? 'RESERVE' : null;
  }

  /** Waits for the next window. False if waiting is disabled, the time is unknown, or the last wait didn't help. */
  async #waitForWindow(): Promise<boolean> {
    const { wait } = this.#options;
    if (!wait || this.#resetsInMs === null || this.calls - this.#callsAtWait <= 1) return false;
    await wait(this.#resetsInMs);
    this.#callsAtWait = this.calls;
    return true;
  }

  /** Sends a read, again if the upstream fails. `service` replaces the name of its service in the path. */
  async send(operation: AnyOperation, request: object, service?: string): Promise<CallResult> {
    const result = await this.#sendOnce(operation, request, service);
    return isRetryable(result) ? this.#sendOnce(operation, request, service) : result;
  }

  async #sendOnce(original: AnyOperation, request: object, service?: string): Promise<CallResult> {
    // Guarantees that the program is read-only, even if a caller has a bug.
    if (!isRead(original)) throw new Error(`${original.name} isn’t a read. Only reads can be sent.`);
    if (this.listMissingScopes(original).length > 0) return createFailure('MISSING_SCOPE');
    let limit = this.#findReachedLimit();
    if (limit === 'RESERVE' && (await this.#waitForWindow())) limit = null;
    if (limit !== null) {
      this.cutBy = limit;
      this.withheld += 1;
      return createFailure('BUDGET');
    }
    this.calls += 1;
    const contract = service === undefined ? this.#contract : new Contract(this.#addServiceName(getServiceName(original.name), service));
    const operation = contract.getOperation(original);
    const body = JSON.stringify(operation.wire ? operation.wire.encode(request) : request);
    let response: UpstreamResponse;
    try {
      const { transport, apiKey, timeoutMs } = this.#options;
      response = await transport.send({ path: operation.path, apiKey, body, requestId: randomUUID(), timeoutMs });
    } catch (error) {
      return createFailure('ERROR', describeConnectionFailure(error, this.#options.timeoutMs));
    }
    this.rate.observe(response.headers);
    this.#resetsInMs = parseQuotaHeaders(response, Date.now())?.resetsInMs ?? null;
    return this.#toResult(response, operation, body);
  }

  #toResult(response: UpstreamResponse, operation: AnyOperation, body: string): CallResult {
    const json = parseJson(response.body);
    if (response.status < 400) {
      const how = describeUnreadable(response, json);
      if (how !== null || !isJsonObject(json)) return createFailure('UNREADABLE', how, response.status);
      this.#isAccepted = true;
      const content = (operation.wire?.decode(json) ?? json) as JsonObject;
      const sentAtS = Math.floor(getResponseDate(response.headers, Number.NaN) / 1000);
      this.#options.onResponse?.(operation, content, Number.isNaN(sentAtS) ? null : sentAtS);
      return { response: content, status: response.status };
    }
    const code = findKnownCode(json);
    const error = this.#toError(response, operation, body);
    if (error instanceof UnauthenticatedError) {
      if (this.#isAccepted) return createFailure('PERMISSION', 'status 401, although other operations accept the key', response.status);
      throw new KeyRejectedError(error.message);
    }
    const isMissing = error instanceof NotFoundError && code !== 'unimplemented';
    const reason = toReason(error, response, code);
    if (reason === 'BUDGET') {
      this.cutBy = 'RESERVE';
      this.withheld += 1;
    }
    const description = error.cause instanceof ForeignResponseError ? error.cause.message : `status ${response.status}`;
    const detail = reason === 'ERROR' ? description : null;
    return { reason, status: response.status, code, members: listKnownMembers(json), isMissing, detail };
  }

  #toError(response: UpstreamResponse, operation: AnyOperation, body: string) {
    const { apiKey, timeoutMs } = this.#options;
    const rest = { startedAt: Date.now(), timeoutMs, idempotencyKey: null, expectedVersion: null, apiKey };
    const access = { requiredScopes: operation.scopes, grantedScopes: this.#grants.scopes };
    return classifyResponse(response, { operation, body, ...access, ...rest });
  }
}

function toReason(error: Error, { status }: UpstreamResponse, code: string | null): UnreachedReason {
  if (code === 'unimplemented' || status === 405 || status === 501) return 'NOT_SERVED';
  if (error instanceof RateLimitedError) return 'BUDGET';
  if (error instanceof ForbiddenError) return error.reason === 'ADDRESS' ? 'ADDRESS' : 'PERMISSION';
  if (error instanceof ValidationError) return 'REFUSED';
  // Without a record in the request, a 404 means that the path doesn't exist.
  return status === 404 ? 'NOT_SERVED' : 'ERROR';
}
