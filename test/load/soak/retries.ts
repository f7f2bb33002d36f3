import { setTimeout as pause } from 'node:timers/promises';
import { isSuccess } from '../../support/faults/guarantees.ts';
import { canRepeat, type Load } from './load.ts';
import { LEASE_MS } from './processes.ts';

/** Maximum number of concurrent requests. */
export const CONCURRENCY = 16;

/** Processes a list with limited concurrency. */
export async function forEach<Item>(items: readonly Item[], action: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of rest) await action(item);
    }),
  );
}

/** Repeats every unfinished operation that can be repeated, and again once those that were in progress have expired. */
export async function retryUnfinished(load: Load): Promise<void> {
  const isOpen = (operation: (typeof load.operations)[number]) =>
    canRepeat(operation) && !operation.outcomes.some((response) => response && isSuccess(response.outcome));
  await forEach(load.operations.filter(isOpen), (operation) => load.attempt(operation));
  const running = load.operations.filter(({ outcomes }) => outcomes.at(-1)?.outcome.startsWith('OPERATION_IN_PROGRESS'));
  if (running.length === 0) return;
  await pause(LEASE_MS);
  await forEach(running.filter(isOpen), (operation) => load.attempt(operation));
}
