import type { Act, Effect } from './effects.ts';

/** Answer to a caller who asked for an act, in short. */
export interface Told {
  /** `done`, `replayed`, `reconciled`, `unchanged`, or the code of the failure and the advice on repeating it: `RATE_LIMITED SAFE`. */
  readonly outcome: string;
  /** The id of what was made, when it was done. */
  readonly made: string | null;
  readonly retryAfterSeconds: number | null;
}

// biome-ignore lint/suspicious/noExplicitAny: what is not a failure is for the effect to pick apart
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
  // A read has no effect to tell.
  return { outcome: answer.effect?.toLowerCase() ?? 'done', made: made(answer), retryAfterSeconds: null };
}

interface AskOptions {
  readonly key?: string;
  /** Request id, which the graph passes on to the upstream with every call. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
  /** Sees the answer as it came. */
  readonly onAnswer?: (text: string) => void;
}

/** Posts a document to a graph. Fails when no whole answer comes. */
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

/** Asks a graph for an act: a repeat, when it has been asked for before. */
export const ask = async (url: string, effect: Effect, { input }: Act, options: AskOptions = {}): Promise<Told> =>
  toldOf(await postDocument(url, { query: effect.document, variables: { input } }, options), effect);

const STATE = `query ($operation: String!, $key: String!) {
  idempotentOperation(operation: $operation, idempotencyKey: $key) { state }
}`;

/** State of an act's idempotency key in the ledger; null for acts without a key, and for keys that the ledger does not know. */
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
