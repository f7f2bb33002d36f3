import { sendRequest } from './measure.ts';
import { type ServerProcess, startServer, stop } from './processes.ts';
import type { ServerConfig } from './servers.ts';
import type { GraphqlRequest } from './work.ts';

/** Startup times of a server's process. Medians of several starts. */
export interface StartupTimes {
  readonly server: string;
  /** Until it logs that it's ready. Null for servers that don't. */
  readonly readyMs: number | null;
  /** Until the first response. */
  readonly responseMs: number;
  /** The same without Node's compile cache from earlier starts. */
  readonly coldReadyMs: number | null;
  readonly coldResponseMs: number;
}

/** Starts a server `times` times. Returns the medians in milliseconds. */
async function measureStart(
  { command }: ServerConfig,
  env: Readonly<Record<string, string>>,
  isUp: (url: string) => Promise<boolean>,
  times: number,
): Promise<number> {
  const durations: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const server = await startServer('server', command, env, isUp);
    durations.push(server.startMs);
    await stop(server);
  }
  return durations.sort((one, other) => one - other)[Math.floor(times / 2)] ?? Number.NaN;
}

const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).ok;

/** Measures the startup of a server, with and without Node's compile cache. */
export async function measureStartup(
  config: ServerConfig,
  upstream: ServerProcess,
  request: GraphqlRequest,
  times: number,
): Promise<StartupTimes> {
  const isResponding = async (url: string) => (await sendRequest(url, request)).data !== undefined;
  const env = { ...config.env, UPSTREAM_URL: upstream.url };
  const cold = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const hasReadiness = config.kind === 'graph';
  return {
    server: config.name,
    readyMs: hasReadiness ? await measureStart(config, env, isReady, times) : null,
    responseMs: await measureStart(config, env, isResponding, times),
    coldReadyMs: hasReadiness ? await measureStart(config, cold, isReady, times) : null,
    coldResponseMs: await measureStart(config, cold, isResponding, times),
  };
}
