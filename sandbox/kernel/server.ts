import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { rejectForeignHosts } from '../../src/lib/loopback.ts';
import { listen } from '../../src/lib/startup.ts';
import { dispatch } from './dispatch.ts';
import { SandboxError } from './errors.ts';
import { applyFault, type CallSource, createFaultResponse, type Fault, Faults } from './faults.ts';
import { type HttpResponse, readBody, requireJson, send, sendForeignHost, stop, toErrorResponse } from './http.ts';
import { authenticate, findKey } from './keys.ts';
import { type Quota, type RateLimit, RateLimiter } from './rateLimit.ts';
import type { Endpoint, Route, Service } from './service.ts';
import type { World } from './world.ts';

/** A call to the sandbox. */
export interface ReceivedCall {
  /** `Quote/ConfirmQuote`. */
  readonly operation: string;
  readonly request: Record<string, unknown>;
}

/** What the sandbox knows about a call in addition to its content. */
export interface CallDetails extends CallSource {
  /** The fault that applies to it. */
  readonly fault: Fault | undefined;
}

export interface SandboxOptions {
  readonly services: readonly Service[];
  readonly world: World;
  readonly rateLimit: RateLimit;
  /** Whether responses include fields with default values, as the upstream's do. Other proto-JSON servers omit them. */
  readonly sendsDefaults: boolean;
  /** Values of the `Deprecation` and `Sunset` headers, by operation name. */
  readonly deprecations: ReadonlyMap<string, { readonly deprecation: string; readonly sunset: string }>;
  /** Called for every call before it's handled, including those that a fault applies to. */
  readonly onCall?: (call: ReceivedCall, details: CallDetails) => void;
  /** Called with the body of every successful response. */
  readonly onResponse?: (operation: string, body: string) => void;
  /** Waits for the latency of a fault. Defaults to a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Sandbox {
  readonly url: string;
  readonly faults: Faults;
  readonly world: World;
  /** Stops accepting connections, closes open ones, and closes the store. */
  close(): Promise<void>;
}

/** Path of the readiness check, which is the graph's, too. The data is complete before the server listens. */
const READY_PATH = '/health/ready';

const createQuotaHeaders = ({ limit, remaining, reset }: Quota) => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
});

const getHeader = (request: IncomingMessage, name: string) => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const tryParse = (body: string): Record<string, unknown> => {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
};

class RequestHandler {
  readonly #options: SandboxOptions;
  readonly #limiter: RateLimiter;
  readonly #endpointsByPath: ReadonlyMap<string, Endpoint>;
  readonly #routes: readonly (readonly [string, Route])[];
  readonly faults = new Faults();
  /** Aborts the waits of faults. */
  readonly closing = new AbortController();
  baseUrl = '';

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options.rateLimit);
    this.#endpointsByPath = new Map(options.services.flatMap(({ endpoints }) => endpoints.map((endpoint) => [endpoint.path, endpoint])));
    this.#routes = options.services.flatMap(({ domains }) => domains.flatMap(({ routes = {} }) => Object.entries(routes)));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    // Many upstreams echo the request ID, so that callers can match responses to requests.
    const requestId = getHeader(request, 'x-request-id');
    if (requestId !== undefined) response.setHeader('X-Request-Id', requestId);
    // Clients compare this header with the timestamps of records.
    response.setHeader('Date', new Date(this.#options.world.now() * 1000).toUTCString());
    try {
      if (path === READY_PATH) {
        send(response, { status: 200, body: '{"status":"ok"}', headers: {} });
        return;
      }
      const route = this.#routes.find(([start]) => path.startsWith(start))?.[1];
      if (route) await route(this.#options.world, request, response);
      else await this.#call(path, request, response);
    } catch (error) {
      if (response.destroyed || this.closing.signal.aborted) return; // The client has disconnected, so there is nothing to respond to.
      const reply = toErrorResponse(error);
      if (response.headersSent) response.destroy();
      else send(response, reply);
    }
  }

  async #call(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = this.#endpointsByPath.get(path);
    if (!endpoint) throw new SandboxError('unimplemented', 'Unknown operation.');
    if (request.method !== 'POST') throw new SandboxError('invalid_argument', `Method ${request.method} not allowed. Use POST.`);
    // Selected when the call arrives, so that faults apply to consecutive calls in order, regardless of the size of their bodies.
    const source = {
      key: findKey(request.headers.authorization, getHeader(request, 'x-api-key')),
      requestId: getHeader(request, 'x-request-id') ?? null,
    };
    const fault = this.faults.useNext(endpoint.name, source);
    const body = await readBody(request);
    const { onCall, wait = (ms, signal) => delay(ms, undefined, { signal }) } = this.#options;
    onCall?.({ operation: endpoint.name, request: tryParse(body) }, { ...source, fault });

    if (fault?.latencyMs) await wait(fault.latencyMs, this.closing.signal);
    if (fault?.cut === 'before') {
      response.socket?.resetAndDestroy();
      return;
    }
    const reply =
      fault?.status === undefined ? await this.#createResponse(endpoint, request, body) : createFaultResponse(fault.status, fault);
    if (fault?.cut === 'after') response.socket?.resetAndDestroy();
    else send(response, fault ? applyFault(reply, fault) : reply);
  }

  async #createResponse(endpoint: Endpoint, request: IncomingMessage, body: string): Promise<HttpResponse> {
    const headers: Record<string, string> = {};
    try {
      const response = await this.#execute(endpoint, request, body, headers);
      this.#options.onResponse?.(endpoint.name, response);
      return { status: endpoint.options.created ? 201 : 200, body: response, headers };
    } catch (error) {
      return toErrorResponse(error, headers);
    }
  }

  async #execute(endpoint: Endpoint, request: IncomingMessage, body: string, headers: Record<string, string>): Promise<string> {
    const { world, sendsDefaults, deprecations } = this.#options;
    requireJson(request);
    const now = world.now();
    const principal = authenticate(
      { store: world.store, now },
      {
        authorization: getHeader(request, 'authorization'),
        apiKey: getHeader(request, 'x-api-key'),
        address: request.socket.remoteAddress ?? '',
      },
    );
    const quota = this.#limiter.count(principal.keyId, now);
    Object.assign(headers, createQuotaHeaders(quota));
    if (quota.isExceeded) {
      headers['Retry-After'] = String(quota.reset);
      throw new SandboxError('resource_exhausted', `Rate limit of ${quota.limit} calls exceeded. Resets in ${quota.reset} seconds.`);
    }
    const deprecated = deprecations.get(endpoint.name);
    if (deprecated) Object.assign(headers, { Deprecation: deprecated.deprecation, Sunset: deprecated.sunset });
    const releaseSlot = endpoint.acquireSlot && (await endpoint.acquireSlot(world, principal));
    try {
      return dispatch(endpoint, { world, principal, body, sendsDefaults, baseUrl: this.baseUrl });
    } finally {
      releaseSlot?.();
    }
  }
}

/** Starts a server for these services. Port 0 selects a free port. */
export async function startServer(options: SandboxOptions, port: number, host = '127.0.0.1'): Promise<Sandbox> {
  const handling = new RequestHandler(options);
  const onRequest = (request: IncomingMessage, response: ServerResponse) => void handling.handle(request, response);
  const server = createServer(rejectForeignHosts(host, onRequest, sendForeignHost));
  handling.baseUrl = await listen(server, port, host, 'SANDBOX_HOST and SANDBOX_PORT');
  const end = async () => {
    await stop(server);
    handling.closing.abort();
    options.world.close();
  };
  let ended: Promise<void> | undefined;
  return {
    url: handling.baseUrl,
    faults: handling.faults,
    world: options.world,
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}
