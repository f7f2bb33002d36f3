export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Codes of error bodies that may be told. Anything else in their place could be a value. */
const CODES = new Set(
  'invalid_argument out_of_range unauthenticated permission_denied not_found already_exists aborted failed_precondition resource_exhausted unimplemented canceled deadline_exceeded unavailable internal unknown data_loss'.split(
    ' ',
  ),
);

/** The code of an error body, where it is one of those that are known. */
export function codeOf(body: unknown): string | null {
  if (!isObject(body)) return null;
  const { code } = isObject(body.error) ? body.error : body;
  return typeof code === 'string' && CODES.has(code.toLowerCase()) ? code.toLowerCase() : null;
}
