import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { type ApiError, OutcomeUnknownError } from '../../failures/failures.ts';
import type { LedgerOutcome } from '../../ledger/ledger.ts';
import { sendUnrecorded } from '../../ledger/noLedger.ts';
import { findRequestProblem } from '../../upstream/calls/callPipeline.ts';
import { createMissingResultError } from '../../upstream/calls/outcomes.ts';
import { omitSecrets } from '../../upstream/contract/decoding.ts';
import type { AnyOperation, Operation } from '../../upstream/contract/operation.ts';

/** A request that was sent and whose response was lost. */
export interface SentRequest<Request> {
  readonly request: Request;
  readonly startedAt: Date;
  readonly context: Context;
  /** Whether the upstream has just reported success, without a readable result. */
  readonly isAccepted: boolean;
}

/** A mutation request, and how to reconcile it if its response is lost. */
interface MutationCall<Request, Response> {
  /** The operation under which the ledger stores the idempotency key. */
  readonly operation: AnyOperation;
  /** That operation or one of its variants. */
  readonly sent: Operation<Request, Response>;
  readonly request: Request;
  readonly idempotencyKey: string | undefined;
  /** Whether the upstream itself recognizes a repeat. */
  readonly isDeduplicatedUpstream: boolean;
  /** Whether the response contains everything that the payload requires. */
  readonly hasAllRecords: (response: Response) => boolean;
  readonly reconcile: ((sent: SentRequest<Request>) => Promise<Response | undefined>) | undefined;
  /** Finds a problem of the input that the contract's rules don't cover. */
  readonly findProblem: () => ApiError | undefined;
  /** Runs before the request is sent, but not for a replay from the ledger, which must not depend on records that can still be read. */
  readonly prepare: () => Promise<void>;
}

/** Timeout for reconciling an unknown outcome, in milliseconds. Chosen: the caller has already waited long. */
const RECONCILE_TIMEOUT_MS = 5_000;

/** Reads what a lost request did, without cached records and within the timeout. Undefined if it's exceeded. */
export async function readLost<Sent extends Pick<SentRequest<unknown>, 'context'>, Result>(
  read: ((sent: Sent) => Promise<Result>) | undefined,
  sent: Sent,
): Promise<Result | undefined> {
  if (!read) return undefined;
  // The request may have been sent by another process, so this one may have cached older responses.
  sent.context.upstream.forget('key');
  sent.context.loaders.clear();
  const timeUp = new AbortController();
  try {
    return await Promise.race([read(sent), wait(RECONCILE_TIMEOUT_MS, undefined, { signal: timeUp.signal })]);
  } finally {
    timeUp.abort();
  }
}

/** Sends a mutation once: through the ledger if it has an idempotency key, otherwise directly. The response contains all records of the payload. */
export async function perform<Request extends object, Response extends object>(
  mutationCall: MutationCall<Request, Response>,
  context: Context,
): Promise<LedgerOutcome<Response>> {
  const { operation, sent, request, idempotencyKey, isDeduplicatedUpstream, hasAllRecords, reconcile, prepare } = mutationCall;
  const { upstream, ledger } = context;
  const steps = {
    findProblem: () => mutationCall.findProblem() ?? findRequestProblem(upstream.operation(sent), request),
    prepare,
    send: async (onUnsent: () => void) => {
      const startedAt = new Date();
      const response = await upstream.call(sent, request, { onUnsent });
      if (!hasAllRecords(response)) throw createMissingResultError(sent, startedAt, idempotencyKey ?? null);
      return response;
    },
  };
  const reconcileLost = async (startedAt: Date, isAccepted: boolean) => {
    const found = await readLost(reconcile, { request, startedAt, context, isAccepted });
    return found && hasAllRecords(found) ? found : undefined;
  };
  if (idempotencyKey) {
    // A caller that lacks the scopes must not learn from the ledger that another caller ran the mutation.
    await upstream.requireScopes(sent, request);
    const workspaceId = await upstream.access.getWorkspaceId();
    const recheckAccess = () => upstream.access.requireCurrent(sent, request);
    const { keyHash = '', callerId = '' } = upstream.credential ?? {};
    const keyUse = { keyHash, callerId, workspaceId, operation, idempotencyKey, isDeduplicatedUpstream, recheckAccess };
    return ledger.runOnce({
      ...keyUse,
      ...steps,
      request: { operation: sent.name, request },
      redact: (response: Response) => omitSecrets(response, sent),
      // Stored responses lack their secrets, and responses stored by earlier releases lack default values, too.
      restore: (stored: Response) => sent.decode(stored),
      reconcile: reconcileLost,
    });
  }
  if (operation.effect === 'CREATING') context.onUnkeyedCreation(operation.name);
  const startedAt = new Date();
  try {
    return { response: await sendUnrecorded(steps), effect: 'DONE', isCurrent: true, startedAt };
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const response = await reconcileLost(startedAt, error.isAccepted).catch(() => undefined);
    if (response) return { response, effect: 'RECONCILED', isCurrent: true, startedAt };
    throw error;
  }
}
