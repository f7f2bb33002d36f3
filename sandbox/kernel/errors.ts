/** The error codes of the sandbox, each with its HTTP status. The upstream documents 400, 401, 403 and 429; the others are our choice. */
const STATUS = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  aborted: 409,
  failed_precondition: 409,
  resource_exhausted: 429,
  unimplemented: 404,
  internal: 500,
  unavailable: 503,
  deadline_exceeded: 504,
} as const;

export type SandboxCode = keyof typeof STATUS;

/** A refusal: ends the call, whose transaction is rolled back. */
export class SandboxError extends Error {
  readonly code: SandboxCode;
  readonly status: number;

  constructor(code: SandboxCode, message: string) {
    super(message);
    this.name = 'SandboxError';
    this.code = code;
    this.status = STATUS[code];
  }
}

/** A value breaks a rule of the operation. */
export const invalid = (message: string) => new SandboxError('invalid_argument', message);

/** The record does not exist, or is told to be missing to whoever may not see it. */
export const notFound = (what: string, id: string) =>
  new SandboxError('not_found', `${what.charAt(0).toUpperCase()}${what.slice(1)} ${id} not found.`);

/** The record exists, and is not the caller's to see. */
export const denied = (what: string, id: string) =>
  new SandboxError('permission_denied', `The key’s member doesn’t have access to ${what} ${id}.`);

/** The record's state forbids the operation. */
export const blocked = (message: string) => new SandboxError('failed_precondition', message);

/** The record has another version than the caller expects. */
export const stale = (expected: bigint, current: number) =>
  new SandboxError('aborted', `Version conflict: expected ${expected}, current version is ${current}.`);
