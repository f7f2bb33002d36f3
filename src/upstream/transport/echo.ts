import { randomBytes } from 'node:crypto';
import type { UpstreamResponse } from './transport.ts';

/** The header by which both logs can be searched, and which some upstreams answer with. */
export const REQUEST_ID = 'x-request-id';

/** Answers in a row with the id of their call, after which an upstream counts as one that echoes. Ours. */
const PROOF = 20;
/** Digits of a call's number: as many for all, so that no number is the beginning of another one. In base 36 they last for 2 * 10^12 calls. */
const DIGITS = 8;

/**
 * Tells answers apart by the ids of their calls. An upstream that answers a call twice puts its connection one answer behind: whoever asks next over it gets
 * what another one asked for. Nothing obliges an upstream to echo an id, so one that writes its own is believed.
 */
export class EchoCheck {
  /** Stands in each id of this process, and in no other. */
  readonly #mark = randomBytes(6).toString('hex');
  #calls = 0;
  #inARow = 0;

  /** Suffix that tells the next call apart from all others. */
  nextCall(): string {
    this.#calls += 1;
    return this.#mark + this.#calls.toString(36).padStart(DIGITS, '0');
  }

  /** Whether an answer to a call is certainly the answer to another one. */
  isOfAnother(call: string, headers: UpstreamResponse['headers']): boolean {
    const echoed = headers[REQUEST_ID];
    const id = Array.isArray(echoed) ? echoed.join() : echoed;
    if (id?.includes(call)) {
      this.#inARow += 1;
      return false;
    }
    // Something before the upstream may have answered: a proxy's own failure has no id.
    if (this.#inARow >= PROOF) return id !== undefined;
    this.#inARow = 0;
    return id?.includes(this.#mark) ?? false;
  }
}
