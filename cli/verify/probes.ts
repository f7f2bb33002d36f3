import type { JsonObject } from '../../src/lib/json.ts';
import type { IndexOverlay } from '../../src/upstream/contract/indexOverlay.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import type { SortDirectionSupport } from '../../src/upstream/contract/overlay.ts';
import type { Caller, UnreachedReason } from './caller.ts';
import type { Evidence } from './evidence.ts';
import type { CheckedAssumption, DriftKind, Fact, Finding } from './finding.ts';
import type { OperationRun } from './walk.ts';

/** Findings of the probes. Each kind of drift is reported once per coordinate. */
export class ProbeFindings {
  readonly #drifts = new Map<string, Finding>();
  readonly facts: Fact[] = [];
  readonly settled: CheckedAssumption[] = [];
  /** Maximum page sizes that are smaller than in the contract, by operation. */
  readonly caps = new Map<string, number>();
  /** Lists that ignore the requested page size. */
  readonly unsized = new Set<string>();
  /** Lists that return their rows in another order on each read. */
  readonly unordered = new Set<string>();
  /** Lists whose rows were compared with the record that a get returns. */
  readonly compared = new Set<string>();
  /** Operations without a list that returns complete records. */
  readonly uncovered = new Set<string>();
  /** Corrections of indexes, by the contract's name of the root. */
  readonly indexes = new Map<string, IndexOverlay | null>();
  /** Correction of how analytics queries are sorted. */
  sortDirection: SortDirectionSupport | null = null;
  /** Results of coordinates that aren't fields of messages, by coordinate. */
  readonly #others = new Map<string, Finding>();

  addDrift(coordinate: string, kind: DriftKind, detail: string): void {
    const key = `${coordinate} ${kind}`;
    if (!this.#drifts.has(key)) this.#drifts.set(key, { coordinate, verdict: 'DRIFT', kind, detail, count: 1 });
  }

  /** Reports a list whose order changes between identical reads. */
  addUnstableOrder(list: string): void {
    this.unordered.add(list);
    this.addDrift(list, 'ORDER', 'identical requests return the rows in a different order');
  }

  addConfirmed(coordinate: string): void {
    this.#others.set(coordinate, { coordinate, verdict: 'CONFIRMED', count: 1 });
  }

  addUnreached(coordinate: string, reason: UnreachedReason): void {
    this.#others.set(coordinate, { coordinate, verdict: 'UNREACHED', reason });
  }

  addFact(subject: string, result: string): void {
    this.facts.push({ subject, result });
  }

  addAssumption(kind: string, of: string, isRight: boolean): void {
    if (!this.settled.some((each) => each.kind === kind && each.of === of)) this.settled.push({ kind, of, isRight });
  }

  get drifts(): readonly Finding[] {
    return [...this.#drifts.values()];
  }

  /** Coordinates that aren't fields of messages, and didn't drift. */
  get others(): readonly Finding[] {
    const drifting = new Set(this.drifts.map(({ coordinate }) => coordinate));
    return [...this.#others.values()].filter(({ coordinate }) => !drifting.has(coordinate));
  }
}

/** Input of a probe: the results of the walk, and a caller for more reads. */
export interface ProbeContext {
  readonly caller: Caller;
  readonly evidence: Evidence;
  readonly findings: ProbeFindings;
  readonly runs: readonly OperationRun[];
}

/** Creates an ID that no record has: a random UUID. */
export const createUnknownId = (): string => crypto.randomUUID();

/** Identity of a row for comparisons: its ID, or its content if it has none. */
export function getRowIdentity(operation: AnyOperation, row: JsonObject): string {
  const record = operation.response.fields[operation.page?.items ?? '']?.message;
  const key = record && Object.entries(record.fields).find(([, { refers }]) => refers !== undefined && refers === record.entity)?.[0];
  return key !== undefined && typeof row[key] === 'string' ? String(row[key]) : JSON.stringify(row);
}
