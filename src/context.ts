import { AnswerBudget } from './answerBudget.ts';
import type { ErrorCode } from './failures/errorCodes.ts';
import type { RequestLedger } from './ledger/ledger.ts';
import { Loaders } from './loaders/loaders.ts';
import type { Session } from './upstream/client.ts';

/** Context of a request, which every resolver receives. */
export interface Context {
  readonly upstream: Session;
  readonly loaders: Loaders;
  readonly ledger: RequestLedger;
  readonly answer: AnswerBudget;
  /** Codes of the errors that mutations returned in their result unions, by response key. */
  readonly mutationErrors: Map<string, ErrorCode>;
}

/** `maxResponseBytes`: JSON bytes that the operation may answer. */
export const createContext = (upstream: Session, ledger: RequestLedger, maxResponseBytes: number): Context => ({
  upstream,
  loaders: new Loaders(upstream),
  ledger,
  answer: new AnswerBudget(maxResponseBytes),
  mutationErrors: new Map(),
});

/**
 * The request has been executed: gives back what was set aside for it, and lets go of what it has read. Pothos keeps a context in a WeakMap, whose
 * entries outlive every minor garbage collection: what hung on them would be copied, and be left to the major one.
 */
export function endContext({ upstream, loaders }: Context): void {
  upstream.finish();
  upstream.forget();
  loaders.clear();
}
