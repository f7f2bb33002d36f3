import { isDeepStrictEqual } from 'node:util';
import type { Load } from './loads.ts';
import { ask, type CallRange, callsOf } from './measure.ts';
import type { Served } from './processes.ts';
import type { Contestant } from './servers.ts';
import type { GraphqlRequest, Work } from './work.ts';

export interface Running {
  readonly contestant: Contestant;
  readonly server: Served;
}

/** A work item with the servers' results for sequential requests. */
export interface Compared {
  /** The expected data of each request. */
  readonly data: readonly unknown[];
  /** Number of upstream calls per request, by server. */
  readonly calls: ReadonlyMap<string, number>;
}

/** Number of times that a request is sent before its calls are counted, so that caches are warm and documents are compiled. */
const TIMES = 4;
/** Maximum number of wasted calls of a covering list: two pages. */
const MOST_IN_VAIN = 2;

async function dataOf({ contestant, server }: Running, work: Work, request: GraphqlRequest): Promise<unknown> {
  const { data, errors } = await ask(server.url, request);
  if (data && !errors) return data;
  throw new Error(
    `${contestant.name} returned ${errors ? `an error: ${errors[0]?.message}` : 'no data'} for ${work.name}. It must return data.`,
  );
}

function assertEqual(data: unknown, expected: unknown, { name }: Contestant, work: Work): void {
  if (isDeepStrictEqual(data, expected)) return;
  const [here, there] = [JSON.stringify(data), JSON.stringify(expected)];
  const at = [...here].findIndex((character, index) => character !== there[index]);
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
  throw new Error(`${name} returned ${around(here)} for ${work.name}, expected ${around(there)}. All servers must return the same data.`);
}

/** Number of upstream calls of a request without covering lists. */
const getsOf = ({ calls, gets = calls }: Work) => gets;

function assertCalls(calls: number, { name, kind, isExact }: Contestant, work: Work): void {
  if (kind === 'peer') return;
  const exact = getsOf(work);
  const { least, most } = isExact ? { least: exact, most: exact } : { least: work.rounds, most: work.calls + MOST_IN_VAIN };
  if (calls >= least && calls <= most) return;
  throw new Error(`${name} sent ${calls} upstream calls for ${work.name}, expected ${least === most ? least : `${least} to ${most}`}.`);
}

/**
 * Compares the responses of all servers, and counts their calls, before anything is timed. If the work has several documents, this only sends the first, and
 * the load tests send all.
 */
export async function compare(running: readonly Running[], upstream: Served, work: Work): Promise<Compared> {
  const able = running.filter(({ contestant: { does } }) => does(work));
  const [reference] = able;
  const [first] = work.requests;
  if (!reference || !first) return { data: [], calls: new Map() };
  const data: unknown[] = [];
  for (const request of work.requests) data.push(await dataOf(reference, work, request));
  const calls = new Map<string, number>();
  for (const each of able) {
    for (let time = 1; time < TIMES; time += 1) await dataOf(each, work, first);
    const before = await callsOf(upstream);
    assertEqual(await dataOf(each, work, first), data[0], each.contestant, work);
    const made = (await callsOf(upstream)) - before;
    assertCalls(made, each.contestant, work);
    calls.set(each.contestant.name, made);
  }
  return { data, calls };
}

/** Maximum rounding error of an average of equal numbers. */
const ROUNDING = 0.001;

/**
 * Expected number of upstream calls per request under load. `alone` is the number for a single request on this server. `isWarm` specifies whether all keys have
 * been used before, so that per-key caches are filled.
 */
export function callRange(
  { kind, isExact }: Contestant,
  work: Work,
  { keys, connections }: Load,
  alone: number,
  isWarm: boolean,
): CallRange {
  // Callers with the same key can share concurrent reads. In the best case, all of them do.
  const isShared = keys < connections;
  if (kind === 'graph' && !isExact) {
    const least = isShared ? work.rounds / connections : work.rounds;
    return { least, most: isWarm ? Math.min(2 * alone, getsOf(work)) + MOST_IN_VAIN : getsOf(work) + MOST_IN_VAIN };
  }
  return { least: (isShared ? work.rounds / connections : alone) - ROUNDING, most: alone + ROUNDING };
}
