import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../../src/lib/starting.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { invalid, SandboxError } from './errors.ts';
import type { Fault } from './faults.ts';
import { type Reply, readBody, refusal, requireJson, send, stop } from './http.ts';
import { clearOutbox, sentMessages } from './outbox.ts';
import type { Sandbox } from './server.ts';
import { usageOf } from './usage.ts';
import { assignCustomer, changeCustomerView, customerViews } from './visibilityAdmin.ts';

export interface Admin {
  readonly url: string;
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** The longest wait of a fault, in milliseconds. Ours: far beyond the 30 s in which the upstream gives up starting. */
const MAX_LATENCY_MS = 600_000;
/** A day, in seconds. Ours. */
const MAX_RETRY_AFTER = 86_400;
/** Ours. */
const MAX_TIMES = 1_000_000;

const names = new Set<unknown>(['*', ...operations.map(({ name }) => name)]);
const wholeNumber = (low: number, high: number) => ({
  fits: (value: unknown) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high,
  wanted: `an integer from ${low} to ${high}`,
});

const FIELDS: { readonly [Field in keyof Fault]-?: { readonly fits: (value: unknown) => boolean; readonly wanted: string } } = {
  operation: { fits: (value) => names.has(value), wanted: '* or an operation of the sandbox, such as Contact/GetContact' },
  latencyMs: wholeNumber(1, MAX_LATENCY_MS),
  status: wholeNumber(200, 599),
  body: { fits: (value) => typeof value === 'string', wanted: 'a string (serialize JSON to a string)' },
  contentType: { fits: (value) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value), wanted: 'a string of printable ASCII' },
  retryAfter: wholeNumber(0, MAX_RETRY_AFTER),
  cut: { fits: (value) => value === 'before' || value === 'after', wanted: 'before or after' },
  times: wholeNumber(1, MAX_TIMES),
};

const EFFECTS = ['latencyMs', 'status', 'body', 'contentType', 'cut'] as const;

function* problemsOf(fault: Readonly<Record<string, unknown>>): Generator<string> {
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

function faultOf(body: string): Fault {
  let fault: unknown;
  try {
    fault = JSON.parse(body);
  } catch {
    throw invalid('The body must be a fault as a JSON object, but isn’t valid JSON.');
  }
  if (typeof fault !== 'object' || fault === null || Array.isArray(fault)) throw invalid('The body must be a fault as a JSON object.');
  const problems = [...problemsOf(fault as Record<string, unknown>)];
  if (problems.length > 0) throw invalid(problems.join(' '));
  // Every field has been checked against FIELDS, which names all fields of Fault.
  return fault as Fault;
}

type Opened = Pick<Sandbox, 'faults' | 'world'>;

async function answerFaults({ faults }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method === 'POST') {
    // A web page may send other content types to this port without asking; for JSON its browser asks first, and gets no consent.
    requireJson(request);
    faults.add(faultOf(await readBody(request)));
  } else if (request.method === 'DELETE') {
    faults.clear();
  } else if (request.method !== 'GET') {
    throw invalid(`Method ${request.method} not allowed. Use GET to list faults, POST to add one, or DELETE to clear them.`);
  }
  return { faults: faults.list() };
}

async function answerOutbox({ world }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method === 'DELETE') clearOutbox(world.store);
  else if (request.method !== 'GET') {
    throw invalid(`Method ${request.method} not allowed. Use GET to list sent messages, or DELETE to clear them.`);
  }
  return { messages: sentMessages(world.store) };
}

async function answerUsage({ world }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'GET') throw invalid(`Method ${request.method} not allowed. Use GET to list the usage of queued reads.`);
  return { usage: usageOf(world.store) };
}

async function answerViews({ world: { store } }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method === 'POST') {
    requireJson(request);
    changeCustomerView(store, await readBody(request));
  } else if (request.method !== 'GET') {
    throw invalid(`Method ${request.method} not allowed. Use GET to list Customer Views, or POST to update one.`);
  }
  return { views: customerViews(store) };
}

async function answerTeams({ world: { store } }: Opened, request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') throw invalid(`Method ${request.method} not allowed. Use POST to assign a customer to teams.`);
  requireJson(request);
  return assignCustomer(store, await readBody(request));
}

const PATHS = new Map([
  ['/faults', answerFaults],
  ['/outbox', answerOutbox],
  ['/usage', answerUsage],
  ['/customer-views', answerViews],
  ['/customer-teams', answerTeams],
]);

async function answer(sandbox: Opened, request: IncomingMessage): Promise<Reply> {
  const answerTo = PATHS.get(request.url ?? '');
  if (!answerTo) throw new SandboxError('not_found', `Unknown path. The admin port serves ${[...PATHS.keys()].join(', ')}.`);
  return { status: 200, body: JSON.stringify(await answerTo(sandbox, request)), headers: {} };
}

/**
 * Serves `/faults`: POST arms a `Fault`, GET lists what is armed, DELETE clears it; all answer what is armed then. And `/outbox`: GET lists
 * the messages that were sent, DELETE clears them. `/usage`: GET lists the executions of queued reads by key and day. `/customer-views`: GET lists them, POST changes one; and `/customer-teams`: POST gives a customer
 * to teams. Whoever reaches the port may use it, so it listens on loopback addresses only, and throws
 * for others.
 */
export async function startAdmin(sandbox: Opened, port: number, host = '127.0.0.1'): Promise<Admin> {
  if (!LOOPBACK.has(host)) throw new Error(`The admin port can only listen on ${[...LOOPBACK].join(', ')}, not on ${host}.`);
  const server = createServer((request, response) => {
    void answer(sandbox, request)
      .catch((error: unknown) => refusal(error))
      .then((reply) => send(response, reply));
  });
  const url = await listen(server, port, host, 'SANDBOX_ADMIN_PORT');
  return { url, close: () => stop(server) };
}
