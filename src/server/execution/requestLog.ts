import type { IncomingMessage } from 'node:http';
import type { Level, Logger } from 'pino';
import { type ErrorCode, UPSTREAM_FAILURES } from '../../failures/errorCodes.ts';
import type { OperationEnd } from './outcome.ts';

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
export interface LoggedOperation extends OperationEnd {
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

export interface RequestLogOptions {
  readonly logger: Logger;
  readonly requestId: string;
  readonly request: IncomingMessage;
  /** The method that the client sent. */
  readonly method: string | undefined;
  readonly path: string;
  /** Whether the request is a GraphQL request, which has at most one operation. */
  readonly isGraphql: boolean;
  /** Whether the request is a health check. Load balancers send one every few seconds. */
  readonly isHealthCheck: boolean;
}

/**
 * Logs one HTTP request, in one line that describes its operation. An operation has a line of its own if no response describes it: it's one of several of an agent
 * tool, or it has ended after its client disconnected.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;
  #operation: LoggedOperation | null = null;
  #isWritten = false;
  /** Hash of the account that has signed in. Null if the client sent an API key. */
  account: string | null = null;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** The operation of the request. Null before it has ended. */
  get operation(): LoggedOperation | null {
    return this.#operation;
  }

  /** Records an operation that has ended. */
  onOperation(operation: LoggedOperation, ms: number): void {
    this.#operation = operation;
    if (this.#isWritten || !this.#options.isGraphql) this.#writeOperation(operation, ms);
  }

  /** Records that the request was rejected before its operation was executed. Ignored if the operation is already known, or if the client has disconnected. */
  onRejected(codes: readonly ErrorCode[], name?: string, document: string | null = null): void {
    this.#operation ??= { type: null, name, document, outcome: 'failed', codes, calls: 0 };
  }

  /** Writes the line of the request. `status` is null if the client disconnected before the response head. */
  onClose(status: number | null, exactMs: number): void {
    const { logger, requestId, method, path, isGraphql, isHealthCheck } = this.#options;
    const operation = isGraphql ? this.#operation : null;
    const level = isHealthCheck ? 'debug' : chooseLevel(operation);
    this.#isWritten = true;
    if (!logger.isLevelEnabled(level)) return;
    const http = { requestId, method, path: path.slice(0, MAX_PATH), status, ms: Math.round(exactMs) };
    const own = operation && toLogFields(operation);
    logger[level]({ ...http, ...own, ...this.#caller() }, 'request');
  }

  #writeOperation(operation: LoggedOperation, ms: number): void {
    const { logger, requestId } = this.#options;
    const level = chooseLevel(operation);
    if (!logger.isLevelEnabled(level)) return;
    logger[level]({ requestId, ...toLogFields(operation), ...this.#caller(), ms: Math.round(ms) }, 'operation');
  }

  #caller() {
    const { request } = this.#options;
    return {
      account: this.account ?? undefined,
      client: readHeader(request, CLIENT_NAME),
      clientVersion: readHeader(request, CLIENT_VERSION),
    };
  }
}
