import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Load } from './loads.ts';
import { createTemporaryFolder, run, type ServerProcess } from './processes.ts';
import type { Counts } from './stub.ts';
import type { GraphqlRequest } from './work.ts';

/** Requests of one kind. `UNIQUE` in a body is replaced by a different value in each request. */
export interface Requests {
  readonly bodies: readonly string[];
  /** Expected data of each request. Null if it varies, so that only the status is checked. */
  readonly data: readonly unknown[] | null;
  /** Accept-Encoding header. Responses are requested uncompressed without it. */
  readonly acceptEncoding?: string;
  /** Access tokens, by the number of the API key that they replace. */
  readonly tokens?: readonly string[];
  /** Accept header. Default: JSON. */
  readonly accept?: string;
  /** Whether the requests have no API key. */
  readonly isAnonymous?: boolean;
  /** Whether the server may reject the requests, so that no response is incorrect. */
  readonly isRejectable?: boolean;
}

/** Settings of a load generator run. */
export interface Plan {
  readonly url: string;
  readonly main: Requests;
  /** Requests of one additional connection. Null for none. */
  readonly background: Requests | null;
  readonly connections: number;
  readonly keys: number;
  /** Seconds of load before the measurement starts. */
  readonly warmSeconds: number;
  readonly seconds: number;
  /** The measurement ends after this many responses, or after `maxSeconds`. */
  readonly minResponses: number;
  readonly maxSeconds: number;
  readonly serverPid: number;
  readonly upstreamPid: number;
}

/** The load generator's report. */
export interface Report {
  /** Responses during the measurement. */
  readonly requests: number;
  /** Responses during the whole run. */
  readonly responses: number;
  readonly backgroundResponses: number;
  readonly requestsPerSecond: number;
  /** Of all threads of the server. */
  readonly cpuMsPerRequest: number;
  readonly mainCpuMsPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly backgroundP50Ms: number | null;
  readonly backgroundP99Ms: number | null;
  /** Responses of the additional connection with status 503. */
  readonly backgroundOverloaded: number;
  readonly rssMb: number;
  /** Share of one core. */
  readonly serverBusy: number;
  readonly upstreamBusy: number;
  readonly generatorBusy: number;
  /** Connections that closed before their response. */
  readonly failed: number;
  readonly incorrect: number;
  readonly firstProblem: string | null;
}

/** One round of a server and a work item under a load. */
export interface Cell extends Report {
  readonly callsPerRequest: number;
  /** Why the round is invalid. Null if it's valid. */
  readonly fault: string | null;
}

/** The valid range of upstream calls per request, on average. */
export interface CallRange {
  readonly least: number;
  readonly most: number;
}

export interface GraphqlResponse {
  readonly status: number;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

const encodeBody = ({ query, variables }: GraphqlRequest) => JSON.stringify({ query, variables });

export const createRequests = (requests: readonly GraphqlRequest[], data: readonly unknown[] | null): Requests => ({
  bodies: requests.map(encodeBody),
  data,
});

/** Sends one request with the first caller's key. */
export async function sendRequest(url: string, request: GraphqlRequest): Promise<GraphqlResponse> {
  const body = encodeBody(request).replaceAll('UNIQUE', crypto.randomUUID());
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer bench-0' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const text = await response.text();
  try {
    return { status: response.status, ...JSON.parse(text) };
  } catch {
    return { status: response.status, errors: [{ message: text.slice(0, 500) }] };
  }
}

export async function fetchCounts(upstream: ServerProcess): Promise<Counts> {
  return (await (await fetch(`${upstream.url}/counts`)).json()) as Counts;
}

/** Number of calls that an upstream has received so far. */
export const fetchCallCount = async (upstream: ServerProcess) => (await fetchCounts(upstream)).calls;

/** Interval for checking whether a server still sends calls. */
const IDLE_CHECK_MS = 50;

/** Waits until a server sends no more calls. Returns the number of calls that the upstream has received. */
async function waitUntilIdle(upstream: ServerProcess): Promise<number> {
  let calls = await fetchCallCount(upstream);
  for (;;) {
    await wait(IDLE_CHECK_MS);
    const now = await fetchCallCount(upstream);
    if (now === calls) return calls;
    calls = now;
  }
}

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

function findFault({ failed, incorrect, firstProblem, requests }: Report, calls: number, { least, most }: CallRange): string | null {
  if (failed > 0) return `${failed} connections closed before their response: ${firstProblem}`;
  if (incorrect > 0) return `${incorrect} incorrect responses, the first: ${firstProblem}`;
  if (requests === 0) return 'no response during the measurement';
  if (calls < least || calls > most)
    return `${calls.toFixed(2)} upstream calls per request, expected ${least.toFixed(2)} to ${most.toFixed(2)}`;
  return null;
}

/** Duration of a round. */
export interface Span {
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Minimum number of responses per connection. With fewer, the requests in flight at the start and end would distort the result. */
  readonly responsesPerConnection: number;
  /** Maximum duration of waiting for them. */
  readonly maxSeconds: number;
}

/** The requests of a round. */
export interface Workload {
  readonly main: Requests;
  readonly range: CallRange;
  /** Requests of one additional connection, with the number of upstream calls per request. */
  readonly background?: Requests & { readonly calls: number };
}

/** Loads a server. The round is invalid if a response is incorrect or missing, or if the number of upstream calls is out of range. */
export async function measure(
  server: ServerProcess,
  upstream: ServerProcess,
  { connections, keys }: Pick<Load, 'connections' | 'keys'>,
  { main, background, range }: Workload,
  { responsesPerConnection, ...span }: Span,
): Promise<Cell> {
  const plan: Plan = {
    url: server.url,
    main,
    background: background ?? null,
    connections,
    keys,
    ...span,
    minResponses: connections * responsesPerConnection,
    serverPid: server.pid,
    upstreamPid: upstream.pid,
  };
  const file = join(getPlanFolder(), 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const before = await waitUntilIdle(upstream);
  const report = JSON.parse(await run('load', [process.execPath, GENERATOR, file])) as Report;
  const calls = (await waitUntilIdle(upstream)) - before - report.backgroundResponses * (background?.calls ?? 0);
  const callsPerRequest = calls / report.responses;
  return { ...report, callsPerRequest, fault: findFault(report, callsPerRequest, range) };
}

let planFolder: string | undefined;
function getPlanFolder(): string {
  planFolder ??= createTemporaryFolder();
  return planFolder;
}
