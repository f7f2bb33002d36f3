/** The sandbox's error codes with their HTTP statuses. The upstream documents 400, 401, 403 and 429. The other statuses are chosen. */
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

/** Expected error of a call. The call's transaction is rolled back, and the client gets the code and the message. */
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

/** A value violates a rule of the operation. */
export const invalidArgument = (message: string) => new SandboxError('invalid_argument', message);

/** The record doesn't exist, or is reported as missing because the caller can't see it. */
export const notFound = (what: string, id: string) =>
  new SandboxError('not_found', `${what.charAt(0).toUpperCase()}${what.slice(1)} ${id} not found.`);

/** The record exists, but isn't visible to the caller. */
export const permissionDenied = (what: string, id: string) =>
  new SandboxError('permission_denied', `The key’s member doesn’t have access to ${what} ${id}.`);

/** The status of the record doesn't allow the operation. */
export const failedPrecondition = (message: string) => new SandboxError('failed_precondition', message);

/** The record's version isn't the one that the caller expects. */
export const versionConflict = (expected: bigint, current: number) =>
  new SandboxError('aborted', `Version conflict: expected ${expected}, current version is ${current}.`);
