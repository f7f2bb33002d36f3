import type { AnyOperation } from '../contract/operation.ts';
import type { TransportError } from '../transport/transport.ts';
import { type AttemptOutcome, classifyFailure, classifyStatus, type UnsentReason } from './callMeter.ts';

/** A failure that the upstream or the connection to it caused, rather than the client. */
export interface CallFailure {
  /** Name of the upstream operation. */
  readonly operation: string;
  /** The outcome of the attempt, or why it wasn't sent. `invalid`: the response has a success status, but can't be used. */
  readonly failure: AttemptOutcome | UnsentReason | 'invalid';
  /** Status of the response. Undefined if no response arrived. */
  readonly status?: number;
  /** Why a sent attempt has no response. */
  readonly error?: TransportError;
}

/** Called for each attempt that fails because of the upstream, and for each that isn't sent because of it. */
export type OnFailure = (failure: CallFailure) => void;

export const createLostFailure = ({ name }: AnyOperation, error: TransportError): CallFailure => ({
  operation: name,
  failure: classifyFailure(error),
  error,
});

export function createResponseFailure({ name }: AnyOperation, status: number): CallFailure {
  const outcome = classifyStatus(status);
  return { operation: name, failure: outcome === 'ok' ? 'invalid' : outcome, status };
}
