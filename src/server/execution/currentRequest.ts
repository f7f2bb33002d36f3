import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hashApiKey } from '../../lib/keyHash.ts';
import { RequestLog, type RequestLogOptions } from './requestLog.ts';
import type { RequestSpan } from './spans.ts';

/** The current HTTP request, for code that has no other access to it, such as the logger. */
export interface CurrentRequest {
  readonly requestId: string;
  /** Null if the request has none. */
  readonly apiKey: string | null;
  /** Hash of the API key. Null if the request has none. */
  readonly keyHash: string | null;
  /** W3C Trace Context of the caller, as it came; null when there is none that is valid. */
  readonly traceparent: string | null;
  /** Null if no spans are exported. */
  readonly span: RequestSpan | null;
  readonly log: RequestLog;
}

export const currentRequest = new AsyncLocalStorage<CurrentRequest>();

/** A request id that a caller may choose: for finding a request in both logs. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;
/** Keys are visible ASCII. Anything else is none, and could not be sent on in a header. */
const KEY = /^[\x21-\x7e]+$/;

/**
 * The one form of version 00, without the ids of zeros that the standard forbids: https://www.w3.org/TR/trace-context/#traceparent-header. Node joins a header
 * that comes twice, which is then of another form.
 */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

function traceparentOf({ headers }: IncomingMessage): string | null {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : null;
}

/** The trace id of a `traceparent`: the 32 digits behind the version. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** Reads the same two headers as the upstream. */
function apiKeyOf({ headers }: IncomingMessage): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = bearer ?? String(headers['x-api-key'] ?? '').trim();
  return KEY.test(key) ? key : null;
}

export function readRequest(
  request: IncomingMessage,
  span: RequestSpan | null,
  logged: Pick<RequestLogOptions, 'logger' | 'path' | 'isGraphql'>,
): CurrentRequest {
  const chosen = request.headers['x-request-id'];
  const requestId = typeof chosen === 'string' && REQUEST_ID.test(chosen) ? chosen : randomUUID();
  const log = new RequestLog({ ...logged, requestId, request, method: request.method });
  const apiKey = apiKeyOf(request);
  const keyHash = apiKey === null ? null : hashApiKey(apiKey);
  return { requestId, apiKey, keyHash, traceparent: traceparentOf(request), span, log };
}
