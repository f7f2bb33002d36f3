import { Agent, request as httpRequest } from 'node:http';
import { createGraph } from '../../../src/graph.ts';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { connectRaw, type RawRequest } from '../../support/rawHttp.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';
import { createDice } from './dice.ts';
import { type FuzzRequest, generateRequest } from './requests.ts';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
}

/** An incorrect response. `seed` creates the same request again. */
export interface Finding {
  readonly seed: number;
  readonly problem: string;
  readonly request: string;
  readonly response: string;
  /** Lines of the error log since the previous finding. */
  readonly logged: readonly string[];
}

export interface FuzzReport {
  readonly seed: number;
  /** Number of responses by status. 0 stands for connections that ended without a response. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly codes: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** Unhandled rejections and uncaught exceptions. */
  readonly unhandled: readonly string[];
  readonly slowestMs: number;
  /** Median duration of a fixed query after the run, divided by that before it. */
  readonly slowdown: number;
  readonly heapGrowthMb: number;
}

const CONCURRENCY = 8;
/** Timeout of a request in milliseconds. Chosen: longer than the graph spends on any request. */
const SLOW_MS = 60_000;
const FIXED_QUERY = '{ customers(first: 20) { nodes { id title contact { lastName } } } }';
const FIXED_RUNS = 40;
/** Maximum length of a log line. Enough to locate the error. */
const MAX_LINE = 2_000;
/** Maximum number of findings to report. */
const MAX_FINDINGS = 20;

interface FuzzResponse {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

const sendHttp = (url: string, { method = 'GET', path = '/', headers = {}, body }: RawRequest) =>
  new Promise<FuzzResponse>((resolve) => {
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

async function sendBytes(url: string, bytes: Buffer): Promise<FuzzResponse> {
  const { socket, ended } = connectRaw(url);
  socket.setTimeout(SLOW_MS, () => socket.destroy());
  socket.end(bytes);
  const text = await ended;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text: text.slice(text.indexOf('\r\n\r\n') + 4) };
}

/** Text that would reveal the file system, dependencies, or stack traces. */
const FORBIDDEN_TEXT = [process.cwd(), 'node_modules', 'undici', /\n\s+at /, /\bE(CONN|PIPE|NOTFOUND)/, /\.[tj]s:\d/];

interface ProblemRules {
  /** Forbidden in the graph's own messages, but not in data. */
  readonly words: readonly (string | RegExp)[];
  readonly key: string;
}

interface ResponseError {
  readonly message?: unknown;
  readonly extensions?: { readonly code?: unknown };
}

interface ResponseObject {
  readonly errors?: readonly ResponseError[];
  readonly incremental?: readonly ResponseObject[];
}

/** The objects of a response, which is one JSON object or consists of several parts with one object per line. */
function parseObjects(text: string): readonly ResponseObject[] {
  const lines = text.split('\n').map((line) => line.replace(/^data: /, ''));
  return lines.flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
}

const listErrors = ({ errors = [], incremental = [] }: ResponseObject): readonly ResponseError[] => [
  ...errors,
  ...incremental.flatMap(listErrors),
];

const parseErrors = (text: string) => parseObjects(text).flatMap(listErrors);

function findProblem({ status, text }: FuzzResponse, ms: number, { words, key }: ProblemRules): string | undefined {
  const objects = parseObjects(text);
  const errors = objects.flatMap(listErrors);
  if (errors.some(({ extensions }) => typeof extensions?.code !== 'string')) return 'an error without a code';
  if (status >= 500 && errors.length === 0) return `${status} without a code`;
  // In JSON, only the errors are the graph's own text. A page has none of it, and other bodies consist of it.
  const own = objects.length > 0 ? JSON.stringify(errors) : text.trimStart().startsWith('<!') ? '' : text;
  // The schema also contains this code.
  if (own.includes('INTERNAL_SERVER_ERROR')) return 'an internal error';
  if (own.includes(key)) return 'the key is in the response';
  const leak = words.find((word) => (typeof word === 'string' ? own.includes(word) : word.test(own)));
  if (leak) return `${leak} is in the response`;
  return ms > SLOW_MS ? `it took ${Math.round(ms)} ms` : undefined;
}

const median = (values: readonly number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

async function timeFixedQuery(url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < FIXED_RUNS; run += 1) {
    const startedAt = performance.now();
    const { errors } = await postQuery(url, 'demo-owner', FIXED_QUERY);
    if (errors) throw new Error(`The fixed query fails: ${JSON.stringify(errors)}`);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const heapMb = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

const formatRequest = (request: FuzzRequest) =>
  (request.kind === 'bytes' ? request.bytes.toString('latin1') : JSON.stringify(request.request)).slice(0, 3_000);

/** Runs `act`. Returns unhandled rejections and uncaught exceptions that occurred meanwhile. */
async function recordUnhandled(act: () => Promise<void>): Promise<string[]> {
  const unhandled: string[] = [];
  const record = (error: unknown) => void unhandled.push(String((error as Error)?.stack ?? error));
  process.on('unhandledRejection', record).on('uncaughtException', record);
  try {
    await act();
  } finally {
    process.off('unhandledRejection', record).off('uncaughtException', record);
  }
  return unhandled;
}

const count = (counts: Record<string, number>, name: unknown) => {
  counts[String(name)] = (counts[String(name)] ?? 0) + 1;
};

async function fuzzGraph(testGraph: TestGraph, log: string[], { requests, seed }: FuzzOptions): Promise<FuzzReport> {
  const { schema } = createGraph();
  const { url } = testGraph.app;
  const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
  const words = [new URL(testGraph.sandbox.url).host, ...FORBIDDEN_TEXT];
  const statuses: Record<string, number> = {};
  const codes: Record<string, number> = {};
  const findings: Finding[] = [];
  let slowestMs = 0;
  const sendOne = async (index: number) => {
    const request = generateRequest(schema, key, createDice(seed + index));
    const startedAt = performance.now();
    const response = request.kind === 'bytes' ? await sendBytes(url, request.bytes) : await sendHttp(url, request.request);
    const ms = performance.now() - startedAt;
    slowestMs = Math.max(slowestMs, ms);
    count(statuses, response.status);
    for (const { extensions } of parseErrors(response.text)) count(codes, extensions?.code);
    const problem = findProblem(response, ms, { words, key });
    if (problem && findings.length < MAX_FINDINGS)
      findings.push({
        seed: seed + index,
        problem,
        request: formatRequest(request),
        response: response.text.slice(0, 600),
        logged: log.splice(0),
      });
    testGraph.sandbox.received.length = 0;
  };
  await timeFixedQuery(url);
  const [before, heapBefore] = [await timeFixedQuery(url), heapMb()];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < requests; index = next++) await sendOne(index);
  };
  const unhandled = await recordUnhandled(async () => void (await Promise.all(Array.from({ length: CONCURRENCY }, work))));
  const heapGrowthMb = heapMb() - heapBefore;
  const slowdown = (await timeFixedQuery(url)) / before;
  return { seed, statuses, codes, findings, unhandled, slowestMs, slowdown, heapGrowthMb };
}

/** Sends requests generated from the seed to a graph with a sandbox, and reports incorrect responses. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const log: string[] = [];
  const logger = createLogger('error', { write: (line) => void log.push(line.slice(0, MAX_LINE)) });
  const testGraph = await startTestGraph({}, undefined, { logger });
  try {
    return await fuzzGraph(testGraph, log, options);
  } finally {
    await testGraph.close();
  }
}
