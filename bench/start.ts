import { ask } from './measure.ts';
import { end, type Served, serve } from './processes.ts';
import type { Contestant } from './servers.ts';
import type { GraphqlRequest } from './work.ts';

/** How long a server takes from the start of its process, as medians of some starts. */
export interface Start {
  readonly server: string;
  /** Until it says that it is ready; null for servers that do not say so. */
  readonly readyMs: number | null;
  /** Until a request has been answered. */
  readonly answerMs: number;
  /** The first two, without the compiled code that Node keeps from an earlier start. */
  readonly coldReadyMs: number | null;
  readonly coldAnswerMs: number;
}

/** Starts a server as often as `times`. Answers the median of its times, in ms. */
async function timesOf(
  { command }: Contestant,
  env: Readonly<Record<string, string>>,
  isUp: (url: string) => Promise<boolean>,
  times: number,
): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const server = await serve('server', command, env, isUp);
    taken.push(server.startMs);
    await end(server);
  }
  return taken.sort((one, other) => one - other)[Math.floor(times / 2)] ?? Number.NaN;
}

const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).ok;

/** Measures the start of a server, with and without Node's cache of compiled code. */
export async function startOf(contestant: Contestant, upstream: Served, request: GraphqlRequest, times: number): Promise<Start> {
  const answers = async (url: string) => (await ask(url, request)).data !== undefined;
  const env = { ...contestant.env, UPSTREAM_URL: upstream.url };
  const cold = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const saysReady = contestant.kind === 'graph';
  return {
    server: contestant.name,
    readyMs: saysReady ? await timesOf(contestant, env, isReady, times) : null,
    answerMs: await timesOf(contestant, env, answers, times),
    coldReadyMs: saysReady ? await timesOf(contestant, cold, isReady, times) : null,
    coldAnswerMs: await timesOf(contestant, cold, answers, times),
  };
}
