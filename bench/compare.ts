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

/** A piece of work as the servers do it one request at a time. */
export interface Compared {
  /** The right data for each request. */
  readonly data: readonly unknown[];
  /** The upstream calls of one request, by the server. */
  readonly calls: ReadonlyMap<string, number>;
}

/** How often a request is asked before its calls are counted: what is known by then, and what is compiled, is so for all that come later. */
const TIMES = 4;
/** How many calls a cover may take above those that it is to spare: two pages that were read for nothing. */
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

/** The upstream calls of a request without covers. */
const getsOf = ({ calls, gets = calls }: Work) => gets;

function assertCalls(calls: number, { name, kind, isExact }: Contestant, work: Work): void {
  if (kind === 'peer') return;
  const exact = getsOf(work);
  const { least, most } = isExact ? { least: exact, most: exact } : { least: work.rounds, most: work.calls + MOST_IN_VAIN };
  if (calls >= least && calls <= most) return;
  throw new Error(`${name} sent ${calls} upstream calls for ${work.name}, expected ${least === most ? least : `${least} to ${most}`}.`);
}

/**
 * Compares the answers of all servers, and counts their calls, before anything is timed. Of work in several texts each server is asked the first
 * here, and all under load.
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

/** How far an average of equal numbers may be off: rounding only. */
const ROUNDING = 0.001;

/**
 * The upstream calls that are right for a request under load. `alone` is what the server made of one request alone; `isWarm` tells whether all
 * keys have been used before, so that what is learned by key is known.
 */
export function callRange(
  { kind, isExact }: Contestant,
  work: Work,
  { keys, connections }: Load,
  alone: number,
  isWarm: boolean,
): CallRange {
  // Callers of one key may share what they ask at the same time, at most all of them.
  const isShared = keys < connections;
  if (kind === 'graph' && !isExact) {
    const least = isShared ? work.rounds / connections : work.rounds;
    return { least, most: isWarm ? Math.min(2 * alone, getsOf(work)) + MOST_IN_VAIN : getsOf(work) + MOST_IN_VAIN };
  }
  return { least: (isShared ? work.rounds / connections : alone) - ROUNDING, most: alone + ROUNDING };
}
