import { ask } from './measure.ts';
import { end, type Served, serve } from './processes.ts';
import type { Contestant } from './servers.ts';
import type { GraphqlRequest } from './work.ts';

/** Startup times of a server's process. Medians of several starts. */
export interface Start {
  readonly server: string;
  /** Until it logs that it's ready. Null for servers that don't. */
  readonly readyMs: number | null;
  /** Until the first response. */
  readonly answerMs: number;
  /** The same without Node's compile cache from earlier starts. */
  readonly coldReadyMs: number | null;
  readonly coldAnswerMs: number;
}

/** Starts a server `times` times. Returns the medians in milliseconds. */
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

/** Measures the startup of a server, with and without Node's compile cache. */
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
