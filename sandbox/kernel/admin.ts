import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLoopback, rejectForeignHosts } from '../../src/lib/loopback.ts';
import { listen } from '../../src/lib/startup.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { invalidArgument, SandboxError } from './errors.ts';
import type { Fault } from './faults.ts';
import { type HttpResponse, readBody, requireJson, send, sendForeignHost, stop, toErrorResponse } from './http.ts';
import { clearOutbox, listSentMessages } from './outbox.ts';
import type { Sandbox } from './server.ts';
import { listUsage } from './usage.ts';
import { assignCustomer, changeCustomerView, listCustomerViews } from './visibilityAdmin.ts';

export interface Admin {
  readonly url: string;
  close(): Promise<void>;
}

/** Maximum latency of a fault, in milliseconds. Chosen: far beyond the 30 s after which the upstream stops trying to start a call. */
const MAX_LATENCY_MS = 600_000;
/** One day, in seconds. Chosen. */
const MAX_RETRY_AFTER = 86_400;
/** Maximum number of calls that a fault affects. Chosen. */
const MAX_TIMES = 1_000_000;

const names = new Set<unknown>(['*', ...operations.map(({ name }) => name)]);
const wholeNumber = (low: number, high: number) => ({
  fits: (value: unknown) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high,
  wanted: `an integer from ${low} to ${high}`,
});

const FIELDS: { readonly [Field in keyof Fault]-?: { readonly fits: (value: unknown) => boolean; readonly wanted: string } } = {
  operation: { fits: (value) => names.has(value), wanted: '* or an operation of the sandbox, such as Contact/GetContact' },
  key: { fits: (value) => typeof value === 'string' && value !== '', wanted: 'an API key' },
  requestId: { fits: (value) => typeof value === 'string' && value !== '', wanted: 'the ID of a request to the graph' },
  latencyMs: wholeNumber(1, MAX_LATENCY_MS),
  status: wholeNumber(200, 599),
  body: { fits: (value) => typeof value === 'string', wanted: 'a string (serialize JSON to a string)' },
  contentType: { fits: (value) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value), wanted: 'a string of printable ASCII' },
  retryAfter: wholeNumber(0, MAX_RETRY_AFTER),
  cut: { fits: (value) => value === 'before' || value === 'after', wanted: 'before or after' },
  times: wholeNumber(1, MAX_TIMES),
};

const EFFECTS = ['latencyMs', 'status', 'body', 'contentType', 'cut'] as const;

function* findProblems(fault: Readonly<Record<string, unknown>>): Generator<string> {
  for (const name of Object.keys(fault)) {
    if (!Object.hasOwn(FIELDS, name)) yield `Unknown field ${name}. Valid fields: ${Object.keys(FIELDS).join(', ')}.`;
  }
  for (const [name, { fits, wanted }] of Object.entries(FIELDS)) {
    const isWanted = name === 'operation' || fault[name] !== undefined;
    if (isWanted && !fits(fault[name])) yield `${name} must be ${wanted}, but is ${JSON.stringify(fault[name]) ?? 'missing'}.`;
  }
  if (EFFECTS.every((name) => fault[name] === undefined)) yield `A fault must have at least one of ${EFFECTS.join(', ')}.`;
  if (fault.cut !== undefined && EFFECTS.some((name) => name !== 'cut' && name !== 'latencyMs' && fault[name] !== undefined)) {
    yield 'cut can’t be combined with status, body, or contentType, because it drops the response.';
  }
  if (fault.retryAfter !== undefined && fault.status === undefined) yield 'retryAfter requires a status, such as 429 or 503.';
}

function parseFault(body: string): Fault {
  let fault: unknown;
  try {
    fault = JSON.parse(body);
  } catch {
    throw invalidArgument('The body must be a fault as a JSON object, but isn’t valid JSON.');
  }
  if (typeof fault !== 'object' || fault === null || Array.isArray(fault))
    throw invalidArgument('The body must be a fault as a JSON object.');
  const problems = [...findProblems(fault as Record<string, unknown>)];
  if (problems.length > 0) throw invalidArgument(problems.join(' '));
  // FIELDS lists all fields of Fault, and every field has been checked against it.
  return fault as Fault;
}

type Opened = Pick<Sandbox, 'faults' | 'world'>;

async function handleFaults({ faults }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method === 'POST') {
    // A web page can send other content types to this port without a preflight request. JSON requires one, which fails.
    requireJson(request);
    faults.add(parseFault(await readBody(request)));
  } else if (request.method === 'DELETE') {
    faults.clear();
  } else if (request.method !== 'GET') {
    throw invalidArgument(`Method ${request.method} not allowed. Use GET to list faults, POST to add one, or DELETE to clear them.`);
  }
  return { faults: faults.list() };
}

async function handleOutbox({ world }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method === 'DELETE') clearOutbox(world.store);
  else if (request.method !== 'GET') {
    throw invalidArgument(`Method ${request.method} not allowed. Use GET to list sent messages, or DELETE to clear them.`);
  }
  return { messages: listSentMessages(world.store) };
}

async function handleUsage({ world }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'GET') throw invalidArgument(`Method ${request.method} not allowed. Use GET to list the usage of queued reads.`);
  return { usage: listUsage(world.store) };
}

async function handleViews({ world: { store } }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method === 'POST') {
    requireJson(request);
    changeCustomerView(store, await readBody(request));
  } else if (request.method !== 'GET') {
    throw invalidArgument(`Method ${request.method} not allowed. Use GET to list Customer Views, or POST to update one.`);
  }
  return { views: listCustomerViews(store) };
}

async function handleTeams({ world: { store } }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') throw invalidArgument(`Method ${request.method} not allowed. Use POST to assign a customer to teams.`);
  requireJson(request);
  return assignCustomer(store, await readBody(request));
}

const PATHS = new Map([
  ['/faults', handleFaults],
  ['/outbox', handleOutbox],
  ['/usage', handleUsage],
  ['/customer-views', handleViews],
  ['/customer-teams', handleTeams],
]);

async function handleRequest(sandbox: Opened, request: IncomingMessage): Promise<HttpResponse> {
  const handler = PATHS.get(request.url ?? '');
  if (!handler) throw new SandboxError('not_found', `Unknown path. The admin port serves ${[...PATHS.keys()].join(', ')}.`);
  return { status: 200, body: JSON.stringify(await handler(sandbox, request)), headers: {} };
}

/**
 * Starts the admin server. It has no authentication, so it throws for hosts other than loopback addresses.
 * - `/faults`: POST arms a `Fault`, GET lists armed faults, DELETE clears them. All return the faults that are armed then.
 * - `/outbox`: GET lists sent messages, DELETE clears them.
 * - `/usage`: GET lists executions of queued reads by key and day.
 * - `/customer-views`: GET lists Customer Views, POST changes one.
 * - `/customer-teams`: POST assigns a customer to teams.
 */
export async function startAdmin(sandbox: Opened, port: number, host = '127.0.0.1'): Promise<Admin> {
  if (!isLoopback(host)) throw new Error(`The admin port can only listen on a loopback address such as 127.0.0.1, not on ${host}.`);
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    void handleRequest(sandbox, request)
      .catch((error: unknown) => toErrorResponse(error))
      .then((reply) => send(response, reply));
  };
  const server = createServer(rejectForeignHosts(host, onRequest, sendForeignHost));
  const url = await listen(server, port, host, 'SANDBOX_ADMIN_PORT');
  return { url, close: () => stop(server) };
}
