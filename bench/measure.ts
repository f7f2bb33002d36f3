import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Load } from './loads.ts';
import { run, type Served, temporaryFolder } from './processes.ts';
import type { Counts } from './standIn.ts';
import type { GraphqlRequest } from './work.ts';

/** Requests of one kind. `UNIQUE` in a body is replaced by a different value in each request. */
export interface Requests {
  readonly bodies: readonly string[];
  /** Expected data of each request. Null if it varies, so that only the status is checked. */
  readonly data: readonly unknown[] | null;
}

/** Settings of a load generator run. */
export interface Plan {
  readonly url: string;
  readonly main: Requests;
  /** Requests of one additional connection. Null for none. */
  readonly beside: Requests | null;
  readonly connections: number;
  readonly keys: number;
  /** Seconds of load before the measurement starts. */
  readonly warmSeconds: number;
  readonly seconds: number;
  /** The measurement ends after this many responses, or after `mostSeconds`. */
  readonly leastAnswers: number;
  readonly mostSeconds: number;
  readonly serverPid: number;
  readonly upstreamPid: number;
}

/** The load generator's report. */
export interface Report {
  /** Responses during the measurement. */
  readonly requests: number;
  /** Responses during the whole run. */
  readonly answered: number;
  readonly answeredBeside: number;
  readonly requestsPerSecond: number;
  readonly cpuMsPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly besideP99Ms: number | null;
  readonly rssMb: number;
  /** Share of one core. */
  readonly serverBusy: number;
  readonly upstreamBusy: number;
  readonly generatorBusy: number;
  /** Connections that closed before their response. */
  readonly failed: number;
  readonly wrong: number;
  readonly firstWrong: string | null;
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

export interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

const bodyOf = ({ query, variables }: GraphqlRequest) => JSON.stringify({ query, variables });

export const requestsOf = (requests: readonly GraphqlRequest[], data: readonly unknown[] | null): Requests => ({
  bodies: requests.map(bodyOf),
  data,
});

/** Sends one request with the first caller's key. */
export async function ask(url: string, request: GraphqlRequest): Promise<Answer> {
  const body = bodyOf(request).replaceAll('UNIQUE', crypto.randomUUID());
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer bench-0' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const text = await response.text();
  try {
    return { status: response.status, ...JSON.parse(text) };
  } catch {
    return { status: response.status, errors: [{ message: text.slice(0, 500) }] };
  }
}

export async function countsOf(upstream: Served): Promise<Counts> {
  return (await (await fetch(`${upstream.url}/counts`)).json()) as Counts;
}

/** Number of calls that an upstream has received so far. */
export const callsOf = async (upstream: Served) => (await countsOf(upstream)).calls;

/** Interval for checking whether a server still sends calls. */
const REST_MS = 50;

/** Waits until a server sends no more calls. Returns the number of calls that the upstream has received. */
async function atRest(upstream: Served): Promise<number> {
  let calls = await callsOf(upstream);
  for (;;) {
    await wait(REST_MS);
    const now = await callsOf(upstream);
    if (now === calls) return calls;
    calls = now;
  }
}

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

function faultOf({ failed, wrong, firstWrong, requests }: Report, calls: number, { least, most }: CallRange): string | null {
  if (failed > 0) return `${failed} connections ended before their answer: ${firstWrong}`;
  if (wrong > 0) return `${wrong} wrong answers, the first of them ${firstWrong}`;
  if (requests === 0) return 'there was no answer between the two moments';
  if (calls < least || calls > most) return `${calls.toFixed(2)} upstream calls a request, not ${least.toFixed(2)} to ${most.toFixed(2)}`;
  return null;
}

/** Duration of a round. */
export interface Span {
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Minimum number of responses per connection. With fewer, the requests in flight at the start and end would distort the result. */
  readonly answersEach: number;
  /** Maximum duration of waiting for them. */
  readonly mostSeconds: number;
}

/** The requests of a round. */
export interface Loading {
  readonly main: Requests;
  readonly range: CallRange;
  /** Requests of one additional connection, with the number of upstream calls per request. */
  readonly beside?: Requests & { readonly calls: number };
}

/** Loads a server. The round is invalid if a response is incorrect or missing, or if the number of upstream calls is out of range. */
export async function measure(
  server: Served,
  upstream: Served,
  { connections, keys }: Pick<Load, 'connections' | 'keys'>,
  { main, beside, range }: Loading,
  { answersEach, ...span }: Span,
): Promise<Cell> {
  const plan: Plan = {
    url: server.url,
    main,
    beside: beside ?? null,
    connections,
    keys,
    ...span,
    leastAnswers: connections * answersEach,
    serverPid: server.pid,
    upstreamPid: upstream.pid,
  };
  const file = join(folder(), 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const before = await atRest(upstream);
  const report = JSON.parse(await run('load', [process.execPath, GENERATOR, file])) as Report;
  const calls = (await atRest(upstream)) - before - report.answeredBeside * (beside?.calls ?? 0);
  const callsPerRequest = calls / report.answered;
  return { ...report, callsPerRequest, fault: faultOf(report, callsPerRequest, range) };
}

let kept: string | undefined;
function folder(): string {
  kept ??= temporaryFolder();
  return kept;
}
