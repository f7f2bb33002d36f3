import { isRead } from '../contract/operation.ts';
import type { RequestCall, Send } from './call.ts';

/** Error of a write in a rehearsal. Never returned to a client. */
export const REHEARSED = new Error('The write wasn’t sent, because this is a rehearsal.');

/** Rejects the writes of a rehearsal with `REHEARSED` after they have passed all checks. */
export const rehearse =
  (next: Send<RequestCall>): Send<RequestCall> =>
  (call) =>
    !isRead(call.operation) && call.origin.rehearses(call.operation) ? Promise.reject(REHEARSED) : next(call);
