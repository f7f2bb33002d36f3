import { getGraphTime } from './graphTime.ts';

/**
 * One intended mutation with one idempotency key. Send it again, with the same input, for as long as its outcome is open: the graph applies it once, and rejects
 * it when it's too old to know. The object identifies the intent, so pass the same one to every attempt.
 */
export interface Intent {
  /** A key that `createIntent` created. It contains when. */
  readonly key: string;
}

/** Random hexadecimal digits, for pages without HTTPS, where `randomUUID` doesn’t exist. */
const createRandomId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Creates an intent with a unique key. */
export const createIntent = (): Intent => ({ key: `created:${getGraphTime()}:${crypto.randomUUID?.() ?? createRandomId()}` });

/** The key of an intent doesn’t contain when it was created, so it may be older than the graph remembers. Nothing was sent. */
export class IntentExpiredError extends Error {
  override readonly name = 'IntentExpiredError';
  /** As in a response of the graph, for `getGraphErrors`. */
  readonly errors: readonly object[];

  constructor() {
    const message =
      'The intent may be older than the graph remembers, so it wasn’t sent. Check the record, and create another intent if the mutation wasn’t applied.';
    super(message);
    this.errors = [{ message, extensions: { code: 'IDEMPOTENCY_KEY_EXPIRED', retry: 'CHECK_FIRST' } }];
  }
}

/** Throws IntentExpiredError for a stored intent of an earlier version of this package, whose age isn’t known. */
export function checkAge({ key }: Intent): void {
  if (!/^created:\d+:/.test(key)) throw new IntentExpiredError();
}

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
