import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { GraphResult } from './testGraph.ts';

/** A result of a subscription. */
export type Result = Pick<GraphResult, 'data' | 'errors'>;

export interface Subscription {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The next result. Null if the server has completed the subscription. Rejects if the connection breaks. */
  next(): Promise<Result | null>;
  /** Disconnects. */
  close(): void;
}

/** Parses an event of a stream. Undefined for comments. */
function parseEvent(text: string): { readonly name: string; readonly data: string } | undefined {
  const fields = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return fields.size === 0 ? undefined : { name: fields.get('event') ?? '', data: fields.get('data') ?? '' };
}

const send = (url: string, key: string, body: string, accept: string) =>
  new Promise<readonly [ClientRequest, IncomingMessage]>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, accept };
    const request = httpRequest(`${url}/graphql`, { method: 'POST', headers, agent: false }, (response) => resolve([request, response]));
    request.on('error', reject).end(body);
  });

/** Reads the events of a response one by one. */
async function* readEvents(response: IncomingMessage) {
  let received = '';
  for await (const chunk of response.setEncoding('utf8')) {
    received += chunk;
    const events = received.split('\n\n');
    received = events.pop() ?? '';
    for (const text of events) {
      const event = parseEvent(text);
      if (event) yield event;
    }
  }
}

/** Opens a subscription over server-sent events, on a connection of its own. */
export async function openSubscription(
  url: string,
  key: string,
  query: string,
  variables: object = {},
  accept = 'text/event-stream',
): Promise<Subscription> {
  const [request, response] = await send(url, key, JSON.stringify({ query, variables }), accept);
  const events = readEvents(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next: async () => {
      const { value, done } = await events.next();
      if (done || !value) throw new Error('The connection ended without a complete event.');
      if (value.name === 'complete') return null;
      if (value.name !== 'next') throw new Error(`Unknown event: ${value.name}`);
      return JSON.parse(value.data);
    },
    close: () => void request.destroy(),
  };
}

const RECORDS_CHANGED = `subscription ($types: [LiveType!]!, $ids: [ID!]) {
  recordsChanged(types: $types, ids: $ids) { ids isTruncated source staleness }
}`;

/** Opens a subscription to records of these types. */
export const watchRecords = (url: string, key: string, types: readonly string[], ids?: readonly string[], accept?: string) =>
  openSubscription(url, key, RECORDS_CHANGED, { types, ...(ids && { ids }) }, accept);

/** The first signal of every subscription. */
export const FIRST = { data: { recordsChanged: { ids: [], isTruncated: true, source: null, staleness: null } } };

/** Opens a subscription, and reads its first signal. */
export async function watchAfterFirst(...args: Parameters<typeof watchRecords>): Promise<Subscription> {
  const subscription = await watchRecords(...args);
  const first = await subscription.next();
  if (JSON.stringify(first) !== JSON.stringify(FIRST)) throw new Error(`Not a first signal: ${JSON.stringify(first)}`);
  return subscription;
}
