import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { run, type Served } from './processes.ts';
import type { Counts } from './standIn.ts';
import type { GraphqlRequest, Work } from './work.ts';

/** How a server is loaded. */
export interface Load {
  readonly name: string;
  readonly description: string;
  readonly connections: number;
  /** How many API keys callers have: what one asks for is not shared with another. */
  readonly keys: number;
  readonly latencyMs: number;
  /** Whether every call is answered by the sandbox itself. */
  readonly isSandbox?: true;
}

/** What one server did with one piece of work under one load, in one round. */
export interface Cell {
  readonly requestsPerSecond: number;
  readonly cpuMsPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly callsPerRequest: number;
  readonly rssMb: number;
}

export interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

/** Sends one request, as one of the callers. */
export async function ask(url: string, { query, variables }: GraphqlRequest): Promise<Answer> {
  const body = JSON.stringify({ query, variables }).replaceAll('UNIQUE', crypto.randomUUID());
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer bench-0' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const text = await response.text();
  try {
    return { status: response.status, ...JSON.parse(text) };
  } catch {
    return { status: response.status, errors: [{ message: text.slice(0, 500) }] };
  }
}

/** The calls that an upstream has received so far. */
export async function callsOf(upstream: Served): Promise<number> {
  const { calls } = (await (await fetch(`${upstream.url}/counts`)).json()) as Counts;
  return calls;
}

/** How often an upstream is looked at, to see whether a server has come to rest. */
const REST_MS = 100;

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

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const SCRIPT = fileURLToPath(new URL('load.lua', import.meta.url));

function bodiesOf({ name, requests }: Work): string {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, requests.map(({ query, variables }) => `${JSON.stringify({ query, variables })}\n`).join(''));
  return file;
}

interface Told {
  /** Requests that were answered. */
  readonly requests: number;
  /** Requests that were sent: some are under way when the time is up. */
  readonly asked: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

/** Loads a server for some seconds. Fails when a request failed. */
export async function measure(server: Served, upstream: Served, work: Work, load: Load, seconds: number): Promise<Cell> {
  const wrk = [
    'wrk',
    '-t1',
    `-c${load.connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    SCRIPT,
    server.url,
    '--',
    bodiesOf(work),
    String(load.keys),
  ];
  const [callsBefore, cpuBefore] = [await atRest(upstream), await server.cpuSeconds()];
  const words = await run('rest', wrk);
  const told = JSON.parse(words.trim().split('\n').at(-1) ?? '') as Told;
  const [calls, cpu] = [await atRest(upstream), await server.cpuSeconds()];
  if (told.failed > 0 || told.requests === 0) throw new Error(`${told.failed} requests failed: ${words}`);
  return {
    requestsPerSecond: told.requests / told.seconds,
    cpuMsPerRequest: ((cpu - cpuBefore) * 1000) / told.asked,
    p50Ms: told.p50Ms,
    p99Ms: told.p99Ms,
    callsPerRequest: (calls - callsBefore) / told.asked,
    rssMb: (await server.rssBytes()) / 1024 / 1024,
  };
}
