import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../sandbox/kernel/random.ts';
import type { MortalGraph } from './processes.ts';

/** Faults that the sandbox injects into calls: cut connections, late answers, failures, and bodies that are short, wrong or empty. */
const FAULTS: readonly object[] = [
  { cut: 'before' },
  { cut: 'after' },
  { latencyMs: 300 },
  { latencyMs: 800, cut: 'after' },
  // Longer than a call may take: the graph gives up, and the sandbox does it later.
  { latencyMs: 4_000 },
  { status: 500 },
  { status: 502 },
  { status: 503 },
  { status: 503, retryAfter: 1 },
  { status: 504 },
  { status: 429 },
  { status: 429, retryAfter: 1 },
  { body: '{"contact":{"id":' },
  { body: '[]' },
  { body: '{}' },
];

/** Between two faults, in milliseconds, at most: about one call in ten is struck. */
const BETWEEN_FAULTS_MS = 200;
/** Between two deaths, in milliseconds: enough for a graph to come back, and to have acts under way again. */
const BETWEEN_DEATHS_MS = [5_000, 15_000] as const;

/** Arms faults on random operations until it is stopped. */
export async function armFaults(adminUrl: string, operations: readonly string[], random: Random, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const fault = { operation: random.pick(operations), ...random.pick(FAULTS), times: random.integer(1, 3) };
    const body = JSON.stringify(fault);
    await fetch(`${adminUrl}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await pause(random.integer(0, BETWEEN_FAULTS_MS));
  }
  await fetch(`${adminUrl}/faults`, { method: 'DELETE' });
}

/** Kills a graph now and then, and starts it again, until it is stopped. Answers how often. */
export async function killNowAndThen(graph: MortalGraph, random: Random, stopped: AbortSignal): Promise<number> {
  for (let deaths = 0; ; deaths += 1) {
    await pause(random.integer(...BETWEEN_DEATHS_MS), undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted) return deaths;
    await graph.dieAndComeBack();
  }
}
