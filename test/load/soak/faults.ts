import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../sandbox/kernel/random.ts';
import type { RestartableGraph } from './processes.ts';

/** Faults that the sandbox injects into calls: closed connections, slow responses, error statuses, and truncated, wrong, or empty bodies. */
const FAULTS: readonly object[] = [
  { cut: 'before' },
  { cut: 'after' },
  { latencyMs: 300 },
  { latencyMs: 800, cut: 'after' },
  // Longer than the call timeout: the graph stops waiting, but the sandbox applies the write later.
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

/** Maximum interval between two faults, in milliseconds. About one call in ten fails. */
const MAX_FAULT_INTERVAL_MS = 200;
/** Interval between two kills, in milliseconds. Long enough for a graph to restart and to have mutations in flight again. */
const KILL_INTERVAL_MS = [5_000, 15_000] as const;

/** Injects faults into random operations until it's stopped. */
export async function armFaults(adminUrl: string, operations: readonly string[], random: Random, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const fault = { operation: random.pick(operations), ...random.pick(FAULTS), times: random.nextInteger(1, 3) };
    const body = JSON.stringify(fault);
    await fetch(`${adminUrl}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await pause(random.nextInteger(0, MAX_FAULT_INTERVAL_MS));
  }
  await fetch(`${adminUrl}/faults`, { method: 'DELETE' });
}

/** Kills and restarts a graph repeatedly until it's stopped. Returns the number of kills. */
export async function killRepeatedly(graph: RestartableGraph, random: Random, stopped: AbortSignal): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    await pause(random.nextInteger(...KILL_INTERVAL_MS), undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted) return kills;
    await graph.killAndRestart();
  }
}
