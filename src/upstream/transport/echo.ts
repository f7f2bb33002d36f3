import { randomBytes } from 'node:crypto';
import type { UpstreamResponse } from './transport.ts';

/** Header that correlates the logs of both sides. Some upstreams echo it. */
export const REQUEST_ID = 'x-request-id';

/** Number of consecutive responses with the ID of their call after which the upstream is known to echo IDs. Chosen. */
const MIN_CONSECUTIVE_MATCHES = 20;
/** Digits of a call's number. Fixed, so that no number is a prefix of another. In base 36, they suffice for 2 * 10^12 calls. */
const DIGITS = 8;

/**
 * Detects responses that belong to another call, by the call ID that they echo. An upstream that responds twice to a call shifts all later responses on its
 * connection by one, so clients get the responses of others. An upstream doesn't have to echo IDs, so one that sends its own IDs is trusted.
 */
export class EchoCheck {
  /** Part of each ID of this process, and of no other process. */
  readonly #processId = randomBytes(6).toString('hex');
  #calls = 0;
  #consecutiveMatches = 0;

  /** Returns a suffix that identifies the next call. */
  createCallId(): string {
    this.#calls += 1;
    return this.#processId + this.#calls.toString(36).padStart(DIGITS, '0');
  }

  /** Whether a response certainly belongs to another call. */
  isMismatched(call: string, headers: UpstreamResponse['headers']): boolean {
    const echoed = headers[REQUEST_ID];
    const id = Array.isArray(echoed) ? echoed.join() : echoed;
    if (id?.includes(call)) {
      this.#consecutiveMatches += 1;
      return false;
    }
    // Something in front of the upstream may have responded: a proxy's own error has no ID.
    if (this.#consecutiveMatches >= MIN_CONSECUTIVE_MATCHES) return id !== undefined;
    this.#consecutiveMatches = 0;
    return id?.includes(this.#processId) ?? false;
  }
}
