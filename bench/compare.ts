import { isDeepStrictEqual } from 'node:util';
import type { Load } from './loads.ts';
import { type CallRange, fetchCallCount, sendRequest } from './measure.ts';
import type { ServerProcess } from './processes.ts';
import type { ServerConfig } from './servers.ts';
import type { GraphqlRequest, Work } from './work.ts';

export interface RunningServer {
  readonly config: ServerConfig;
  readonly server: ServerProcess;
  /** Access tokens of its callers. Undefined if they send API keys. */
  readonly tokens: readonly string[] | undefined;
}

/** A work item with the servers' results for sequential requests. */
export interface Comparison {
  /** The expected data of each request. */
  readonly data: readonly unknown[];
  /** Number of upstream calls per request, by server. */
  readonly calls: ReadonlyMap<string, number>;
}

/** Number of times that a request is sent before its calls are counted, so that caches are warm and documents are compiled. */
const REPEATS = 4;
/** Maximum number of wasted calls of a covering list: two pages. */
const MAX_WASTED_CALLS = 2;

async function fetchData({ config, server }: RunningServer, work: Work, request: GraphqlRequest): Promise<unknown> {
  const { data, errors } = await sendRequest(server.url, request);
  if (data && !errors) return data;
  throw new Error(
    `${config.name} returned ${errors ? `an error: ${errors[0]?.message}` : 'no data'} for ${work.name}. It must return data.`,
  );
}

function assertEqual(data: unknown, expected: unknown, { name }: ServerConfig, work: Work): void {
  if (isDeepStrictEqual(data, expected)) return;
  const [here, there] = [JSON.stringify(data), JSON.stringify(expected)];
  const at = [...here].findIndex((character, index) => character !== there[index]);
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
  throw new Error(`${name} returned ${around(here)} for ${work.name}, expected ${around(there)}. All servers must return the same data.`);
}

/** Number of upstream calls of a request without covering lists. */
const countGets = ({ calls, gets = calls }: Work) => gets;

function assertCalls(calls: number, { name, kind, isExact }: ServerConfig, work: Work): void {
  if (kind === 'peer') return;
  const exact = kind === 'floor' ? (work.floorCalls ?? countGets(work)) : countGets(work);
  const { least, most } = isExact ? { least: exact, most: exact } : { least: work.rounds, most: work.calls + MAX_WASTED_CALLS };
  if (calls >= least && calls <= most) return;
  throw new Error(`${name} sent ${calls} upstream calls for ${work.name}, expected ${least === most ? least : `${least} to ${most}`}.`);
}

/**
 * Compares the responses of all servers, and counts their calls, before anything is timed. If the work has several documents, this only sends the first, and
 * the load tests send all.
 */
export async function compare(running: readonly RunningServer[], upstream: ServerProcess, work: Work): Promise<Comparison> {
  const supporting = running.filter(({ config: { supports } }) => supports(work));
  const [reference] = supporting;
  const [first] = work.requests;
  if (!reference || !first) return { data: [], calls: new Map() };
  const data: unknown[] = [];
  for (const request of work.requests) data.push(await fetchData(reference, work, request));
  const calls = new Map<string, number>();
  for (const each of supporting) {
    for (let time = 1; time < REPEATS; time += 1) await fetchData(each, work, first);
    const before = await fetchCallCount(upstream);
    assertEqual(await fetchData(each, work, first), data[0], each.config, work);
    const sent = (await fetchCallCount(upstream)) - before;
    assertCalls(sent, each.config, work);
    calls.set(each.config.name, sent);
  }
  return { data, calls };
}

/** Maximum rounding error of an average of equal numbers. */
const ROUNDING = 0.001;
/** The same as a share of the calls, for a peer with more than `MANY` clients. Measured: Tailcall sends 1 to 3 % fewer calls with 1,000 clients. A cache would save far more. */
const CROWDED_ROUNDING = 0.05;
/** Measured: with 256 clients, the calls of all peers are exact. */
const MANY = 256;

/**
 * Expected number of upstream calls per request under load. `alone` is the number for a single request on this server. `isWarm` specifies whether all keys have
 * been used before, so that per-key caches are filled.
 */
export function calculateCallRange(
  { kind, isExact }: ServerConfig,
  work: Work,
  { keys, connections }: Load,
  alone: number,
  isWarm: boolean,
): CallRange {
  // Callers with the same key can share concurrent reads. In the best case, all of them do. Each has its own keys only if their number is a multiple.
  const isShared = keys % connections !== 0;
  const cachedCalls = kind === 'graph' ? (work.cachedCalls ?? 0) : 0;
  if (kind === 'graph' && !isExact) {
    const least = isShared ? work.rounds / connections : work.rounds;
    const most = isWarm ? Math.min(2 * alone, countGets(work)) : countGets(work);
    return { least, most: most + MAX_WASTED_CALLS + cachedCalls };
  }
  const rounding = kind === 'peer' && connections > MANY ? CROWDED_ROUNDING * alone : ROUNDING;
  return { least: (isShared ? work.rounds / connections : alone) - rounding, most: alone + cachedCalls + rounding };
}
