import type { AnyOperation } from '../contract/operation.ts';
import type { CallEnd } from './breakers.ts';

/** Headers with which the upstream can continue a trace. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** Records a call in a trace. */
export interface CallTrace {
  /** Called when an attempt is about to be sent. Returns the headers to send. */
  begin(): TraceHeaders;
  /** Called when an attempt has ended. `end` is null if it was abandoned. */
  end(end: CallEnd): void;
  /** Called when an attempt isn't sent. */
  onUnsent(reason: unknown): void;
  /** Called when the call waits for an identical one in flight. Returns a function that ends the wait. */
  join(inFlight: CallTrace | null): (() => void) | undefined;
}

/** Records the end of an operation in its trace. */
export interface OperationTrace {
  end(outcome: string, savedCalls: number): void;
}

/** Records the work of a session in the trace of its request. Only exists if traces are exported. */
export interface SessionTrace {
  /** Called when the session starts to execute this GraphQL operation. Everything that follows belongs to it. `document` is the document's ID or hash. */
  startOperation(type: string, name: string | undefined, document: string): OperationTrace;
  createCallTrace(operation: AnyOperation): CallTrace;
  /** Called when pages of a list replace several calls. Returns a function that ends the span and expects the number of replaced calls. */
  startCoveredRead(list: string): ((answered: number) => void) | undefined;
}
