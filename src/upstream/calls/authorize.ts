import { ABANDONED, ValidationError } from '../../failures/failures.ts';
import type { Grants } from '../access/grants.ts';
import { getRequiredScopes } from '../access/scopes.ts';
import { findBrokenRules, getDocumentedRules } from '../contract/rules.ts';
import type { RequestCall, Send } from './call.ts';

function recordAuthorization(call: RequestCall, { scopes }: Grants): RequestCall {
  call.requiredScopes = getRequiredScopes(call.operation, call.request);
  call.grantedScopes = scopes;
  // Excludes the time spent on looking up the scopes.
  call.startedAt = Date.now();
  call.trace = call.origin.trace?.createCallTrace(call.operation) ?? null;
  return call;
}

/** Rejects requests that break a rule of the contract, or for which the key lacks a scope. Calls the next step in the same tick if the scopes are known. */
export const authorize =
  (next: Send<RequestCall>): Send<RequestCall> =>
  (call) => {
    const { operation, request, origin } = call;
    try {
      if (call.requester.isDisconnected) throw ABANDONED;
      const issues = findBrokenRules(request, getDocumentedRules(operation.request));
      if (issues.length > 0) throw new ValidationError(issues);
      const grants = origin.authorize(operation, request);
      return grants instanceof Promise
        ? grants.then((found) => next(recordAuthorization(call, found)))
        : next(recordAuthorization(call, grants));
    } catch (error) {
      return Promise.reject(error);
    }
  };
