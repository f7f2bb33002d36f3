import { setTimeout as pause } from 'node:timers/promises';
import { isSuccess } from '../../test/support/faults/guarantees.ts';
import { type Load, mayRepeat } from './load.ts';
import { LEASE_MS } from './processes.ts';

/** Requests that are under way at a time. */
export const CONCURRENCY = 16;

/** Works through a list, a few at a time. */
export async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of rest) await act(item);
    }),
  );
}

/** Asks again for all that may be asked for again, until nobody says any more that it runs. */
export async function askForTheRest(load: Load): Promise<void> {
  const isOpen = (deed: (typeof load.deeds)[number]) => mayRepeat(deed) && !deed.told.some((told) => told && isSuccess(told.outcome));
  await forEach(load.deeds.filter(isOpen), (deed) => load.askFor(deed));
  const runs = load.deeds.filter(({ told }) => told.at(-1)?.outcome.startsWith('OPERATION_IN_PROGRESS'));
  if (runs.length === 0) return;
  await pause(LEASE_MS);
  await forEach(runs.filter(isOpen), (deed) => load.askFor(deed));
}
