import type { Store } from '../../../sandbox/kernel/store.ts';
import { findViolations, isSuccess, isUncertain, type OperationHistory } from '../../support/faults/guarantees.ts';
import type { IntendedOperation, Load, Workspace } from './load.ts';

/** Totals over all intended operations of the run. */
export interface Totals {
  readonly intended: number;
  readonly applied: number;
  readonly appliedTwice: number;
  /** A client received a success response, but the operation wasn't applied. */
  readonly lost: number;
  /** All clients received failures, but the operation was applied. */
  readonly failedButApplied: number;
  /** Operations that violated another guarantee. */
  readonly otherViolations: number;
  /** No response reported the outcome. */
  readonly unknown: number;
  /** Descriptions of the first violations. */
  readonly examples: readonly string[];
}

/** Maximum number of violations to describe. */
const MAX_EXAMPLES = 10;

/** The history of an operation. It's unknown which request applied it, so the effect is attributed to the requests only if all of them failed. */
function toHistory({ prepared, outcomes, ledger }: IntendedOperation): OperationHistory {
  const applied = prepared.countApplied();
  const hasFailed = outcomes.every((response) => response !== null && !isSuccess(response.outcome) && !isUncertain(response.outcome));
  const responses = outcomes.filter((response) => response !== null);
  return { responses: responses.map((response) => ({ ...response, applied: hasFailed ? applied : 0 })), applied, ledgerState: ledger };
}

/** The number of responses by outcome, most frequent first. */
export function formatOutcomes(operations: readonly IntendedOperation[]): string {
  const counts = new Map<string, number>();
  for (const response of operations.flatMap(({ outcomes }) => outcomes)) {
    const outcome = response?.outcome ?? 'no response';
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ');
}

export function calculateTotals(operations: readonly IntendedOperation[]): Totals {
  const examples: string[] = [];
  const counts = { applied: 0, appliedTwice: 0, lost: 0, failedButApplied: 0, otherViolations: 0, unknown: 0 };
  for (const operation of operations) {
    const history = toHistory(operation);
    const problems = findViolations(history);
    const isAppliedTwice = history.applied > 1;
    const isLost = history.applied === 0 && history.responses.some(({ outcome }) => isSuccess(outcome));
    const isFailedButApplied = history.responses.some(({ applied }) => applied > 0);
    counts.applied += Math.min(history.applied, 1);
    counts.appliedTwice += Number(isAppliedTwice);
    counts.lost += Number(isLost);
    counts.failedButApplied += Number(isFailedButApplied);
    counts.otherViolations += Number(problems.length > 0 && !isAppliedTwice && !isLost && !isFailedButApplied);
    counts.unknown += Number(
      !history.responses.some(({ outcome }) => isSuccess(outcome)) &&
        operation.outcomes.some((response) => response === null || isUncertain(response.outcome)),
    );
    if (problems.length > 0 && examples.length < MAX_EXAMPLES) {
      const received = operation.outcomes.map((response) => response?.outcome ?? 'no response').join(', ');
      examples.push(
        `${operation.effect.name} (${operation.prepared.idempotencyKey ?? 'no key'}): ${problems.join(' ')} Responses: ${received}.`,
      );
    }
  }
  return { intended: operations.length, ...counts, examples };
}

/** Number of responses with data of another workspace: a marker or a record ID. */
export function countLeaks(load: Load, workspaces: readonly Workspace[], store: Store): number {
  const ownerById = new Map<string, string>();
  const tables = store.all<{ name: string }>(
    `SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) w ON w.name = 'workspace_id'
     JOIN pragma_table_info(m.name) i ON i.name = 'id' WHERE m.type = 'table'`,
  );
  for (const { name } of tables) {
    for (const { id, workspace_id } of store.all<{ id: string; workspace_id: string }>(`SELECT id, workspace_id FROM ${name}`))
      ownerById.set(id, workspace_id);
  }
  const foreign = workspaces.flatMap(({ testWorkspace, seenIds }) =>
    [...seenIds].filter((id) => ownerById.has(id) && ownerById.get(id) !== ownerById.get(testWorkspace.customerId)),
  );
  return load.leakedResponses + foreign.length;
}
