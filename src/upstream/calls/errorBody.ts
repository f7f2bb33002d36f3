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

/** Whether JSON is an error body, with a code or a message. */
export function isErrorBody(json: unknown): boolean {
  const { code, message } = parseErrorBody(json);
  return code !== null || message !== null;
}

/** Returns the HTTP status of an error code. Undefined for unknown codes. */
export const findStatus = (code: string | null): number | undefined =>
  code !== null && Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;

/** Returns the code of an error body. Null if it's missing or unknown. */
export function findKnownCode(json: unknown): string | null {
  const { code } = parseErrorBody(json);
  return findStatus(code) === undefined ? null : code;
}

/** Patterns for the IP address of the caller. They don't match other addresses, such as those for deliveries. */
const CALLER_ADDRESS = [
  // Only networks have CIDR ranges.
  /\bCIDRs?\b/i,
  // An IP address, in various phrasings.
  /\bIP(v[46])?[ -]?(address(es)?|ranges?|allow-?list|white-?list|restrictions?)\b/i,
  /\b(this|your|client|caller|source|remote|request)('s)? IP\b/i,
  /\bIP (\d+\.\d+\.\d+\.\d+|[\da-f]*:[\da-f:]+)/i,
  /\bIP (is |was |may |can ?)?not (be )?(allowed|permitted|accepted)\b/i,
  // A key used from an address. Without the word "key", the text could be about the address that goods are shipped from.
  /\bkey (may|can|must|is|was|does|cannot|can't|isn't)\b[^.]*\bfrom (this|that|your|the (client|caller|source|remote|request)('s)?) (address|network|host)\b/i,
];

/**
 * Whether an error message says that the key can't be used from the caller's IP address, which is that of the graph. Heuristic: the upstream documents that
 * keys can be bound to IP addresses, and the status 403, but neither the message nor the code.
 */
export const isIpRestriction = (message: string | null): boolean => message !== null && CALLER_ADDRESS.some((words) => words.test(message));
