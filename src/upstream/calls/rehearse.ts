import { ValidationError } from '../../failures/failures.ts';
import { isRead } from '../contract/operation.ts';
import { findBrokenRules } from '../contract/rules.ts';
import type { RequestCall, Send } from './call.ts';

/** Error of a write in a rehearsal. Never returned to a client. */
export const REHEARSED = new Error('The write wasn’t sent, because this is a rehearsal.');

/**
 * Rejects the writes of a rehearsal with `REHEARSED` after they have passed all checks. These include the assumed rules of the contract, which `authorize`
 * leaves to the upstream: a plan that it would reject must not be confirmed.
 */
export const rehearse =
  (next: Send<RequestCall>): Send<RequestCall> =>
  (call) => {
    const { operation, origin, request } = call;
    if (isRead(operation) || !origin.rehearses(operation)) return next(call);
    const issues = findBrokenRules(request, operation.rules);
    return Promise.reject(issues.length > 0 ? new ValidationError(issues) : REHEARSED);
  };
