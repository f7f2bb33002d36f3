import type { Store } from '../../sandbox/kernel/store.ts';
import { findViolations, isSuccess, isUncertain, type OperationHistory } from '../../test/support/faults/guarantees.ts';
import type { Deed, Load, Workspace } from './load.ts';

/** Totals over all acts of the run. */
export interface Totals {
  readonly asked: number;
  readonly done: number;
  readonly doubled: number;
  /** A caller was told that it was done, and it was not. */
  readonly lost: number;
  /** All callers were told that it was not done, and it was. */
  readonly failedButDone: number;
  /** Acts that broke any other promise. */
  readonly otherwiseWrong: number;
  /** Nobody knows, but the data. */
  readonly unknown: number;
  /** Of the worst acts, what is wrong with them. */
  readonly examples: readonly string[];
}

/** How many acts that went wrong are shown. */
const EXAMPLES = 10;

/** An act, as the judge wants it: whose request it was done for is not known, so that it counts only when all of them failed. */
function knownOf({ act, told, ledger }: Deed): OperationHistory {
  const done = act.countApplied();
  const hasFailed = told.every((answer) => answer !== null && !isSuccess(answer.outcome) && !isUncertain(answer.outcome));
  const answers = told.filter((answer) => answer !== null);
  return { responses: answers.map((answer) => ({ ...answer, applied: hasFailed ? done : 0 })), applied: done, ledgerState: ledger };
}

/** How often callers were told what, most often first. */
export function tally(deeds: readonly Deed[]): string {
  const counts = new Map<string, number>();
  for (const answer of deeds.flatMap(({ told }) => told)) {
    const outcome = answer?.outcome ?? 'no response';
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(', ');
}

export function judge(deeds: readonly Deed[]): Totals {
  const examples: string[] = [];
  const counts = { done: 0, doubled: 0, lost: 0, failedButDone: 0, otherwiseWrong: 0, unknown: 0 };
  for (const deed of deeds) {
    const known = knownOf(deed);
    const problems = findViolations(known);
    const isDoubled = known.applied > 1;
    const isLost = known.applied === 0 && known.responses.some(({ outcome }) => isSuccess(outcome));
    const isFailedButDone = known.responses.some(({ applied }) => applied > 0);
    counts.done += Math.min(known.applied, 1);
    counts.doubled += Number(isDoubled);
    counts.lost += Number(isLost);
    counts.failedButDone += Number(isFailedButDone);
    counts.otherwiseWrong += Number(problems.length > 0 && !isDoubled && !isLost && !isFailedButDone);
    counts.unknown += Number(
      !known.responses.some(({ outcome }) => isSuccess(outcome)) &&
        deed.told.some((answer) => answer === null || isUncertain(answer.outcome)),
    );
    if (problems.length > 0 && examples.length < EXAMPLES) {
      const told = deed.told.map((answer) => answer?.outcome ?? 'no response').join(', ');
      examples.push(`${deed.effect.name} (${deed.act.idempotencyKey ?? 'no key'}): ${problems.join(' ')} Responses: ${told}.`);
    }
  }
  return { asked: deeds.length, ...counts, examples };
}

/** How often an answer held what is not its caller's: a mark, or the id of a record of another workspace. */
export function wrongCallers(load: Load, workspaces: readonly Workspace[], store: Store): number {
  const ownerOf = new Map<string, string>();
  const tables = store.all<{ name: string }>(
    `SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) w ON w.name = 'workspace_id'
     JOIN pragma_table_info(m.name) i ON i.name = 'id' WHERE m.type = 'table'`,
  );
  for (const { name } of tables) {
    for (const { id, workspace_id } of store.all<{ id: string; workspace_id: string }>(`SELECT id, workspace_id FROM ${name}`))
      ownerOf.set(id, workspace_id);
  }
  const foreign = workspaces.flatMap(({ stage, seenIds }) =>
    [...seenIds].filter((id) => ownerOf.has(id) && ownerOf.get(id) !== ownerOf.get(stage.customerId)),
  );
  return load.wrongCaller + foreign.length;
}
