import type { AnyOperation } from '../contract/operation.ts';
import type { CallEnd } from './breakers.ts';

/** Headers by which the upstream can continue a trace. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** Recorder of a call in a trace. */
export interface CallTrace {
  /** An attempt goes now: answers the headers that it is sent with. */
  begin(): TraceHeaders;
  /** The attempt has ended; `end` is null for one that was given up. */
  end(end: CallEnd): void;
  /** No attempt was sent, for this reason. */
  notSent(reason: unknown): void;
  /** The call waits for another one that asks the same. Answers what ends the wait. */
  join(underWay: CallTrace | null): (() => void) | undefined;
}

/** End of an operation, for its trace. */
export interface OperationTrace {
  end(outcome: string, savedCalls: number): void;
}

/** Recorder of what a session does in the trace of its request. There is none unless traces are exported. */
export interface SessionTrace {
  /** The session serves this GraphQL operation from now on: all that follows belongs to it. */
  operation(type: string, name: string | undefined, documentId: string | null): OperationTrace;
  call(operation: AnyOperation): CallTrace;
  /** Pages of a list are read in place of several calls. Answers what ends it, told how many calls they have answered. */
  cover(list: string): ((answered: number) => void) | undefined;
}
