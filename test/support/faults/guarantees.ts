/** Everything known about one intended operation after all of its calls have ended. */
export interface OperationHistory {
  readonly responses: readonly {
    readonly outcome: string;
    readonly recordId: string | null;
    /** How often this request applied it. */
    readonly applied: number;
  }[];
  /** How often it was applied, from the upstream's database. */
  readonly applied: number;
  readonly ledgerState: string | null;
}

const SUCCESSES = new Set(['done', 'replayed', 'reconciled', 'unchanged']);

export const isSuccess = (outcome: string): boolean => SUCCESSES.has(outcome);

/** Whether the write may have been applied despite this outcome. */
export const isUncertain = (outcome: string): boolean =>
  outcome.startsWith('OUTCOME_UNKNOWN') || outcome.startsWith('OPERATION_IN_PROGRESS');

/** Violated guarantees of an operation, or none. The guarantees are the same for every effect and every fault. */
export function findViolations({ responses, applied, ledgerState }: OperationHistory): string[] {
  const successes = responses.filter(({ outcome }) => isSuccess(outcome));
  const failures = responses.filter(({ outcome }) => !isSuccess(outcome) && !isUncertain(outcome));
  const recordIds = new Set(successes.map((success) => success.recordId));
  return [
    ...(applied > 1 ? [`Applied ${applied} times.`] : []),
    ...(successes.length > 0 && applied === 0 ? ['Reported success, but it wasn’t applied.'] : []),
    ...failures.filter(({ applied }) => applied > 0).map(({ outcome }) => `Reported ${outcome}, but it was applied.`),
    ...(ledgerState === 'SUCCEEDED' && applied === 0 ? ['The ledger has SUCCEEDED, but it wasn’t applied.'] : []),
    ...(ledgerState === 'FAILED' && applied > 0 ? ['The ledger has FAILED, but it was applied.'] : []),
    ...(recordIds.size > 1 ? [`Returned different records: ${[...recordIds].join(', ')}.`] : []),
  ];
}
