// The load generator. Each connection sends its next request after the response to the previous one, and all responses are checked. Accepts the path of a plan
// and prints a report. Measures CPU time between two timestamps under load, so that neither the start nor the end of the run affects it.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { AnswerCheck } from './answers.ts';
import { cpuSecondsOf, rssMbOf } from './cpu.ts';
import type { Plan, Report, Requests } from './measure.ts';
import { MessageReader } from './wire.ts';

/** Response timeout. Chosen: longer than any server needs for the most expensive document with 32 callers. */
const ANSWER_MS = 30_000;
/** Maximum number of characters of an incorrect response in an error. */
const TOLD_CHARACTERS = 300;

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan;
const { hostname, port, host } = new URL(plan.url);
/** Prefix of unique values, so that they also differ between runs. */
const run = crypto.randomUUID();

let isEnding = false;
let failed = 0;
let wrong = 0;
let firstWrong: string | null = null;

/** Requests of one kind. Connections take turns in sending them. */
class Stream {
  readonly #bodies: readonly string[];
  readonly #checks: readonly (AnswerCheck | null)[];
  readonly #keyName: string;
  readonly #keys: number;
  #sent = 0;
  /** Total number of responses. */
  answered = 0;
  /** Latencies of the responses since the first timestamp. */
  latenciesMs: number[] = [];

  constructor({ bodies, data }: Requests, keyName: string, keys: number) {
    this.#keyName = keyName;
    this.#bodies = bodies;
    this.#checks = bodies.map((_, index) => (data === null ? null : new AnswerCheck(data[index])));
    this.#keys = keys;
  }

  /** The next request, encoded, and the check for its response. */
  next(connection: number, turn: number, connections: number): { readonly text: string; readonly check: AnswerCheck | null } {
    const index = this.#sent % this.#bodies.length;
    this.#sent += 1;
    const body = this.#bodies[index]?.replaceAll('UNIQUE', `${run}-${this.#sent}`) ?? '';
    // If there are enough keys, each connection has its own.
    const key = (connection + turn * connections) % this.#keys;
    const head = `POST /graphql HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: application/json\r\n`;
    const text = `${head}authorization: Bearer ${this.#keyName}-${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return { text, check: this.#checks[index] ?? null };
  }

  answer({ head, body }: { readonly head: string; readonly body: Buffer }, check: AnswerCheck | null, latencyMs: number): void {
    this.answered += 1;
    this.latenciesMs.push(latencyMs);
    const status = head.slice(9, 12);
    if (status === '200' && (check === null || check.isRight(body))) return;
    wrong += 1;
    firstWrong ??= `${status} ${body.toString().slice(0, TOLD_CHARACTERS)}`;
  }
}

/** Sends requests over one connection until the end of the run. */
function keepAsking(stream: Stream, connection: number, connections: number): Promise<void> {
  return new Promise((resolve) => {
    let turn = 0;
    let since = 0;
    let check: AnswerCheck | null = null;
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
        stream.answer(message, check, performance.now() - since);
        send();
      });
      socket.on('data', (chunk: Buffer) => reader.push(chunk));
      socket.once('connect', send);
      socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error(`No response within ${ANSWER_MS} ms.`)));
      // If the connection closes before the response, the run is void. It continues, because its other results are still useful.
      socket.once('close', () => {
        if (isEnding) return resolve();
        failed += 1;
        setTimeout(open, 100);
      });
      socket.on('error', (error) => {
        firstWrong ??= String(error);
      });
    };
    open();
  });
}

interface Moment {
  readonly at: number;
  readonly serverCpu: number;
  readonly upstreamCpu: number;
  readonly ownCpu: number;
}

const now = (): Moment => ({
  at: performance.now(),
  serverCpu: cpuSecondsOf(plan.serverPid),
  upstreamCpu: cpuSecondsOf(plan.upstreamPid),
  ownCpu: cpuSecondsOf(process.pid),
});

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const inOrder = (values: readonly number[]) => [...values].sort((one, other) => one - other);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function load(): Promise<Report> {
  const main = new Stream(plan.main, 'bench', plan.keys);
  const beside = plan.beside && new Stream(plan.beside, 'beside', 1);
  const asking = Array.from({ length: plan.connections }, (_, index) => keepAsking(main, index, plan.connections));
  if (beside) asking.push(keepAsking(beside, 0, 1));
  await wait(plan.warmSeconds * 1000);
  const from = now();
  main.latenciesMs = [];
  if (beside) beside.latenciesMs = [];
  const seconds = () => (performance.now() - from.at) / 1000;
  while (seconds() < plan.seconds || (main.latenciesMs.length < plan.leastAnswers && seconds() < plan.mostSeconds)) await wait(10);
  const until = now();
  const latencies = inOrder(main.latenciesMs);
  const latenciesBeside = beside && inOrder(beside.latenciesMs);
  const rssMb = rssMbOf(plan.serverPid);
  // Waits for outstanding responses, which only count toward the total.
  isEnding = true;
  await Promise.all(asking);
  const took = (until.at - from.at) / 1000;
  const requests = latencies.length + (latenciesBeside?.length ?? 0);
  return {
    requests,
    answered: main.answered,
    answeredBeside: beside?.answered ?? 0,
    requestsPerSecond: latencies.length / took,
    cpuMsPerRequest: ((until.serverCpu - from.serverCpu) * 1000) / requests,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    besideP99Ms: latenciesBeside ? percentile(latenciesBeside, 0.99) : null,
    rssMb,
    serverBusy: (until.serverCpu - from.serverCpu) / took,
    upstreamBusy: (until.upstreamCpu - from.upstreamCpu) / took,
    generatorBusy: (until.ownCpu - from.ownCpu) / took,
    failed,
    wrong,
    firstWrong,
  };
}

console.log(JSON.stringify(await load()));
