import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../src/lib/starting.ts';
import { dispatch } from './dispatch.ts';
import { SandboxError } from './errors.ts';
import { Faults, spoilt, standIn } from './faults.ts';
import { type Reply, readBody, refusal, requireJson, send, stop } from './http.ts';
import { authenticate } from './keys.ts';
import { type Quota, type RateLimit, RateLimiter } from './rateLimit.ts';
import type { Endpoint, Route, Service } from './service.ts';
import type { World } from './world.ts';

/** A call, as it arrived. */
export interface ReceivedCall {
  /** `Quote/ConfirmQuote`. */
  readonly operation: string;
  readonly request: Record<string, unknown>;
}

export interface SandboxOptions {
  readonly services: readonly Service[];
  readonly world: World;
  readonly rateLimit: RateLimit;
  /** Whether answers spell out fields that hold their default, as the upstream does; other proto-JSON servers leave them out. */
  readonly sendsDefaults: boolean;
  /** By operation name: what its `Deprecation` and `Sunset` headers say. */
  readonly deprecations: ReadonlyMap<string, { readonly deprecation: string; readonly sunset: string }>;
  /** Sees every call of an operation before it is handled, faulty ones too. */
  readonly onCall?: (call: ReceivedCall) => void;
  /** Sees every success, by the name of its operation, as it is sent. */
  readonly onAnswer?: (operation: string, body: string) => void;
  /** Waits for the latency of a fault. Default: a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Sandbox {
  readonly url: string;
  readonly faults: Faults;
  readonly world: World;
  /** Stops accepting, ends open connections, closes the store. */
  close(): Promise<void>;
}

const quotaHeaders = ({ limit, remaining, reset }: Quota) => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
});

const header = (request: IncomingMessage, name: string) => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const parsed = (body: string): Record<string, unknown> => {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
};

class Handling {
  readonly #options: SandboxOptions;
  readonly #limiter: RateLimiter;
  readonly #byPath: ReadonlyMap<string, Endpoint>;
  readonly #routes: readonly (readonly [string, Route])[];
  readonly faults = new Faults();
  /** Ends the waits of faults. */
  readonly closing = new AbortController();
  baseUrl = '';

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options.rateLimit);
    this.#byPath = new Map(options.services.flatMap(({ endpoints }) => endpoints.map((endpoint) => [endpoint.path, endpoint])));
    this.#routes = options.services.flatMap(({ domains }) => domains.flatMap(({ routes = {} }) => Object.entries(routes)));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    // As many upstreams do: a caller can tell whose answer it has got.
    const requestId = header(request, 'x-request-id');
    if (requestId !== undefined) response.setHeader('X-Request-Id', requestId);
    // Clients compare it with the times of records.
    response.setHeader('Date', new Date(this.#options.world.now() * 1000).toUTCString());
    try {
      const route = this.#routes.find(([start]) => path.startsWith(start))?.[1];
      if (route) await route(this.#options.world, request, response);
      else await this.#call(path, request, response);
    } catch (error) {
      if (response.destroyed || this.closing.signal.aborted) return; // The client has left: nobody is there to be told.
      const reply = refusal(error);
      if (response.headersSent) response.destroy();
      else send(response, reply);
    }
  }

  async #call(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = this.#byPath.get(path);
    if (!endpoint) throw new SandboxError('unimplemented', 'Unknown operation.');
    if (request.method !== 'POST') throw new SandboxError('invalid_argument', `Method ${request.method} not allowed. Use POST.`);
    // Taken when the call arrives, so calls sent one after another are struck in that order whatever the size of their bodies.
    const fault = this.faults.take(endpoint.name);
    const body = await readBody(request);
    const { onCall, wait = (ms, signal) => delay(ms, undefined, { signal }) } = this.#options;
    onCall?.({ operation: endpoint.name, request: parsed(body) });

    if (fault?.latencyMs) await wait(fault.latencyMs, this.closing.signal);
    if (fault?.cut === 'before') {
      response.socket?.resetAndDestroy();
      return;
    }
    const reply = fault?.status === undefined ? await this.#reply(endpoint, request, body) : standIn(fault.status, fault);
    if (fault?.cut === 'after') response.socket?.resetAndDestroy();
    else send(response, fault ? spoilt(reply, fault) : reply);
  }

  async #reply(endpoint: Endpoint, request: IncomingMessage, body: string): Promise<Reply> {
    const headers: Record<string, string> = {};
    try {
      const answer = await this.#answer(endpoint, request, body, headers);
      this.#options.onAnswer?.(endpoint.name, answer);
      return { status: endpoint.options.created ? 201 : 200, body: answer, headers };
    } catch (error) {
      return refusal(error, headers);
    }
  }

  async #answer(endpoint: Endpoint, request: IncomingMessage, body: string, headers: Record<string, string>): Promise<string> {
    const { world, sendsDefaults, deprecations } = this.#options;
    requireJson(request);
    const now = world.now();
    const principal = authenticate(
      { store: world.store, now },
      {
        authorization: header(request, 'authorization'),
        apiKey: header(request, 'x-api-key'),
        address: request.socket.remoteAddress ?? '',
      },
    );
    const quota = this.#limiter.count(principal.keyId, now);
    Object.assign(headers, quotaHeaders(quota));
    if (quota.isExceeded) {
      headers['Retry-After'] = String(quota.reset);
      throw new SandboxError('resource_exhausted', `Rate limit of ${quota.limit} calls exceeded. Resets in ${quota.reset} seconds.`);
    }
    const deprecated = deprecations.get(endpoint.name);
    if (deprecated) Object.assign(headers, { Deprecation: deprecated.deprecation, Sunset: deprecated.sunset });
    const endTurn = endpoint.turn && (await endpoint.turn(world, principal));
    try {
      return dispatch(endpoint, { world, principal, body, sendsDefaults, baseUrl: this.baseUrl });
    } finally {
      endTurn?.();
    }
  }
}

/** Serves these services. Port 0 takes any free one. */
export async function startServer(options: SandboxOptions, port: number, host = '127.0.0.1'): Promise<Sandbox> {
  const handling = new Handling(options);
  const server = createServer((request, response) => void handling.handle(request, response));
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
