/**
 * One intended mutation with one idempotency key. Send it again, with the same input, for as long as its outcome is open: the graph applies it once. The object
 * identifies the intent, so pass the same one to every attempt.
 */
export interface Intent {
  readonly key: string;
}

/** Random hexadecimal digits, for pages without HTTPS, where `randomUUID` doesn’t exist. */
const createRandomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Creates an intent with a random key. */
export const createIntent = (): Intent => ({ key: crypto.randomUUID?.() ?? createRandomKey() });

/** An intent was sent before, for another operation or with other variables. Nothing was sent. */
export class IntentReusedError extends Error {
  override readonly name = 'IntentReusedError';
}

interface Use {
  /** What the intent was first sent with. */
  readonly request: string;
  inFlight?: Promise<unknown> | undefined;
}

const uses = new WeakMap<Intent, Use>();

/** Sorts the members of an object, so that equal objects have equal JSON. */
const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** JSON in which the order of members doesn’t matter. */
export const toStableJson = (value: unknown): string => JSON.stringify(value, sortMembers);

/** Sends a request of an intent. If the same request is in flight, returns its response instead. Throws IntentReusedError for another request. */
export function sendOnce<Response>(intent: Intent, request: string, send: () => Promise<Response>): Promise<Response> {
  const use: Use = uses.get(intent) ?? { request };
  if (use.request !== request)
    throw new IntentReusedError('The intent was already sent with other variables. Create another one for each intended mutation.');
  uses.set(intent, use);
  use.inFlight ??= send().finally(() => {
    use.inFlight = undefined;
  });
  // The request is part of the intent, so its response has the same type.
  return use.inFlight as Promise<Response>;
}
