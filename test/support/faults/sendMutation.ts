import type { Effect, PreparedOperation } from './effects.ts';

/** Summary of the response to a mutation. */
export interface MutationOutcome {
  /** `done`, `replayed`, `reconciled`, `unchanged`, or the error code with the retry advice, such as `RATE_LIMITED SAFE`. */
  readonly outcome: string;
  /** ID of the created record. Null on failure. */
  readonly recordId: string | null;
  readonly retryAfterSeconds: number | null;
}

// biome-ignore lint/suspicious/noExplicitAny: each effect parses the payload of its own mutation
type Json = any;

interface Failure {
  readonly code: string;
  readonly retry?: string;
  readonly retryAfterSeconds?: number | null;
}

const toFailedOutcome = ({ code, retry, retryAfterSeconds }: Failure): MutationOutcome => ({
  outcome: retry ? `${code} ${retry}` : code,
  recordId: null,
  retryAfterSeconds: retryAfterSeconds ?? null,
});

function toOutcome({ data, errors }: Json, { field, getRecordId }: Effect): MutationOutcome {
  const result = data?.[field];
  if (!result) return toFailedOutcome(errors?.[0]?.extensions ?? { code: 'null' });
  if (result.code) return toFailedOutcome(result);
  // Payloads of reads have no `effect`.
  return { outcome: result.effect?.toLowerCase() ?? 'done', recordId: getRecordId(result), retryAfterSeconds: null };
}

interface PostOptions {
  readonly key?: string;
  /** Request ID, which the graph also sends with every upstream call. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /** Called with the body of the response. */
  readonly onResponse?: (text: string) => void;
}

/** Posts a document to a graph. Throws if the response is incomplete. */
export async function postDocument(
  url: string,
  body: object,
  { key = 'demo-owner', requestId, signal, onResponse }: PostOptions,
): Promise<Json> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...(requestId && { 'x-request-id': requestId }) },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const text = await response.text();
  onResponse?.(text);
  return JSON.parse(text);
}

/** Sends a mutation to a graph. Sending it again retries it. */
export const sendMutation = async (
  url: string,
  effect: Effect,
  { input }: PreparedOperation,
  options: PostOptions = {},
): Promise<MutationOutcome> => toOutcome(await postDocument(url, { query: effect.document, variables: { input } }, options), effect);

const STATE = `query ($operation: String!, $key: String!) {
  idempotentOperation(operation: $operation, idempotencyKey: $key) { state }
}`;

/** The status of the operation's idempotency key in the ledger. Null for operations without a key, and for keys that the ledger doesn't contain. */
export async function fetchLedgerState(
  url: string,
  { field }: Effect,
  { idempotencyKey: key }: PreparedOperation,
  options: PostOptions = {},
): Promise<string | null> {
  if (key === null) return null;
  const { data } = await postDocument(url, { query: STATE, variables: { operation: field, key } }, options);
  return data.idempotentOperation?.state ?? null;
}
