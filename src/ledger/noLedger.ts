import type { LedgerUse, RequestLedger } from './ledger.ts';

/** Sends a request without recording it. */
export async function sendUnrecorded<Response>({
  findProblem,
  prepare,
  send,
}: Pick<LedgerUse<Response>, 'findProblem' | 'prepare' | 'send'>) {
  const problem = findProblem();
  if (problem) throw problem;
  await prepare();
  return send(() => {});
}

/** The ledger of a dry run: stores nothing and finds nothing. */
export const NO_LEDGER: RequestLedger = {
  runOnce: async (use) => ({ response: await sendUnrecorded(use), effect: 'DONE', isCurrent: true, startedAt: new Date() }),
  find: async () => undefined,
  isDurable: false,
  getStorageId: async () => '',
};
