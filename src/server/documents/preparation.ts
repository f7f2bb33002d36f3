import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { DocumentNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { ABANDONED } from '../../failures/failures.ts';
import type { BoundedCache } from '../../lib/boundedCache.ts';
import type { Upstream } from '../../upstream/client.ts';
import { SenderSequence } from '../../upstream/traffic/senders.ts';
import { BASE_WORK, TURN_WORK } from '../../upstream/traffic/turns.ts';
import type { CurrentRequest } from '../execution/currentRequest.ts';
import type { OperationPlans } from '../execution/plan.ts';
import type { RequestParams } from '../http/requestForm.ts';
import type { DocumentParser } from './documentParser.ts';

/** Characters of a document that take as long as a value of a response. Chosen: a turn has 2,500, which take 2 ms to parse, validate, and plan. */
const CHARACTERS_PER_VALUE = 10;
/** Maximum length of a document that is prepared in a single turn, in characters. Chosen: longer ones take more than 5 ms. */
const MAX_AT_ONCE = 5_000;

/** Bytes of a body that take as long to parse as a value of a response takes. Chosen: 128 kB of short values take 1 to 2 ms. */
const BODY_BYTES_PER_VALUE = 500;
/** Maximum size of a body that is parsed at once, in bytes. Chosen: 0.2 ms, and larger than those of most clients. */
const MAX_SMALL_BODY = 16_000;

/** Who sends a document. Its API key is unknown until its access token has been verified. */
type DocumentSender = Pick<CurrentRequest, 'credential'>;

/** Waits for a turn to do work. Returns false if the client has disconnected. */
type TakeTurn = (work?: number) => Promise<boolean>;

/**
 * Takes a turn for each step of a document. After a step, the process first works for others for as long as the step took. Otherwise, a sender that keeps sending
 * long documents uses all of it: alongside documents of 9,000 tokens, the p99 of a small query is five times that of an idle server instead of twice.
 */
function takeTurnsWithRests(takeTurn: TakeTurn): TakeTurn {
  let start: number | null = null;
  return async () => {
    if (start !== null) await wait(performance.now() - start);
    const isConnected = await takeTurn();
    start = performance.now();
    return isConnected;
  };
}

export interface PreparationOptions {
  readonly upstream: Pick<Upstream, 'getSender' | 'waitToWork'>;
  readonly parser: DocumentParser;
  /** Parsed documents of all handlers, by their text. */
  readonly documents: Pick<BoundedCache<DocumentNode>, 'get'>;
  readonly plans: OperationPlans;
}

/**
 * Parses, validates, and plans documents that haven't been executed before. Anyone can send them, and they take up to a hundred times as long as others, so each
 * takes turns of the event loop: one for a short document, and one for each step of a long one. A sender prepares one long document at a time. Requests without a key take a turn for every document, because nothing
 * else limits them.
 */
export class Preparation {
  readonly #options: PreparationOptions;
  readonly #sequence = new SenderSequence();

  constructor(options: PreparationOptions) {
    this.#options = options;
  }

  /** Waits for a turn to parse a body. Undefined if it's short, or if the work can start immediately. */
  waitForBody({ length }: string, { credential }: DocumentSender): Promise<void> | undefined {
    if (length <= MAX_SMALL_BODY) return undefined;
    const { upstream } = this.#options;
    return upstream.waitToWork(upstream.getSender(credential), BASE_WORK + length / BODY_BYTES_PER_VALUE);
  }

  /** A document that can be executed at once: it has been executed before, and the request has a key, with which its execution takes turns. */
  getReady(source: string, { credential }: DocumentSender): DocumentNode | undefined {
    return credential === null ? undefined : this.#getKnown(source);
  }

  /** A document that has been executed before. The cache also holds documents that were rejected, or validated against another schema. */
  #getKnown(source: string): DocumentNode | undefined {
    const { documents, plans } = this.#options;
    const known = documents.get(source);
    return known && plans.has(known) ? known : undefined;
  }

  /** Prepares a document in turns. Null if it's rejected, or if the client has disconnected. */
  prepare(source: string, operationName: unknown, { credential }: DocumentSender, response: ServerResponse): Promise<DocumentNode | null> {
    const { upstream } = this.#options;
    const sender = upstream.getSender(credential);
    /** Whether the client is still there. */
    const takeTurn: TakeTurn = async (work = TURN_WORK) => {
      await upstream.waitToWork(sender, work);
      return !response.destroyed;
    };
    if (source.length <= MAX_AT_ONCE) return this.#prepareAtOnce(source, takeTurn);
    return this.#sequence.run(sender, () => this.#prepareInSteps(source, operationName, takeTurnsWithRests(takeTurn)));
  }

  async #prepareAtOnce(source: string, takeTurn: TakeTurn): Promise<DocumentNode | null> {
    if (!(await takeTurn(BASE_WORK + source.length / CHARACTERS_PER_VALUE))) return null;
    return this.#getKnown(source) ?? this.#options.parser.parseValid(source);
  }

  async #prepareInSteps(source: string, operationName: unknown, takeTurn: TakeTurn): Promise<DocumentNode | null> {
    const { parser, plans } = this.#options;
    if (!(await takeTurn())) return null;
    const known = this.#getKnown(source);
    if (known) return known;
    for (const _ of parser.parseInStages(source)) if (!(await takeTurn())) return null;
    const document = parser.parseValid(source);
    if (!document || !(await takeTurn())) return null;
    plans.getPlan({ schema: parser.schema, document, operationName: typeof operationName === 'string' ? operationName : null });
    return (await takeTurn()) ? document : null;
  }
}

/** What Yoga knows of a request. */
interface PreparationContext extends DocumentSender {
  readonly res: ServerResponse;
  /** Set if the fast path has prepared the document. */
  readonly body?: unknown;
}

/** Prepares the documents of requests that don't take the fast path, before Yoga parses them. `preparation` is created after Yoga. */
export const usePreparation = (getPreparation: () => Preparation): Plugin<PreparationContext> => ({
  onParams({ params, context }) {
    const { query, operationName } = params as RequestParams;
    const preparation = getPreparation();
    const request = context as PreparationContext;
    const { res, body } = request;
    if (body !== undefined || typeof query !== 'string' || preparation.getReady(query, request)) return undefined;
    return preparation.prepare(query, operationName, request, res).then(() => {
      // Otherwise, Yoga would parse the document although no client waits.
      if (res.destroyed) throw ABANDONED;
    });
  },
});
