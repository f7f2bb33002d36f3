import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Recipient of an answer: an HTTP response, or several that wait for the same answer. */
export interface Recipient {
  readonly closed: boolean;
  /** Whether the answer was sent to its end. */
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Responses that wait for the same answer, as a recipient that closes when the last of them has. */
class Recipients implements Recipient {
  #waiting = 0;
  #hasAny = false;
  readonly #onClose: (() => void)[] = [];
  /** Whether there is an answer: a response that closes then has been sent it. */
  writableFinished = false;

  get closed(): boolean {
    return this.#hasAny && this.#waiting === 0;
  }

  once(_event: 'close', listener: () => void): void {
    this.#onClose.push(listener);
  }

  join(response: ServerResponse): void {
    this.#hasAny = true;
    // The caller has left while the body was read.
    if (response.closed) return;
    this.#waiting += 1;
    response.once('close', () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) for (const listener of this.#onClose) listener();
    });
  }
}

interface QueryUnderWay<Answer> {
  readonly recipients: Recipients;
  readonly answer: Promise<Answer>;
}

/**
 * Queries that are asked several times at once, by one key and word for word, are executed once. A query that comes after a change has begun
 * or ended never gets an answer from before it.
 */
export class SharedDocuments<Answer> {
  readonly #underWay = new Map<string, QueryUnderWay<Answer>>();
  readonly #onJoin: (() => void) | undefined;

  /** `onJoin` is told of each request that a query under way answers. */
  constructor(onJoin?: () => void) {
    this.#onJoin = onJoin;
  }

  /** Answers a request, by `execute` or by a query under way. `body` is all that the caller asks. */
  answer(
    apiKey: string | null,
    body: Buffer,
    response: ServerResponse,
    execute: (recipient: Recipient) => Promise<Answer>,
  ): Promise<Answer> {
    const id = `${apiKey === null ? '' : hash('sha256', apiKey)} ${hash('sha256', body)}`;
    const known = this.#underWay.get(id);
    if (known) {
      known.recipients.join(response);
      this.#onJoin?.();
      return known.answer;
    }
    const recipients = new Recipients();
    const forget = () => this.#underWay.get(id)?.recipients === recipients && this.#underWay.delete(id);
    // A query that all have left is given up, and cannot be joined any more.
    recipients.once('close', forget);
    recipients.join(response);
    const answer = this.#execute(recipients, execute, forget);
    if (!recipients.closed) this.#underWay.set(id, { recipients, answer });
    return answer;
  }

  /** A change begins or has ended: queries from here on are not answered by those before it. */
  onChange(): void {
    this.#underWay.clear();
  }

  async #execute(recipients: Recipients, execute: (recipient: Recipient) => Promise<Answer>, forget: () => void): Promise<Answer> {
    try {
      return await execute(recipients);
    } finally {
      recipients.writableFinished = true;
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
