import type { ResponseError } from './errors.ts';

/** What an attempt resulted in: a response, or none of the graph. */
export interface Outcome {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly errors?: readonly ResponseError[] | undefined;
  /** The graph didn’t respond: the connection failed, or the response is truncated or comes from something in between. */
  readonly lost?: unknown;
  readonly status?: number | undefined;
  /** From the header `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
}

/** What may be repeated. */
export interface Repeatability {
  readonly isQuery: boolean;
  /** Whether all inputs of a mutation have idempotency keys. */
  readonly isKeyed: boolean;
}

/** A reason to retry. */
export interface Advice {
  /** An error code, `HTTP` with a status, or `NO_RESPONSE`. */
  readonly reason: string;
  readonly retryAfterSeconds: number | undefined;
}

/** An error of a response, or of a result union. */
interface Failure {
  readonly reason: string;
  readonly retry: unknown;
  readonly retryAfterSeconds: unknown;
}

/** Errors of result unions, as code and advice, for documents that don’t select `code` and `retry`. `retry` is that of mutations with a key. */
const DEFAULTS: Readonly<Record<string, readonly [code: string, retry: string]>> = {
  RateLimitedError: ['RATE_LIMITED', 'SAFE'],
  OperationInProgressError: ['OPERATION_IN_PROGRESS', 'SAME_KEY'],
  OutcomeUnknownError: ['OUTCOME_UNKNOWN', 'SAME_KEY'],
};

/** Whether to expect another response after one with this status that isn’t the graph’s. */
const isTemporary = (status = 0) => status < 300 || status >= 500 || status === 408 || status === 429;

/** Caused by the page: it canceled the request, or limited its duration. */
const isCanceled = (error: unknown) => error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name);

const hasCode = ({ extensions }: ResponseError) => extensions?.code !== undefined;

const toFailure = ({ extensions = {} }: ResponseError): Failure => ({
  reason: String(extensions.code),
  retry: extensions.retry,
  retryAfterSeconds: extensions.retryAfterSeconds,
});

/** The failures of a mutation, and the number of payloads. Errors inside a payload don’t count: it takes effect regardless of them. */
function readMutation(data: Readonly<Record<string, unknown>>, errors: readonly ResponseError[]) {
  const failures = errors.filter(({ path }) => path === undefined || data[String(path[0])] == null).map(toFailure);
  let payloads = 0;
  for (const member of Object.values(data)) {
    if (typeof member !== 'object' || member === null) continue;
    const { __typename, code, retry, retryAfterSeconds } = member as Readonly<Record<string, unknown>>;
    if (!String(__typename).endsWith('Error')) payloads += 1;
    else {
      const [defaultCode, defaultRetry] = DEFAULTS[String(__typename)] ?? [];
      failures.push({ reason: String(code ?? defaultCode ?? __typename), retry: retry ?? defaultRetry, retryAfterSeconds });
    }
  }
  return { failures, payloads };
}

/** The failures of an operation that can be repeated as a whole. Empty if it can’t. */
function findRepeatable({ data, errors = [] }: Outcome, { isQuery, isKeyed }: Repeatability): readonly Failure[] {
  if (isQuery) {
    // A partial page is better than a page that waits.
    if (Object.values(data ?? {}).some((value) => value !== null)) return [];
    const failures = errors.map(toFailure);
    return failures.every(({ retry }) => retry === 'SAFE' || retry === 'SAME_KEY') ? failures : [];
  }
  const { failures, payloads } = readMutation(data ?? {}, errors);
  if (!isKeyed) return payloads === 0 && failures.every(({ retry }) => retry === 'SAFE') ? failures : [];
  // The graph replays payloads to the same keys, and rejects again what it never accepts.
  if (failures.some(({ retry }) => retry !== 'SAFE' && retry !== 'SAME_KEY' && retry !== 'NEVER')) return [];
  return failures.filter(({ retry }) => retry !== 'NEVER');
}

/** Whether and why to repeat an operation. Undefined if its outcome is final. */
export function adviseRetry(outcome: Outcome, repeatability: Repeatability): Advice | undefined {
  const { data, errors, lost, status, retryAfterSeconds } = outcome;
  const isForeign = status !== undefined && status >= 500 && !data && !errors?.some(hasCode);
  if (lost !== undefined || isForeign) {
    if (isCanceled(lost) || !isTemporary(status) || !(repeatability.isQuery || repeatability.isKeyed)) return undefined;
    return { reason: status === undefined ? 'NO_RESPONSE' : `HTTP ${status}`, retryAfterSeconds };
  }
  const failures = findRepeatable(outcome, repeatability);
  const [first] = failures;
  if (!first) return undefined;
  const unknown = failures.find(({ reason }) => reason === 'OUTCOME_UNKNOWN');
  const seconds = failures.map((failure) => Number(failure.retryAfterSeconds ?? retryAfterSeconds ?? 0));
  return { reason: (unknown ?? first).reason, retryAfterSeconds: Math.max(...seconds) || undefined };
}

/** Whether the graph rejected the access token because it has expired, and therefore executed nothing. */
export const isTokenExpired = ({ data, errors }: Outcome): boolean => !data && errors?.[0]?.extensions?.reason === 'TOKEN_EXPIRED';
