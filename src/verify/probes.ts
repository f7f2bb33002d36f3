import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Caller } from './caller.ts';
import type { Evidence } from './evidence.ts';
import type { DriftKind, Fact, Finding, Settled } from './finding.ts';
import type { Json } from './json.ts';
import type { Course } from './walk.ts';

/** What probes write down. Of one coordinate a kind of drift is told once, however many calls show it. */
export class Notes {
  readonly #drifts = new Map<string, Finding>();
  readonly facts: Fact[] = [];
  readonly settled: Settled[] = [];
  /** Sizes of pages, by operation, where they are smaller than the contract says. */
  readonly caps = new Map<string, number>();
  /** Lists that do not look at the size which is asked for. */
  readonly unsized = new Set<string>();
  /** Lists that return their rows in another order on each read. */
  readonly unordered = new Set<string>();
  /** Lists whose rows were compared with the record that a get returns. */
  readonly compared = new Set<string>();
  /** Operations whose cover shows summaries. */
  readonly uncovered = new Set<string>();

  drift(coordinate: string, kind: DriftKind, detail: string): void {
    const key = `${coordinate} ${kind}`;
    if (!this.#drifts.has(key)) this.#drifts.set(key, { coordinate, verdict: 'DRIFT', kind, detail, count: 1 });
  }

  /** Reports a list whose order changes between identical reads. */
  unstable(list: string): void {
    this.unordered.add(list);
    this.drift(list, 'ORDER', 'identical requests return the rows in a different order');
  }

  fact(subject: string, result: string): void {
    this.facts.push({ subject, result });
  }

  settle(kind: string, of: string, isRight: boolean): void {
    if (!this.settled.some((each) => each.kind === kind && each.of === of)) this.settled.push({ kind, of, isRight });
  }

  get drifts(): readonly Finding[] {
    return [...this.#drifts.values()];
  }
}

/** A probe has all that the walk found, and may ask further. */
export interface ProbeContext {
  readonly caller: Caller;
  readonly evidence: Evidence;
  readonly notes: Notes;
  readonly courses: readonly Course[];
}

/** Id that no record has: a random UUID, so that no two runs share it. */
export const madeUpId = (): string => crypto.randomUUID();

/** What two rows are compared by: their id, or all that they hold. */
export function identityOf(operation: AnyOperation, row: Json): string {
  const record = operation.response.fields[operation.page?.items ?? '']?.message;
  const key = record && Object.entries(record.fields).find(([, { refers }]) => refers !== undefined && refers === record.entity)?.[0];
  return key !== undefined && typeof row[key] === 'string' ? String(row[key]) : JSON.stringify(row);
}
