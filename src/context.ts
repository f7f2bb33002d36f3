import type { ErrorCode } from './failures/errorCodes.ts';
import type { RequestLedger } from './ledger/ledger.ts';
import type { RequestLive } from './live/requestLive.ts';
import { Loaders } from './loaders/loaders.ts';
import { ResponseBudget } from './responseBudget.ts';
import type { Session } from './upstream/session.ts';

/** Context of a request. Every resolver receives it. */
export interface Context {
  readonly upstream: Session;
  readonly loaders: Loaders;
  readonly ledger: RequestLedger;
  readonly responseBudget: ResponseBudget;
  /** Codes of the errors that mutations returned in their result unions, by response key. */
  readonly mutationErrors: Map<string, ErrorCode>;
  /** Called with the name of an operation that creates a record without an idempotency key. Browsers repeat a request whose connection breaks. */
  readonly onUnkeyedCreation: (operation: string) => void;
  /** Live updates. Null if they are disabled, and for rehearsals. */
  readonly live: RequestLive | null;
}

/** `maxResponseBytes`: maximum JSON size of the operation's response. */
export const createContext = (
  upstream: Session,
  ledger: RequestLedger,
  maxResponseBytes: number,
  onUnkeyedCreation: (operation: string) => void = () => {},
  live: RequestLive | null = null,
): Context => ({
  upstream,
  loaders: new Loaders(upstream),
  ledger,
  responseBudget: new ResponseBudget(maxResponseBytes),
  mutationErrors: new Map(),
  onUnkeyedCreation,
  live,
});

/**
 * Ends a request: releases the resources that were reserved for it, and clears what it has read. Pothos stores contexts in a WeakMap, whose entries survive
 * every minor garbage collection: objects still referenced by a context would be promoted and left to the major one.
 */
export function releaseContext({ upstream, loaders }: Context): void {
  upstream.finish();
  upstream.forget();
  loaders.clear();
}
