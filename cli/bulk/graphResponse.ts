import { isJsonObject } from '../../src/lib/json.ts';

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
const NOT_SENT: ReadonlySet<string> = new Set(['LEDGER_UNAVAILABLE', 'OVERLOADED', 'RATE_LIMITED', 'SIGN_IN_UNAVAILABLE']);

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
    const isAdviceUncertain = retry === 'SAFE' ? !NOT_SENT.has(code) : retry === 'SAME_KEY' || retry === 'CHECK_FIRST';
    this.mayBeApplied = isLost ?? (isAdviceUncertain || code === 'INTERNAL_SERVER_ERROR');
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

/** The JSON of a response. */
interface ResponseBody {
  readonly data?: unknown;
  readonly errors?: readonly ResponseError[];
  readonly extensions?: { readonly cost?: { readonly actualCalls?: number; readonly quota?: Quota | null } };
}

/** Reads the JSON of a response. Undefined if it doesn't come from a GraphQL server. */
export function readResponse(json: unknown): GraphResponse | undefined {
  if (!isJsonObject(json) || !('data' in json || Array.isArray(json.errors))) return undefined;
  const { data, errors = [], extensions } = json as ResponseBody;
  const { actualCalls: calls = 0, quota = null } = extensions?.cost ?? {};
  return { data, errors, calls, quota };
}
