import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Load } from './loads.ts';
import { run, type Served, temporaryFolder } from './processes.ts';
import type { Counts } from './standIn.ts';
import type { GraphqlRequest } from './work.ts';

/** Requests of one kind. In a body `UNIQUE` stands for what differs with each request. */
export interface Requests {
  readonly bodies: readonly string[];
  /** The data that each is to be answered with; null where answers differ, so that only their status is looked at. */
  readonly data: readonly unknown[] | null;
}

/** A run of the load generator. */
export interface Plan {
  readonly url: string;
  readonly main: Requests;
  /** Sent over one connection more; null without. */
  readonly beside: Requests | null;
  readonly connections: number;
  readonly keys: number;
  /** Load before the first of the two moments between which is measured. */
  readonly warmSeconds: number;
  readonly seconds: number;
  /** The second moment waits for so many answers, until `mostSeconds` are over. */
  readonly leastAnswers: number;
  readonly mostSeconds: number;
  readonly serverPid: number;
  readonly upstreamPid: number;
}

/** The load generator's report. */
export interface Report {
  /** Answers between the two moments. */
  readonly requests: number;
  /** All answers of the run. */
  readonly answered: number;
  readonly answeredBeside: number;
  readonly requestsPerSecond: number;
  readonly cpuMsPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly besideP99Ms: number | null;
  readonly rssMb: number;
  /** Shares of a core. */
  readonly serverBusy: number;
  readonly upstreamBusy: number;
  readonly generatorBusy: number;
  /** Connections that ended before their answer. */
  readonly failed: number;
  readonly wrong: number;
  readonly firstWrong: string | null;
}

/** A round of a server with a piece of work under a load. */
export interface Cell extends Report {
  readonly callsPerRequest: number;
  /** Why the round is void; null when it is not. */
  readonly fault: string | null;
}

/** The upstream calls that a request may take on average. */
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

/** Sends one request, as one of the callers. */
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

/** The calls that an upstream has received so far. */
export const callsOf = async (upstream: Served) => (await countsOf(upstream)).calls;

/** How often an upstream is looked at, to see whether a server has come to rest. */
const REST_MS = 50;

/** Waits until a server has nothing to ask any more. Answers the calls that the upstream has received. */
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

/** How long a round lasts. */
export interface Span {
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Answers that each connection is to have got: with few, what is under way at both moments would count. */
  readonly answersEach: number;
  /** How long it is waited for them. */
  readonly mostSeconds: number;
}

/** The requests of a round. */
export interface Loading {
  readonly main: Requests;
  readonly range: CallRange;
  /** The requests of one connection more, and the upstream calls of each. */
  readonly beside?: Requests & { readonly calls: number };
}

/** Loads a server. The round is void when an answer is wrong or missing, or when the upstream calls are not those that are right. */
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
