import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** One who waits for an answer: an HTTP response, or several that wait for the same. */
export interface Caller {
  readonly closed: boolean;
  /** Whether the answer was sent to its end. */
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** All who wait for one answer. It closes when the last of them has. */
class Crowd implements Caller {
  #waiting = 0;
  #hasAny = false;
  readonly #onClose: (() => void)[] = [];
  /** Whether there is an answer: who closes then, has it. */
  writableFinished = false;

  get closed(): boolean {
    return this.#hasAny && this.#waiting === 0;
  }

  once(_event: 'close', listener: () => void): void {
    this.#onClose.push(listener);
  }

  join(response: ServerResponse): void {
    this.#hasAny = true;
    // It has left while its body was read.
    if (response.closed) return;
    this.#waiting += 1;
    response.once('close', () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) for (const listener of this.#onClose) listener();
    });
  }
}

interface InFlight<Answer> {
  readonly crowd: Crowd;
  readonly answer: Promise<Answer>;
}

/**
 * Queries that are asked several times at once, by one key and word for word, are executed once. A query that comes after a change has begun
 * or ended never gets an answer from before it.
 */
export class SharedDocuments<Answer> {
  readonly #inFlight = new Map<string, InFlight<Answer>>();

  /** The answer to a request, by `execute`, or of one that is being executed. `body` is all that the caller asks. */
  answer(apiKey: string | null, body: Buffer, response: ServerResponse, execute: (caller: Caller) => Promise<Answer>): Promise<Answer> {
    const id = `${apiKey === null ? '' : hash('sha256', apiKey)} ${hash('sha256', body)}`;
    const known = this.#inFlight.get(id);
    if (known) {
      known.crowd.join(response);
      return known.answer;
    }
    const crowd = new Crowd();
    const forget = () => this.#inFlight.get(id)?.crowd === crowd && this.#inFlight.delete(id);
    // One that all have left is given up: nobody is to join it.
    crowd.once('close', forget);
    crowd.join(response);
    const answer = this.#execute(crowd, execute, forget);
    if (!crowd.closed) this.#inFlight.set(id, { crowd, answer });
    return answer;
  }

  /** A change begins or has ended: what is asked from here on is not to be answered by what was asked before. */
  onChange(): void {
    this.#inFlight.clear();
  }

  async #execute(crowd: Crowd, execute: (caller: Caller) => Promise<Answer>, forget: () => void): Promise<Answer> {
    try {
      return await execute(crowd);
    } finally {
      crowd.writableFinished = true;
      forget();
    }
  }
}

/** Tells of the changes that yoga executes. */
export const useSharedDocuments = (shared: SharedDocuments<unknown>): Plugin => ({
  onExecute({ args: { document, operationName } }) {
    if (getOperationAST(document, operationName)?.operation !== 'mutation') return;
    shared.onChange();
    return { onExecuteDone: () => shared.onChange() };
  },
});
