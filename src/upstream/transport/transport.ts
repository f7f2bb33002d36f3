import type { Waiting } from '../../lib/wait.ts';

export interface UpstreamRequest {
  readonly path: string;
  readonly apiKey: string;
  /** JSON. */
  readonly body: string;
  /** ID of the client's HTTP request. Each call is sent with its own suffix. */
  readonly requestId: string;
  /** `traceparent` header. Omitted if null. */
  readonly traceparent?: string | null;
  /** Trace headers, if this process exports its own spans. */
  readonly traceHeaders?: Readonly<Record<string, string>>;
  /** Time until the last byte of the response. */
  readonly timeoutMs: number;
  /** Object that waits for the response, if the call can be abandoned. */
  readonly waiting?: Waiting;
}

export interface UpstreamResponse {
  readonly status: number;
  /** Names are in lowercase. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** U+FFFD, which isn't JSON, if it isn't UTF-8. */
  readonly body: string;
}

/** Reason why there is no response. `isSent` is false only if certainly no byte was sent. */
export class TransportError extends Error {
  readonly isSent: boolean;
  readonly isTimeout: boolean;
  /** Whether the call was abandoned. */
  readonly isAbandoned: boolean;

  constructor(isSent: boolean, isTimeout: boolean, cause?: unknown, isAbandoned = false) {
    super(isTimeout ? 'The request timed out.' : 'The connection failed.', { cause });
    this.name = 'TransportError';
    this.isSent = isSent;
    this.isTimeout = isTimeout;
    this.isAbandoned = isAbandoned;
  }
}

/** Sends requests to the upstream. Rejects with TransportError, also if the call is abandoned. */
export interface Transport {
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}
