import { randomUUID } from 'node:crypto';
import { ForbiddenError, NotFoundError, RateLimitedError, UnauthenticatedError, ValidationError } from '../failures.ts';
import { type Grants, mayHold } from '../upstream/access/grants.ts';
import { refusal } from '../upstream/calls/answers.ts';
import { Contract } from '../upstream/contract/contract.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { type Overlay, serviceOf } from '../upstream/contract/overlay.ts';
import type { Transport, UpstreamAnswer } from '../upstream/transport/transport.ts';
import { RateWatch } from './rateWatch.ts';

export type Json = Readonly<Record<string, unknown>>;

/**
 * Reason why something could not be looked at.
 * - `NO_DATA`: no record of it was found.
 * - `MISSING_SCOPE`: the key lacks the scope.
 * - `PERMISSION`: the member behind the key may not, or the upstream does not tell why it refuses.
 * - `ADDRESS`: the key may not be used from this address.
 * - `NOT_SERVED`: nothing answers at the path of the operation.
 * - `REFUSED`: the upstream refuses the request as invalid.
 * - `ERROR`: the upstream failed, or did not answer in time.
 * - `BUDGET`: the calls of this run, or the reserve of the rate limit, were used up.
 */
export type Unreached = 'NO_DATA' | 'MISSING_SCOPE' | 'PERMISSION' | 'ADDRESS' | 'NOT_SERVED' | 'REFUSED' | 'ERROR' | 'BUDGET';

/** The end of a call: an answer in the contract's words, or the reason why there is none. */
export type Reply =
  | { readonly answer: Json; readonly status: number }
  | {
      readonly reason: Unreached;
      readonly status: number | null;
      readonly code: string | null;
      readonly members: readonly string[];
      readonly isMissing: boolean;
    };

export interface CallerOptions {
  readonly transport: Transport;
  readonly apiKey: string;
  readonly overlay: Overlay;
  readonly maxCalls: number;
  /** Calls of the rate limit that are left to others. */
  readonly reserve: number;
  readonly timeoutMs: number;
}

/** Codes of error bodies that may be told. Anything else in their place could be a value. */
const CODES = new Set(
  'invalid_argument out_of_range unauthenticated permission_denied not_found already_exists aborted failed_precondition resource_exhausted unimplemented canceled deadline_exceeded unavailable internal unknown data_loss'.split(
    ' ',
  ),
);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The code of an error body, where it is one of those that are known. */
function codeOf(body: unknown): string | null {
  if (!isObject(body)) return null;
  const { code } = isObject(body.error) ? body.error : body;
  return typeof code === 'string' && CODES.has(code.toLowerCase()) ? code.toLowerCase() : null;
}

/** Members of error bodies that may be told, for the same reason. */
const MEMBERS = ['code', 'message', 'details', 'error', 'status', 'title', 'detail', 'errors'];

const membersOf = (body: unknown): readonly string[] => (isObject(body) ? MEMBERS.filter((name) => name in body) : []);

const unsent = (reason: Unreached): Reply => ({ reason, status: null, code: null, members: [], isMissing: false });

/** The upstream does not accept the key, so that nothing can be found out. */
export class KeyRefusedError extends Error {}

/** Sends reads, and nothing else, within the calls that it may make. */
export class Caller {
  readonly rate = new RateWatch();
  readonly #options: CallerOptions;
  #overlay: Overlay;
  #contract: Contract;
  #grants: Pick<Grants, 'scopes'> = { scopes: null };
  calls = 0;
  /** Whether a call was kept back, since no more may be made. */
  isCutShort = false;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#overlay = options.overlay;
    this.#contract = new Contract(options.overlay);
  }

  /** Scopes that the key has, as the upstream tells them. */
  set scopes(scopes: ReadonlySet<string> | null) {
    this.#grants = { scopes };
  }

  /** The operation as this upstream has it, as far as that is known. */
  of(operation: AnyOperation): AnyOperation {
    return this.#contract.of(operation);
  }

  /** From here on a service goes by this name in paths. */
  rename(service: string, name: string): void {
    this.#overlay = this.#overlayWith(service, name);
    this.#contract = new Contract(this.#overlay);
  }

  #overlayWith(service: string, name: string): Overlay {
    return { ...this.#overlay, services: { ...this.#overlay.services, [service]: name } };
  }

  /** Scopes among these that the key is known to lack. */
  missingScopes({ scopes }: { readonly scopes: readonly string[] }): readonly string[] {
    return scopes.filter((scope) => !mayHold(this.#grants.scopes, scope));
  }

  get #isSpent(): boolean {
    return this.calls >= this.#options.maxCalls || this.rate.isBelow(this.#options.reserve);
  }

  /** Calls a read. `service` stands for the name of its service in the path. */
  async ask(named: AnyOperation, request: object, service?: string): Promise<Reply> {
    // Nothing but reads may leave, whatever the rest of this program does.
    if (named.effect !== 'READ') throw new Error(`${named.name} is no read: only reads may be sent.`);
    if (this.missingScopes(named).length > 0) return unsent('MISSING_SCOPE');
    if (this.#isSpent) {
      this.isCutShort = true;
      return unsent('BUDGET');
    }
    this.calls += 1;
    const contract = service === undefined ? this.#contract : new Contract(this.#overlayWith(serviceOf(named.name), service));
    const operation = contract.of(named);
    const body = JSON.stringify(operation.wire ? operation.wire.encode(request) : request);
    let answer: UpstreamAnswer;
    try {
      const { transport, apiKey, timeoutMs } = this.#options;
      answer = await transport.send({ path: operation.path, apiKey, body, requestId: randomUUID(), timeoutMs });
    } catch {
      return unsent('ERROR');
    }
    this.rate.see(answer.headers);
    return this.#reply(answer, operation, body);
  }

  #reply(answer: UpstreamAnswer, operation: AnyOperation, body: string): Reply {
    const json = jsonOf(answer.body);
    if (answer.status === 200 || answer.status === 201) {
      if (!isObject(json)) return { ...unsent('ERROR'), status: answer.status };
      return { answer: (operation.wire?.decode(json) ?? json) as Json, status: answer.status };
    }
    const code = codeOf(json);
    const error = this.#errorOf(answer, operation, body);
    if (error instanceof UnauthenticatedError) throw new KeyRefusedError(error.message);
    const isMissing = error instanceof NotFoundError && code !== 'unimplemented';
    return { reason: reasonOf(error, answer, code), status: answer.status, code, members: membersOf(json), isMissing };
  }

  #errorOf(answer: UpstreamAnswer, operation: AnyOperation, body: string) {
    const { apiKey, timeoutMs } = this.#options;
    const { scopes } = this.#grants;
    const requiredScopes = operation.scopes;
    const holdsScopes = scopes !== null && requiredScopes.every((scope) => scopes.has(scope));
    const rest = { startedAt: Date.now(), timeoutMs, idempotencyKey: null, expectedVersion: null, apiKey };
    return refusal(answer, { operation, body, requiredScopes, holdsScopes, ...rest });
  }
}

function reasonOf(error: Error, { status }: UpstreamAnswer, code: string | null): Unreached {
  if (code === 'unimplemented' || status === 405 || status === 501) return 'NOT_SERVED';
  if (error instanceof RateLimitedError) return 'BUDGET';
  if (error instanceof ForbiddenError) return error.reason === 'ADDRESS' ? 'ADDRESS' : 'PERMISSION';
  if (error instanceof ValidationError) return 'REFUSED';
  // A record that is not there; of an operation that names none, the whole path is not there.
  return status === 404 ? 'NOT_SERVED' : 'ERROR';
}
