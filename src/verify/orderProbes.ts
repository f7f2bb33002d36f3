import type { JsonObject } from '../lib/json.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { identityOf, type ProbeContext } from './probes.ts';
import { type Course, rowsIn } from './walk.ts';

/**
 * Reads of a list after its order has changed once. A new row changes it once; only a list without a stable order changes again. Chosen: after one change, two
 * rows in random order stay unnoticed in 1 of 16 cases. A list whose first repeat has the same order isn't read again.
 */
const MORE_READS = 4;

/** The rows of a response, in their order. Null if there are too few to have one. */
function orderOf(operation: AnyOperation, answer: JsonObject): string | null {
  const rows = rowsIn(operation, answer) ?? [];
  return rows.length < 2 ? null : JSON.stringify(rows.map((row) => identityOf(operation, row)));
}

/** Repeats the request of a list until its order has changed twice. True if it doesn't, or if the list can't be read again. */
export async function hasStableOrder({ caller }: ProbeContext, { operation, request, answer }: Course): Promise<boolean> {
  let last = answer && orderOf(operation, answer);
  if (request === null || last === null) return true;
  let changes = 0;
  for (let reads = 0; reads <= MORE_READS; reads += 1) {
    const reply = await caller.ask(operation, request);
    const next = 'answer' in reply ? orderOf(operation, reply.answer) : null;
    if (next === null) return true;
    if (next !== last) changes += 1;
    if (changes !== 1) return changes === 0;
    last = next;
  }
  return true;
}

/** Reports lists that return their rows in another order on each read: their pages can't be continued without gaps or duplicates. */
export async function probeOrders(context: ProbeContext): Promise<void> {
  const { notes } = context;
  for (const course of context.courses) {
    const { name, page } = course.operation;
    if (page && !notes.unordered.has(name) && !(await hasStableOrder(context, course))) notes.unstable(name);
  }
}
