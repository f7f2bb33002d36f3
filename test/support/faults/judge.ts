/** Everything known about one intended operation after all of its calls have ended. */
export interface Known {
  readonly told: readonly {
    readonly outcome: string;
    readonly made: string | null;
    /** How often this request applied it. */
    readonly caused: number;
  }[];
  /** How often it was applied, from the upstream's database. */
  readonly done: number;
  readonly ledger: string | null;
}

const SUCCESSES = new Set(['done', 'replayed', 'reconciled', 'unchanged']);

export const isSuccess = (outcome: string): boolean => SUCCESSES.has(outcome);

/** Whether the write may have been applied despite this outcome. */
export const isOpen = (outcome: string): boolean => outcome.startsWith('OUTCOME_UNKNOWN') || outcome.startsWith('OPERATION_IN_PROGRESS');

/** Violated guarantees of an operation, or none. The guarantees are the same for every effect and every fault. */
export function verdict({ told, done, ledger }: Known): string[] {
  const successes = told.filter(({ outcome }) => isSuccess(outcome));
  const failures = told.filter(({ outcome }) => !isSuccess(outcome) && !isOpen(outcome));
  const made = new Set(successes.map((success) => success.made));
  return [
    ...(done > 1 ? [`It was done ${done} times.`] : []),
    ...(successes.length > 0 && done === 0 ? ['A caller was told that it was done, and it was not.'] : []),
    ...failures.filter(({ caused }) => caused > 0).map(({ outcome }) => `A caller was told ${outcome}, and it was done.`),
    ...(ledger === 'SUCCEEDED' && done === 0 ? ['The ledger says that it succeeded, and it was not done.'] : []),
    ...(ledger === 'FAILED' && done > 0 ? ['The ledger says that it failed, and it was done.'] : []),
    ...(made.size > 1 ? [`Callers were told of different records: ${[...made].join(', ')}.`] : []),
  ];
}
