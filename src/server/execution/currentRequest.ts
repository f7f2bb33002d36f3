import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Level, Logger } from 'pino';
import { type ErrorCode, UPSTREAM_FAILURES } from '../../failures/errorCodes.ts';
import { type Credential, createKeyCredential } from '../../upstream/access/credential.ts';
import type { OperationEnd } from './outcome.ts';
import type { RequestSpan } from './spans.ts';

/** Maximum length of a path or an operation name in the log. Chosen: clients choose them. */
const MAX_PATH = 200;
const MAX_NAME = 100;
/** Maximum length of a client's name or version in the log. Chosen: names of applications are shorter. */
const MAX_CLIENT = 64;

/** Headers with the name and version of a client, by precedence: those of Apollo's clients, then those that several other clients send. */
const CLIENT_NAME = ['apollographql-client-name', 'graphql-client-name'];
const CLIENT_VERSION = ['apollographql-client-version', 'graphql-client-version'];

/** Characters that are replaced in logged client names and versions. */
const UNUSUAL = /[^\w .:/@+()-]/g;

/** An operation, as the log describes it. */
interface LoggedOperation extends OperationEnd {
  /** Null if the request was rejected before it was known. */
  readonly type: string | null;
  readonly name: string | undefined;
  /** ID or hash of the document. Null if the request has none. */
  readonly document: string | null;
  /** Upstream calls that were sent. */
  readonly calls: number;
  /** Whether its writes were only validated. */
  readonly isRehearsal?: boolean;
}

function readHeader({ headers }: IncomingMessage, names: readonly string[]): string | undefined {
  const value = names.map((name) => headers[name]).find((header) => typeof header === 'string' && header !== '');
  return typeof value === 'string' ? value.slice(0, MAX_CLIENT).replace(UNUSUAL, '_') : undefined;
}

/** Fields that pino omits are undefined. */
const toLogFields = ({ type, name, document, outcome, codes, calls, isRehearsal }: LoggedOperation) => ({
  operation: name?.slice(0, MAX_NAME),
  type: type ?? undefined,
  document: document ?? undefined,
  outcome,
  codes: codes.length > 0 ? codes : undefined,
  calls,
  isRehearsal: isRehearsal || undefined,
});

/** Operations that failed because of the upstream are also logged if `LOG_LEVEL` is `warn`, because an operator should investigate. */
const chooseLevel = (operation: LoggedOperation | null): Level =>
  operation?.codes.some((code) => UPSTREAM_FAILURES.has(code)) ? 'warn' : 'info';

/** What the log says about an HTTP request, whatever it does. */
interface LoggedRequest {
  readonly requestId: string;
  readonly request: IncomingMessage;
  /** The method that the client sent. */
  readonly method: string | undefined;
  readonly path: string;
  readonly kind: RequestKind;
}

/**
 * Logs one HTTP request, in one line that describes its operation. An operation has a line of its own if no response describes it: it's one of several of an agent
 * tool, or it has ended after its client disconnected.
 */
class RequestLog {
  readonly #logger: Logger;
  readonly #request: LoggedRequest;
  #operation: LoggedOperation | null = null;
  #isWritten = false;
  /** Hash of the account that has signed in. Null if the client sent an API key. */
  account: string | null = null;

  constructor(logger: Logger, request: LoggedRequest) {
    this.#logger = logger;
    this.#request = request;
  }

  /** The operation of the request. Null before it has ended. */
  get operation(): LoggedOperation | null {
    return this.#operation;
  }

  /** Records an operation that has ended. */
  onOperation(operation: LoggedOperation, ms: number): void {
    this.#operation = operation;
    if (this.#isWritten || this.#request.kind !== 'GRAPHQL') this.#writeOperation(operation, ms);
  }

  /** Records that the request was rejected before its operation was executed. Ignored if the operation is already known, or if the client has disconnected. */
  onRejected(codes: readonly ErrorCode[], name?: string, document: string | null = null): void {
    this.#operation ??= { type: null, name, document, outcome: 'failed', codes, calls: 0 };
  }

  /** Writes the line of the request. `status` is null if the client disconnected before the response head. */
  onClose(status: number | null, exactMs: number): void {
    const logger = this.#logger;
    const { requestId, method, path, kind } = this.#request;
    const operation = kind === 'GRAPHQL' ? this.#operation : null;
    const level = kind === 'HEALTH' ? 'debug' : chooseLevel(operation);
    this.#isWritten = true;
    if (!logger.isLevelEnabled(level)) return;
    const http = { requestId, method, path: path.slice(0, MAX_PATH), status, ms: Math.round(exactMs) };
    const own = operation && toLogFields(operation);
    logger[level]({ ...http, ...own, ...this.#caller() }, 'request');
  }

  #writeOperation(operation: LoggedOperation, ms: number): void {
    const logger = this.#logger;
    const level = chooseLevel(operation);
    if (!logger.isLevelEnabled(level)) return;
    logger[level]({ requestId: this.#request.requestId, ...toLogFields(operation), ...this.#caller(), ms: Math.round(ms) }, 'operation');
  }

  #caller() {
    const { request } = this.#request;
    return {
      account: this.account ?? undefined,
      client: readHeader(request, CLIENT_NAME),
      clientVersion: readHeader(request, CLIENT_VERSION),
    };
  }
}

/** Form of a request ID that a client can choose, to find a request in both logs. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;
/** API keys are visible ASCII. Other values aren't keys and couldn't be sent upstream in a header. */
const KEY = /^[\x21-\x7e]+$/;

/**
 * The format of version 00, without the all-zero IDs that the standard forbids: https://www.w3.org/TR/trace-context/#traceparent-header. Node.js joins repeated
 * headers, which then don't match.
 */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

function readTraceparent({ headers }: IncomingMessage): string | null {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : null;
}

/** The trace ID of a `traceparent`: the 32 digits after the version. */
export const getTraceId = (traceparent: string): string => traceparent.slice(3, 35);

/** A credential next to other lines of the same header. Node.js joins lines by a comma and a space, which no credential contains. */
const SEVERAL_BEARERS = /^Bearer [^,]*, |, Bearer /i;

/** Reads the same two headers as the upstream. Null if neither contains a credential, and undefined if they contain several. */
function readCredential({ headers: { authorization, 'x-api-key': header } }: IncomingMessage): string | null | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (header === undefined && bearer !== undefined) return KEY.test(bearer) ? bearer : null;
  const key = String(header ?? '').trim();
  if (key.includes(', ') || SEVERAL_BEARERS.test(authorization ?? '')) return undefined;
  if (key !== '' && bearer !== undefined && bearer !== key) return undefined;
  const text = bearer ?? key;
  return KEY.test(text) ? text : null;
}

/** What a request is for. A GraphQL request has at most one operation; load balancers send a health check every few seconds. */
type RequestKind = 'GRAPHQL' | 'HEALTH' | 'OTHER';

interface CurrentRequestOptions {
  readonly logger: Logger;
  readonly path: string;
  readonly kind: RequestKind;
  /** Null if no spans are exported. */
  readonly span: RequestSpan | null;
  /** Whether a credential is an access token. Null if sign-in is disabled: then every credential is an API key. */
  readonly isToken: ((credential: string) => boolean) | null;
}

/** An HTTP request and its response. The steps of the server (requestPipeline.ts) receive it, and `currentRequest` returns it to code that doesn't, such as the logger. */
export class CurrentRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The method that the client sent. */
  readonly method: string | undefined;
  readonly path: string;
  readonly kind: RequestKind;
  readonly startedAt = performance.now();
  /** Null if the request doesn’t have exactly one, and until its access token has been verified. */
  credential: Credential | null;
  /** When its access token isn't accepted anymore, in Unix milliseconds. Null if it has no verified one. */
  expiresAt: number | null = null;
  /** Seconds after which its refused access token may be accepted. Null if they are unknown. */
  retryAfterSeconds: number | null = null;
  /** Whether it's unclear which credential the client means. */
  readonly hasSeveralCredentials: boolean;
  /** Access token of the request, which may be invalid. Null if it has none, or if sign-in is disabled. */
  readonly token: string | null;
  /** `traceparent` header of the caller, unchanged. Null if it's missing or invalid. */
  readonly traceparent: string | null;
  /** Null if no spans are exported. */
  readonly span: RequestSpan | null;
  readonly log: RequestLog;
  /** Whether the response is that of a subscription, which stays open for up to an hour. */
  isSubscription = false;

  constructor(request: IncomingMessage, response: ServerResponse, { logger, path, kind, span, isToken }: CurrentRequestOptions) {
    const chosen = request.headers['x-request-id'];
    const found = readCredential(request);
    const text = found ?? null;
    this.request = request;
    this.response = response;
    this.requestId = typeof chosen === 'string' && REQUEST_ID.test(chosen) ? chosen : randomUUID();
    this.method = request.method;
    this.path = path;
    this.kind = kind;
    this.token = text !== null && isToken?.(text) ? text : null;
    this.credential = text === null || this.token !== null ? null : createKeyCredential(text);
    this.hasSeveralCredentials = found === undefined;
    this.traceparent = readTraceparent(request);
    this.span = span;
    this.log = new RequestLog(logger, this);
  }
}

export const currentRequest = new AsyncLocalStorage<CurrentRequest>();
