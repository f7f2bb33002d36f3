import type { CallResult } from './sandbox.ts';

/** The fields of an error that tests compare. */
export const summarizeError = ({ status, body }: CallResult) => ({ status, code: body.code });

export const BLOCKED = { status: 409, code: 'failed_precondition' };
export const REUSED = { status: 409, code: 'already_exists' };
export const MISSING = { status: 404, code: 'not_found' };
export const INVALID = { status: 400, code: 'invalid_argument' };
export const FORBIDDEN = { status: 403, code: 'permission_denied' };
export const UNAUTHENTICATED = { status: 401, code: 'unauthenticated' };
