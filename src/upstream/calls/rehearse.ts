import { isRead } from '../contract/operation.ts';
import type { RequestCall, Send } from './call.ts';

/** Ends a write that was only rehearsed. It's never shown to a client. */
export const REHEARSED = new Error('The write wasn’t sent, because this is a rehearsal.');

/** Ends the writes of a rehearsal, once they have passed all checks. */
export const rehearse =
  (next: Send<RequestCall>): Send<RequestCall> =>
  (call) =>
    !isRead(call.operation) && call.origin.rehearses(call.operation) ? Promise.reject(REHEARSED) : next(call);
