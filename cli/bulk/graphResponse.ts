import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';

/** An error of a response. Source: docs/clients/errors.md */
interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    readonly retry?: string;
    readonly retryAfterSeconds?: number | null;
    readonly fields?: readonly string[];
  };
}

/** The rate limit of the credential's API key, as of a response. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInSeconds: number;
}

export interface GraphResponse {
  // biome-ignore lint/suspicious/noExplicitAny: its shape is that of the document
  readonly data: any;
  readonly errors: readonly ResponseError[];
  /** Upstream calls of the request, including the graph's own retries. */
  readonly calls: number;
  /** Null if the upstream reports no rate limit. */
  readonly quota: Quota | null;
}

/** Sends documents to a graph. */
export interface GraphSender {
  /** Throws RequestError if there's no response of the graph. */
  send(query: string, variables: object): Promise<GraphResponse>;
}

/** Codes of rejections before a mutation is sent. Others that are `SAFE` can also mean that a repeat has no further effect. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'IDEMPOTENCY_KEY_EXPIRED',
  'LEDGER_UNAVAILABLE',
  'OVERLOADED',
  'RATE_LIMITED',
  'SIGN_IN_UNAVAILABLE',
]);

/** Code of a response that isn't one of the graph. */
export const INVALID = 'UPSTREAM_INVALID_RESPONSE';

/** Code of a response that is too large to be read. */
export const TOO_LARGE = 'RESPONSE_TOO_LARGE';

/** Codes of failures after which nothing is known about a mutation. */
const UNEXPECTED: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', INVALID, TOO_LARGE]);

/** A request that failed as a whole. */
export class RequestError extends Error {
  /** From `ErrorCode` of the schema. `UPSTREAM_UNAVAILABLE` if there's no response of the graph. */
  readonly code: string;
  /** Whether the same request may succeed later. A mutation only if it has an idempotency key. */
  readonly isTemporary: boolean;
  /** `Retry` of the schema. Undefined for errors that aren't of the API, such as of an invalid document. */
  readonly retry: string | undefined;
  /** Whether a mutation may be applied. False only if that's known. */
  readonly mayBeApplied: boolean;
  /** Seconds to wait before a retry. Null if the graph doesn't say. */
  readonly retryAfterSeconds: number | null;
  /** Selected fields that the upstream doesn't have. */
  readonly fields: readonly string[];

  constructor(
    { message, extensions = {} }: ResponseError,
    { isLost, cause }: { readonly isLost?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    const { code = 'UPSTREAM_UNAVAILABLE', retry, retryAfterSeconds = null, fields = [] } = extensions;
    this.code = code;
    this.isTemporary = retry === 'SAFE' || retry === 'SAME_KEY' || retryAfterSeconds !== null;
    this.retry = retry;
    const isAdviceUncertain = !NOT_SENT.has(code) && (retry === 'SAFE' || retry === 'SAME_KEY' || retry === 'CHECK_FIRST');
    this.mayBeApplied = isLost ?? (isAdviceUncertain || UNEXPECTED.has(code));
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
  }
}

/** Codes of errors that occur before anything is sent. Source: Node.js and undici. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Creates the error for a request without a response of the graph. */
export const createTemporaryError = (message: string, cause?: unknown): RequestError =>
  new RequestError(
    { message, extensions: { retry: 'SAFE' } },
    { cause, isLost: !NOT_CONNECTED.has((cause as { readonly code?: unknown } | undefined)?.code) },
  );

/** Creates the error for a response that a graph can't have sent. If the request was a mutation, it may have been applied. */
export const createInvalidError = (problem: string, code = INVALID): RequestError =>
  new RequestError({
    message: `The response ${problem}. Check that the URL is the graph’s, and that no proxy changes its responses.`,
    extensions: { code, retry: 'CHECK_FIRST' },
  });

/** Returns a member of a response that must be an object. Throws RequestError if it isn't one. */
export function requireObject(value: unknown, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw createInvalidError(`has no object ${name}`);
}

/** Returns a member of a response that must be a list of objects. Throws RequestError if it isn't one. */
export function requireObjects(value: unknown, name: string): readonly JsonObject[] {
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw createInvalidError(`has no list of objects ${name}`);
}

/** Maximum time to wait that a response can request, in seconds. Chosen: quotas of queries are renewed daily. */
const MAX_SECONDS = 86_400;

const isNumber = (value: unknown, min: number, max: number): value is number => typeof value === 'number' && value >= min && value <= max;
/** Reads a time to wait in seconds. Null if it isn't one. */
export const readSeconds = (value: unknown): number | null => (isNumber(value, 0, MAX_SECONDS) ? value : null);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isStep = (step: unknown): step is string | number => typeof step === 'string' || typeof step === 'number';
const isString = (value: unknown): value is string => typeof value === 'string';

/** Reads an error. Members that it can't have are left out. */
function readError(error: unknown): ResponseError {
  const { message, path, extensions } = isJsonObject(error) ? error : {};
  const { code, retry, retryAfterSeconds, fields } = isJsonObject(extensions) ? extensions : {};
  return {
    message: isString(message) ? message : 'An error without a message.',
    ...(Array.isArray(path) && path.every(isStep) && { path }),
    extensions: {
      // Without a code, it isn't an error of the graph.
      code: isString(code) ? code : INVALID,
      ...(isString(retry) && { retry }),
      retryAfterSeconds: readSeconds(retryAfterSeconds),
      ...(Array.isArray(fields) && fields.every(isString) && { fields }),
    },
  };
}

function readQuota(quota: unknown): Quota | null {
  if (!isJsonObject(quota)) return null;
  const { limit, remaining, resetsInSeconds } = quota;
  return isCount(limit) && limit > 0 && isCount(remaining) && isNumber(resetsInSeconds, 0, MAX_SECONDS)
    ? { limit, remaining, resetsInSeconds }
    : null;
}

/** Reads the JSON of a response. Undefined if it doesn't come from a GraphQL server. */
export function readResponse(json: unknown): GraphResponse | undefined {
  if (!isJsonObject(json)) return undefined;
  const { data = null, errors = [], extensions } = json;
  if (!Array.isArray(errors) || !(isJsonObject(data) || (data === null && errors.length > 0))) return undefined;
  const { cost } = isJsonObject(extensions) ? extensions : {};
  const { actualCalls, quota } = isJsonObject(cost) ? cost : {};
  return { data, errors: errors.map(readError), calls: isCount(actualCalls) ? actualCalls : 0, quota: readQuota(quota) };
}
