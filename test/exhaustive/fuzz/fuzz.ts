import { Agent, request as httpRequest } from 'node:http';
import { createGraph } from '../../../src/graph.ts';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { connectRaw, type RawRequest } from '../../support/rawHttp.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';
import { diceOf } from './dice.ts';
import { type FuzzRequest, requestOf } from './requests.ts';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
}

/** A wrong answer. `seed` makes the same request again. */
export interface Finding {
  readonly seed: number;
  readonly problem: string;
  readonly request: string;
  readonly answer: string;
  /** Log lines of errors since the last finding. */
  readonly logged: readonly string[];
}

export interface FuzzReport {
  readonly seed: number;
  /** How many answers had each status; 0 for connections that ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly codes: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** Unhandled rejections and uncaught exceptions. */
  readonly unhandled: readonly string[];
  readonly slowestMs: number;
  /** The median time of a fixed query after all that, over that before. */
  readonly slowdown: number;
  readonly heapGrowthMb: number;
}

const CONCURRENCY = 8;
/** Longer than a request may take that is up to no good. */
const SLOW_MS = 60_000;
const FIXED = '{ customers(first: 20) { nodes { id title contact { lastName } } } }';
const FIXED_RUNS = 40;
/** Of a line of the log as much tells where it came from. */
const MAX_LINE = 2_000;
/** Of each kind enough are told to see what is wrong. */
const MAX_FINDINGS = 20;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

const sendHttp = (url: string, { method = 'GET', path = '/', headers = {}, body }: RawRequest) =>
  new Promise<Answer>((resolve) => {
    const request = httpRequest(`${url}${path}`, { method, headers, agent, timeout: SLOW_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('close', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', (error) => resolve({ status: 0, text: error.message }));
    request.end(body);
  });

async function sendBytes(url: string, bytes: Buffer): Promise<Answer> {
  const { socket, ended } = connectRaw(url);
  socket.setTimeout(SLOW_MS, () => socket.destroy());
  socket.end(bytes);
  const text = await ended;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text: text.slice(text.indexOf('\r\n\r\n') + 4) };
}

/** Words of the machine, of what the graph is made of, and of traces. */
const OUR_WORDS = [process.cwd(), 'node_modules', 'undici', /\n\s+at /, /\bE(CONN|PIPE|NOTFOUND)/, /\.[tj]s:\d/];

interface Problems {
  /** In what the graph says itself, not in data. */
  readonly words: readonly (string | RegExp)[];
  readonly key: string;
}

interface ToldError {
  readonly message?: unknown;
  readonly extensions?: { readonly code?: unknown };
}

interface Told {
  readonly errors?: readonly ToldError[];
  readonly incremental?: readonly Told[];
}

/** The objects of an answer: one a line, whether it comes whole or in parts. */
function objectsIn(text: string): readonly Told[] {
  const lines = text.split('\n').map((line) => line.replace(/^data: /, ''));
  return lines.flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
}

const errorsOf = ({ errors = [], incremental = [] }: Told): readonly ToldError[] => [...errors, ...incremental.flatMap(errorsOf)];

const errorsIn = (text: string) => objectsIn(text).flatMap(errorsOf);

function problemOf({ status, text }: Answer, ms: number, { words, key }: Problems): string | undefined {
  const objects = objectsIn(text);
  const errors = objects.flatMap(errorsOf);
  if (errors.some(({ extensions }) => typeof extensions?.code !== 'string')) return 'an error without a code';
  if (status >= 500 && errors.length === 0) return `${status} without a code`;
  // Of JSON the errors are ours, and not the data; a page is, and anything else.
  const own = objects.length > 0 ? JSON.stringify(errors) : text.trimStart().startsWith('<!') ? '' : text;
  // The schema names the code too.
  if (own.includes('INTERNAL_SERVER_ERROR')) return 'a failure that nobody foresaw';
  if (own.includes(key)) return 'the key is in the answer';
  const leak = words.find((word) => (typeof word === 'string' ? own.includes(word) : word.test(own)));
  if (leak) return `${leak} is in the answer`;
  return ms > SLOW_MS ? `it took ${Math.round(ms)} ms` : undefined;
}

const median = (values: readonly number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

async function timeFixed(url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < FIXED_RUNS; run += 1) {
    const startedAt = performance.now();
    const { errors } = await postQuery(url, 'demo-owner', FIXED);
    if (errors) throw new Error(`The fixed query fails: ${JSON.stringify(errors)}`);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const heapMb = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

const shown = (request: FuzzRequest) =>
  (request.kind === 'bytes' ? request.bytes.toString('latin1') : JSON.stringify(request.request)).slice(0, 3_000);

/** Runs `act`, and answers what came up meanwhile that nobody awaited. */
async function watched(act: () => Promise<void>): Promise<string[]> {
  const unhandled: string[] = [];
  const note = (error: unknown) => void unhandled.push(String((error as Error)?.stack ?? error));
  process.on('unhandledRejection', note).on('uncaughtException', note);
  try {
    await act();
  } finally {
    process.off('unhandledRejection', note).off('uncaughtException', note);
  }
  return unhandled;
}

const count = (counts: Record<string, number>, name: unknown) => {
  counts[String(name)] = (counts[String(name)] ?? 0) + 1;
};

async function fuzzIn(testGraph: TestGraph, log: string[], { requests, seed }: FuzzOptions): Promise<FuzzReport> {
  const { schema } = createGraph();
  const { url } = testGraph.app;
  const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
  const words = [new URL(testGraph.sandbox.url).host, ...OUR_WORDS];
  const statuses: Record<string, number> = {};
  const codes: Record<string, number> = {};
  const findings: Finding[] = [];
  let slowestMs = 0;
  const one = async (index: number) => {
    const request = requestOf(schema, key, diceOf(seed + index));
    const startedAt = performance.now();
    const answer = request.kind === 'bytes' ? await sendBytes(url, request.bytes) : await sendHttp(url, request.request);
    const ms = performance.now() - startedAt;
    slowestMs = Math.max(slowestMs, ms);
    count(statuses, answer.status);
    for (const { extensions } of errorsIn(answer.text)) count(codes, extensions?.code);
    const problem = problemOf(answer, ms, { words, key });
    if (problem && findings.length < MAX_FINDINGS)
      findings.push({ seed: seed + index, problem, request: shown(request), answer: answer.text.slice(0, 600), logged: log.splice(0) });
    testGraph.sandbox.received.length = 0;
  };
  await timeFixed(url);
  const [before, heapBefore] = [await timeFixed(url), heapMb()];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < requests; index = next++) await one(index);
  };
  const unhandled = await watched(async () => void (await Promise.all(Array.from({ length: CONCURRENCY }, work))));
  const heapGrowthMb = heapMb() - heapBefore;
  const slowdown = (await timeFixed(url)) / before;
  return { seed, statuses, codes, findings, unhandled, slowestMs, slowdown, heapGrowthMb };
}

/** Sends requests that follow from the seed to a graph over a sandbox, and tells what was wrong with the answers. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const log: string[] = [];
  const logger = createLogger('error', { write: (line) => void log.push(line.slice(0, MAX_LINE)) });
  const testGraph = await startTestGraph({}, undefined, { logger });
  try {
    return await fuzzIn(testGraph, log, options);
  } finally {
    await testGraph.close();
  }
}
