import type { DocumentNode } from 'graphql';

/** How much more than last time an operation is taken to need. Ours. */
const MARGIN = 1.2;
/** How much of a higher share is left after an execution that needed less. Ours: it is forgotten over some dozen executions. */
const MEMORY = 0.9;

/**
 * Learns how many of the calls that an operation may take it really takes: its cost counts every record as another one, and most are met
 * twice. Kept for each document as long as the document itself is.
 */
export class CostShares {
  readonly #shares = new WeakMap<DocumentNode, Map<string, number>>();

  /** The upstream calls that an operation will take, at a guess; all of its cost when it has not been executed yet. */
  estimate(document: DocumentNode, operationName: string, cost: number): number {
    const share = this.#shares.get(document)?.get(operationName) ?? 1;
    return Math.min(cost, Math.ceil(cost * share * MARGIN) + 1);
  }

  /** An operation of this cost took so many calls. */
  learn(document: DocumentNode, operationName: string, cost: number, calls: number): void {
    const shares = this.#shares.get(document) ?? new Map<string, number>();
    this.#shares.set(document, shares.set(operationName, Math.max(calls / cost, MEMORY * (shares.get(operationName) ?? 0))));
  }
}
