import type { Act, Effect } from './effects.ts';

/** Summary of the response to a mutation. */
export interface Told {
  /** `done`, `replayed`, `reconciled`, `unchanged`, or the error code with the retry advice, such as `RATE_LIMITED SAFE`. */
  readonly outcome: string;
  /** ID of the created record. Null on failure. */
  readonly made: string | null;
  readonly retryAfterSeconds: number | null;
}

// biome-ignore lint/suspicious/noExplicitAny: each effect parses the payload of its own mutation
type Json = any;

interface Failure {
  readonly code: string;
  readonly retry?: string;
  readonly retryAfterSeconds?: number | null;
}

const failed = ({ code, retry, retryAfterSeconds }: Failure): Told => ({
  outcome: retry ? `${code} ${retry}` : code,
  made: null,
  retryAfterSeconds: retryAfterSeconds ?? null,
});

function toldOf({ data, errors }: Json, { field, made }: Effect): Told {
  const answer = data?.[field];
  if (!answer) return failed(errors?.[0]?.extensions ?? { code: 'null' });
  if (answer.code) return failed(answer);
  // Payloads of reads have no `effect`.
  return { outcome: answer.effect?.toLowerCase() ?? 'done', made: made(answer), retryAfterSeconds: null };
}

interface AskOptions {
  readonly key?: string;
  /** Request ID, which the graph also sends with every upstream call. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /** Called with the body of the response. */
  readonly onAnswer?: (text: string) => void;
}

/** Posts a document to a graph. Throws if the response is incomplete. */
export async function postDocument(
  url: string,
  body: object,
  { key = 'demo-owner', requestId, signal, onAnswer }: AskOptions,
): Promise<Json> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...(requestId && { 'x-request-id': requestId }) },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const text = await response.text();
  onAnswer?.(text);
  return JSON.parse(text);
}

/** Sends a mutation to a graph. Sending it again retries it. */
export const ask = async (url: string, effect: Effect, { input }: Act, options: AskOptions = {}): Promise<Told> =>
  toldOf(await postDocument(url, { query: effect.document, variables: { input } }, options), effect);

const STATE = `query ($operation: String!, $key: String!) {
  idempotentOperation(operation: $operation, idempotencyKey: $key) { state }
}`;

/** The status of the act's idempotency key in the ledger. Null for acts without a key, and for keys that the ledger doesn't contain. */
export async function ledgerStateOf(
  url: string,
  { field }: Effect,
  { idempotencyKey: key }: Act,
  options: AskOptions = {},
): Promise<string | null> {
  if (key === null) return null;
  const { data } = await postDocument(url, { query: STATE, variables: { operation: field, key } }, options);
  return data.idempotentOperation?.state ?? null;
}
