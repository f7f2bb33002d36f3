import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Credential, createKeyCredential } from '../../upstream/access/credential.ts';
import { RequestLog, type RequestLogOptions } from './requestLog.ts';
import type { RequestSpan } from './spans.ts';

/** The current HTTP request, for code that has no other access to it, such as the logger. */
export interface CurrentRequest {
  readonly requestId: string;
  /** Null if the request doesn’t have exactly one, and until its access token has been verified. */
  credential: Credential | null;
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
  isSubscription: boolean;
}

export const currentRequest = new AsyncLocalStorage<CurrentRequest>();

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

export interface ReadRequestOptions extends Pick<RequestLogOptions, 'logger' | 'path' | 'isGraphql' | 'isHealthCheck'> {
  /** Whether a credential is an access token. Null if sign-in is disabled: then every credential is an API key. */
  readonly isToken: ((credential: string) => boolean) | null;
}

export function readRequest(
  request: IncomingMessage,
  span: RequestSpan | null,
  { isToken, ...logged }: ReadRequestOptions,
): CurrentRequest {
  const chosen = request.headers['x-request-id'];
  const requestId = typeof chosen === 'string' && REQUEST_ID.test(chosen) ? chosen : randomUUID();
  const log = new RequestLog({ ...logged, requestId, request, method: request.method });
  const found = readCredential(request);
  const text = found ?? null;
  const token = text !== null && isToken?.(text) ? text : null;
  const credential = text === null || token !== null ? null : createKeyCredential(text);
  const hasSeveralCredentials = found === undefined;
  return { requestId, credential, hasSeveralCredentials, token, traceparent: readTraceparent(request), span, log, isSubscription: false };
}
