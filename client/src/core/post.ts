import type { Outcome } from './advice.ts';
import { parseJson } from './errors.ts';
import { learnGraphTime } from './graphTime.ts';

/** Where and how requests are sent. */
export interface PostOptions {
  readonly url: string;
  /** Returns the headers of an attempt, such as `authorization`. Called for each attempt, so that a renewed token is sent. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The graph didn’t respond, but something in between did, such as a load balancer. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number) {
    super(`The server responded with HTTP status ${status} instead of a GraphQL response.`);
    this.status = status;
  }
}

async function toOutcome(response: Response): Promise<Outcome> {
  const { status, headers } = response;
  learnGraphTime(headers);
  const retryAfterSeconds = Number(headers.get('retry-after')) || undefined;
  // As text, because the headers would be lost with an error of `json()`.
  const body = parseJson(await response.text());
  const isGraphQL = typeof body === 'object' && body !== null && ('data' in body || 'errors' in body);
  return { ...(isGraphQL ? (body as Outcome) : { lost: new HttpError(status) }), status, retryAfterSeconds };
}

/** Sends one attempt of a GraphQL request, without a client library. */
export async function post(
  { url, headers: getHeaders = () => ({}), fetch: send = fetch }: PostOptions,
  request: object,
  signal: AbortSignal | null,
): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...(await getHeaders()) };
  try {
    return await toOutcome(await send(url, { method: 'POST', headers, body: JSON.stringify(request), signal }));
  } catch (error) {
    return { lost: error };
  }
}
