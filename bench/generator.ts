// The load generator. Each connection sends its next request after the response to the previous one, and all responses are checked. Accepts the path of a plan
// and prints a report. Measures CPU time between two timestamps under load, so that neither the start nor the end of the run affects it.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readCpuSeconds, readMainCpuSeconds, readRssMb } from './cpu.ts';
import type { Plan, Report, Requests } from './measure.ts';
import { ResponseCheck } from './responseCheck.ts';
import { MessageReader } from './wire.ts';

/** Response timeout. Chosen: longer than any server needs for the most expensive document with 32 callers. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** Maximum number of characters of an incorrect response in an error. */
const MAX_EXCERPT_LENGTH = 300;

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan;
const { hostname, port, host } = new URL(plan.url);
/** Prefix of unique values, so that they also differ between runs. Without hyphens, so that names can contain it. */
const run = crypto.randomUUID().replaceAll('-', '');

let isEnding = false;
let failed = 0;
let incorrect = 0;
let firstProblem: string | null = null;

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

function decodeBody(head: string, body: Buffer): Buffer {
  const [, coding = ''] = /^content-encoding: (\w+)/im.exec(head) ?? [];
  return DECODERS[coding]?.(body) ?? body;
}

/** Requests of one kind. Connections take turns in sending them. */
class RequestStream {
  readonly #bodies: readonly string[];
  readonly #checks: readonly (ResponseCheck | null)[];
  readonly #head: string;
  readonly #keyName: string;
  readonly #keys: number;
  readonly #tokens: readonly string[] | undefined;
  readonly #isAnonymous: boolean;
  readonly #isRejectable: boolean;
  #sent = 0;
  /** Total number of responses. */
  responses = 0;
  /** Latencies of the responses since the first timestamp. */
  latenciesMs: number[] = [];
  /** Total number of responses with status 503. */
  overloaded = 0;

  constructor(requests: Requests, keyName: string, keys: number) {
    const { bodies, data, acceptEncoding, tokens, accept = 'application/json', isAnonymous = false, isRejectable = false } = requests;
    this.#head = `POST /graphql HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: ${accept}\r\n${acceptEncoding ? `accept-encoding: ${acceptEncoding}\r\n` : ''}`;
    this.#keyName = keyName;
    this.#bodies = bodies;
    this.#checks = bodies.map((_, index) => (data === null ? null : new ResponseCheck(data[index])));
    this.#keys = keys;
    this.#tokens = tokens;
    this.#isAnonymous = isAnonymous;
    this.#isRejectable = isRejectable;
  }

  /** The next request, encoded, and the check for its response. */
  next(connection: number, turn: number, connections: number): { readonly text: string; readonly check: ResponseCheck | null } {
    const index = this.#sent % this.#bodies.length;
    this.#sent += 1;
    const body = this.#bodies[index]?.replaceAll('UNIQUE', `${run}_${this.#sent}`) ?? '';
    // If there are enough keys, each connection has its own.
    const key = (connection + turn * connections) % this.#keys;
    const credential = this.#tokens?.[key] ?? `${this.#keyName}-${key}`;
    const authorization = this.#isAnonymous ? '' : `authorization: Bearer ${credential}\r\n`;
    const text = `${this.#head}${authorization}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return { text, check: this.#checks[index] ?? null };
  }

  recordResponse({ head, body }: { readonly head: string; readonly body: Buffer }, check: ResponseCheck | null, latencyMs: number): void {
    this.responses += 1;
    this.latenciesMs.push(latencyMs);
    const status = head.slice(9, 12);
    if (status === '503') this.overloaded += 1;
    if (this.#isRejectable) return;
    if (status === '200' && (check === null || check.isCorrect(decodeBody(head, body)))) return;
    incorrect += 1;
    firstProblem ??= `${status} ${body.toString().slice(0, MAX_EXCERPT_LENGTH)}`;
  }
}

/** Sends requests over one connection until the end of the run. */
function sendContinuously(stream: RequestStream, connection: number, connections: number): Promise<void> {
  return new Promise((resolve) => {
    let turn = 0;
    let since = 0;
    let check: ResponseCheck | null = null;
    let socket: Socket;
    const send = () => {
      if (isEnding) {
        socket.destroy();
        return resolve();
      }
      const request = stream.next(connection, turn, connections);
      turn += 1;
      check = request.check;
      since = performance.now();
      socket.write(request.text);
    };
    const open = () => {
      socket = connect({ host: hostname, port: Number(port), noDelay: true });
      const reader = new MessageReader((message) => {
        stream.recordResponse(message, check, performance.now() - since);
        send();
      });
      socket.on('data', (chunk: Buffer) => reader.push(chunk));
      socket.once('connect', send);
      socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy(new Error(`No response within ${RESPONSE_TIMEOUT_MS} ms.`)));
      // If the connection closes before the response, the run is invalid. It continues, because its other results are still useful.
      socket.once('close', () => {
        if (isEnding) return resolve();
        failed += 1;
        setTimeout(open, 100);
      });
      socket.on('error', (error) => {
        firstProblem ??= String(error);
      });
    };
    open();
  });
}

interface Sample {
  readonly at: number;
  readonly serverCpu: number;
  readonly serverMainCpu: number;
  readonly upstreamCpu: number;
  readonly ownCpu: number;
}

const takeSample = (): Sample => ({
  at: performance.now(),
  serverCpu: readCpuSeconds(plan.serverPid),
  serverMainCpu: readMainCpuSeconds(plan.serverPid),
  upstreamCpu: readCpuSeconds(plan.upstreamPid),
  ownCpu: readCpuSeconds(process.pid),
});

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const sortNumbers = (values: readonly number[]) => [...values].sort((one, other) => one - other);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function runLoad(): Promise<Report> {
  const main = new RequestStream(plan.main, 'bench', plan.keys);
  const background = plan.background && new RequestStream(plan.background, 'background', 1);
  const connections = Array.from({ length: plan.connections }, (_, index) => sendContinuously(main, index, plan.connections));
  if (background) connections.push(sendContinuously(background, 0, 1));
  await wait(plan.warmSeconds * 1000);
  const from = takeSample();
  main.latenciesMs = [];
  if (background) background.latenciesMs = [];
  const seconds = () => (performance.now() - from.at) / 1000;
  while (seconds() < plan.seconds || (main.latenciesMs.length < plan.minResponses && seconds() < plan.maxSeconds)) await wait(10);
  const until = takeSample();
  const latencies = sortNumbers(main.latenciesMs);
  const backgroundLatencies = background && sortNumbers(background.latenciesMs);
  const rssMb = readRssMb(plan.serverPid);
  // Waits for outstanding responses, which only count toward the total.
  isEnding = true;
  await Promise.all(connections);
  const elapsed = (until.at - from.at) / 1000;
  const requests = latencies.length + (backgroundLatencies?.length ?? 0);
  return {
    requests,
    responses: main.responses,
    backgroundResponses: background?.responses ?? 0,
    requestsPerSecond: latencies.length / elapsed,
    cpuMsPerRequest: ((until.serverCpu - from.serverCpu) * 1000) / requests,
    mainCpuMsPerRequest: ((until.serverMainCpu - from.serverMainCpu) * 1000) / requests,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    backgroundP50Ms: backgroundLatencies ? percentile(backgroundLatencies, 0.5) : null,
    backgroundP99Ms: backgroundLatencies ? percentile(backgroundLatencies, 0.99) : null,
    backgroundOverloaded: background?.overloaded ?? 0,
    rssMb,
    serverBusy: (until.serverCpu - from.serverCpu) / elapsed,
    upstreamBusy: (until.upstreamCpu - from.upstreamCpu) / elapsed,
    generatorBusy: (until.ownCpu - from.ownCpu) / elapsed,
    failed,
    incorrect: incorrect,
    firstProblem: firstProblem,
  };
}

console.log(JSON.stringify(await runLoad()));
