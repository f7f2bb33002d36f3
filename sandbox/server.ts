import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { dispatch } from './dispatch.ts';
import { SandboxError } from './errors.ts';
import { type Fault, Faults } from './faults.ts';
import { authenticate } from './keys.ts';
import { type Quota, type RateLimit, RateLimiter } from './rateLimit.ts';
import { endpoints } from './services.ts';
import { serveFile } from './uploads.ts';
import type { World } from './world.ts';

/** The largest body of a call, in bytes. Ours. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** One call, as it arrived. */
export interface ReceivedCall {
  /** `Quote/ConfirmQuote`. */
  readonly operation: string;
  readonly request: Record<string, unknown>;
}

export interface SandboxOptions {
  readonly world: World;
  readonly rateLimit: RateLimit;
  /** Whether answers spell out fields that hold their default; proto-JSON servers leave them out. */
  readonly sendsDefaults: boolean;
  /** By operation name: what its `Deprecation` and `Sunset` headers say. */
  readonly deprecations: ReadonlyMap<string, { readonly deprecation: string; readonly sunset: string }>;
  /** Sees every call of an operation before it is handled, faulty ones too. */
  readonly onCall?: (call: ReceivedCall) => void;
}

export interface Sandbox {
  readonly url: string;
  readonly faults: Faults;
  readonly world: World;
  /** Stops accepting, ends open connections, closes the store. */
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new SandboxError('invalid_argument', `The body must be at most ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

function sendError(response: ServerResponse, error: unknown, headers: Record<string, string>): void {
  if (error instanceof SandboxError) {
    send(response, error.status, JSON.stringify({ code: error.code, message: error.message, details: [] }), headers);
    return;
  }
  console.error(error);
  send(response, 500, JSON.stringify({ code: 'internal', message: 'The sandbox failed; its log says why.', details: [] }), headers);
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
  readonly #byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  readonly faults = new Faults();
  baseUrl = '';

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options.rateLimit);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    if (path.startsWith('/files/')) {
      await serveFile(this.#options.world, request, response);
      return;
    }
    const headers: Record<string, string> = {};
    try {
      await this.#call(path, request, response, headers);
    } catch (error) {
      sendError(response, error, headers);
    }
  }

  async #call(path: string, request: IncomingMessage, response: ServerResponse, headers: Record<string, string>): Promise<void> {
    const { world, sendsDefaults, deprecations, onCall } = this.#options;
    const endpoint = this.#byPath.get(path);
    if (!endpoint) throw new SandboxError('unimplemented', 'The sandbox serves no such operation.');
    if (request.method !== 'POST') throw new SandboxError('invalid_argument', 'Every operation is a POST.');
    const body = await read(request);
    onCall?.({ operation: endpoint.name, request: parsed(body) });

    const fault = this.faults.take(endpoint.name);
    if (fault?.latencyMs) await delay(fault.latencyMs);
    if (fault && strikesFirst(fault, response)) return;
    if (!/^application\/json\b/i.test(header(request, 'content-type') ?? '')) {
      throw new SandboxError('invalid_argument', 'The content type must be application/json.');
    }

    const now = world.now();
    const caller = authenticate(
      { store: world.store, now },
      {
        authorization: header(request, 'authorization'),
        apiKey: header(request, 'x-api-key'),
        address: request.socket.remoteAddress ?? '',
      },
    );
    const quota = this.#limiter.count(caller.keyId, now);
    Object.assign(headers, quotaHeaders(quota));
    if (quota.isExceeded) {
      headers['Retry-After'] = String(quota.reset);
      throw new SandboxError('resource_exhausted', `The key has used its ${quota.limit} calls; the next ones are in ${quota.reset} s.`);
    }
    const deprecated = deprecations.get(endpoint.name);
    if (deprecated) Object.assign(headers, { Deprecation: deprecated.deprecation, Sunset: deprecated.sunset });

    const answer = dispatch(endpoint, { world, caller, body, sendsDefaults, baseUrl: this.baseUrl });
    if (fault?.cut === 'after') {
      response.destroy();
      return;
    }
    send(response, endpoint.options.created ? 201 : 200, fault?.body ?? answer, {
      ...headers,
      ...(fault?.contentType && { 'content-type': fault.contentType }),
    });
  }
}

/** Lets a fault that needs no handling answer; false when the call goes on. */
function strikesFirst({ cut, status, body, contentType, retryAfter }: Fault, response: ServerResponse): boolean {
  if (cut === 'before') {
    response.destroy();
    return true;
  }
  if (status === undefined) return false;
  send(response, status, body ?? JSON.stringify({ code: 'unavailable', message: 'A fault was asked for.', details: [] }), {
    ...(contentType && { 'content-type': contentType }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  });
  return true;
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

/** Serves the sandbox. Port 0 takes any free one. */
export async function startSandbox(options: SandboxOptions, port: number, host = '127.0.0.1'): Promise<Sandbox> {
  const handling = new Handling(options);
  const server = createServer((request, response) => void handling.handle(request, response));
  handling.baseUrl = `http://${host}:${await listen(server, port, host)}`;
  return {
    url: handling.baseUrl,
    faults: handling.faults,
    world: options.world,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      options.world.close();
    },
  };
}
