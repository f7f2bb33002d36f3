import type { JsonObject } from '../../src/lib/json.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import { getRowIdentity, type ProbeContext } from './probes.ts';
import { getRows, type OperationRun } from './walk.ts';

/**
 * Reads of a list after its order has changed once. A new row changes it once; only a list without a stable order changes again. Chosen: after one change, two
 * rows in random order stay unnoticed in 1 of 16 cases. A list whose first repeat has the same order isn't read again.
 */
const EXTRA_READS = 4;

/** The rows of a response, in their order. Null if there are too few to have one. */
function serializeOrder(operation: AnyOperation, response: JsonObject): string | null {
  const rows = getRows(operation, response) ?? [];
  return rows.length < 2 ? null : JSON.stringify(rows.map((row) => getRowIdentity(operation, row)));
}

/** Repeats the request of a list until its order has changed twice. True if that doesn't happen, or if the list can't be read again. */
export async function hasStableOrder({ caller }: ProbeContext, { operation, request, response }: OperationRun): Promise<boolean> {
  let last = response && serializeOrder(operation, response);
  if (request === null || last === null) return true;
  let changes = 0;
  for (let reads = 0; reads <= EXTRA_READS; reads += 1) {
    const result = await caller.send(operation, request);
    const next = 'response' in result ? serializeOrder(operation, result.response) : null;
    if (next === null) return true;
    if (next !== last) changes += 1;
    if (changes !== 1) return changes === 0;
    last = next;
  }
  return true;
}

/** Reports lists that return their rows in another order on each read: paginating them causes gaps or duplicates. */
export async function probeOrders(context: ProbeContext): Promise<void> {
  const { findings } = context;
  for (const run of context.runs) {
    const { name, page } = run.operation;
    if (page && !findings.unordered.has(name) && !(await hasStableOrder(context, run))) findings.addUnstableOrder(name);
  }
}
