import type { Waiting } from '../../lib/wait.ts';

export interface UpstreamRequest {
  readonly path: string;
  readonly apiKey: string;
  /** JSON. */
  readonly body: string;
  /** Id of the HTTP request that asks. Each call is sent with a suffix of its own. */
  readonly requestId: string;
  /** `traceparent` header; none unless given. */
  readonly traceparent?: string | null;
  /** Headers of a trace, where this process has spans of its own. */
  readonly traceHeaders?: Readonly<Record<string, string>>;
  /** Time from now to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Object that waits for the answer, where that may be given up. */
  readonly waiting?: Waiting;
}

export interface UpstreamResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Reason why there is no answer. `isSent` is false only when it is certain that no byte left. */
export class TransportError extends Error {
  readonly isSent: boolean;
  readonly isTimeout: boolean;
  /** Whether nobody waits for the answer any more. */
  readonly isAbandoned: boolean;

  constructor(isSent: boolean, isTimeout: boolean, cause?: unknown, isAbandoned = false) {
    super(isTimeout ? 'The request timed out.' : 'The connection failed.', { cause });
    this.name = 'TransportError';
    this.isSent = isSent;
    this.isTimeout = isTimeout;
    this.isAbandoned = isAbandoned;
  }
}

/** Carries a request to the upstream and back. Fails with a TransportError, also when it is given up. */
export interface Transport {
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}
