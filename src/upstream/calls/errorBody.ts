/** HTTP status of each error code. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_argument: 400,
  out_of_range: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  aborted: 409,
  failed_precondition: 409,
  resource_exhausted: 429,
  unimplemented: 405,
  canceled: 499,
  deadline_exceeded: 504,
  unavailable: 503,
  internal: 500,
  unknown: 500,
  data_loss: 500,
};

interface ErrorBody {
  /** In lowercase. */
  readonly code: string | null;
  readonly message: string | null;
}

const isObjectOrArray = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the code and message of an error body. They can be in a member `error`. */
export function parseErrorBody(json: unknown): ErrorBody {
  if (!isObjectOrArray(json)) return { code: null, message: null };
  const inner = 'error' in json && isObjectOrArray(json.error) ? json.error : json;
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code.toLowerCase() : null;
  const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : null;
  return { code, message };
}

/** Returns the HTTP status of an error code. Undefined for unknown codes. */
export const findStatus = (code: string | null): number | undefined =>
  code !== null && Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;

/** Returns the code of an error body. Null if it's missing or unknown. */
export function findKnownCode(json: unknown): string | null {
  const { code } = parseErrorBody(json);
  return findStatus(code) === undefined ? null : code;
}
