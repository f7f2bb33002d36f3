import { isTokenExpired } from '../core/advice.ts';
import { parseJson, type ResponseError } from '../core/errors.ts';

/** A type whose changes are signaled. */
export type LiveType = 'CUSTOMER' | 'ORDER' | 'QUOTE' | 'PAYMENT' | 'WORK_ORDER' | 'PROBLEM' | 'APPOINTMENT';

/** A signal to refetch. */
export interface RecordsChanged {
  /** IDs of records that may have changed. */
  readonly ids: readonly string[];
  /** Whether more records may have changed than `ids` lists. True after each connection. */
  readonly isTruncated: boolean;
  /** `GRAPH` or `POLL`. Null after each connection. */
  readonly source: string | null;
  /** Seconds since changes made elsewhere were last polled for. Null if they aren’t polled for. */
  readonly staleness: number | null;
}

/** Live updates failed for good, such as because the key lacks a scope or the server doesn’t send any. */
export class WatchError extends Error {
  override readonly name = 'WatchError';
  readonly errors: readonly ResponseError[];

  constructor(errors: readonly ResponseError[]) {
    super(errors[0]?.message ?? 'Live updates failed.');
    this.errors = errors;
  }
}

export interface WatchOptions {
  /** URL of the graph, such as `https://graph.example.com/graphql`. Not that of a supergraph’s router. */
  readonly url: string;
  readonly types: readonly LiveType[];
  /** Defaults to all records of the types, for API keys that can read all of them. */
  readonly ids?: readonly string[] | undefined;
  /** Returns the headers of a connection, such as `authorization`. Called for each connection, so that a renewed token is sent. */
  readonly headers?: (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>) | undefined;
  /** Called for each signal except heartbeats. The first signal of each connection says to refetch everything. */
  readonly onChange: (change: RecordsChanged) => void;
  /** Called once if live updates fail for good. */
  readonly onError?: ((error: WatchError) => void) | undefined;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Waits. For tests. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
}

const DOCUMENT =
  'subscription RecordsChanged($types: [LiveType!]!, $ids: [ID!]) { recordsChanged(types: $types, ids: $ids) { ids isTruncated source staleness } }';

/** A connection without any data for this long is replaced, in milliseconds. The graph sends something every 30 seconds. */
const SILENCE_MS = 90_000;
/** Upper bounds of the random delay before another connection, in milliseconds: doubled after each one without a signal. */
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

const waitForTimer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface StreamResult {
  readonly data?: { readonly recordsChanged?: RecordsChanged } | null;
  readonly errors?: readonly ResponseError[];
}

/**
 * Splits a stream into the data of its events. Lines can end with CRLF, LF, or CR, and an event can have several lines of data. Source:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
class EventReader {
  #received = '';
  #endsWithCr = false;

  /** Adds a part of the stream. Returns the data of the events that it completes. */
  read(part: string): string[] {
    // The first half of CRLF has already ended its line.
    const text = this.#endsWithCr ? part.replace(/^\n/, '') : part;
    if (part !== '') this.#endsWithCr = part.endsWith('\r');
    const events = (this.#received + text.replaceAll(/\r\n?/g, '\n')).split('\n\n');
    this.#received = events.pop() ?? '';
    return events.map((event) => {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'));
      return lines.map((line) => line.slice('data:'.length)).join('\n');
    });
  }
}

/** Milliseconds that the response to a rejected connection says to wait. 0 if it doesn't. */
const readRetryAfter = ({ headers }: Response): number => (Number(headers.get('retry-after')) || 0) * 1000;

/** Passes each result of a response to a function. `onData` is called whenever something is received. */
async function readResults(response: Response, onData: () => void, onResult: (result: StreamResult) => void): Promise<void> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) return onResult((parseJson(await response.text()) ?? {}) as StreamResult);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onData();
    for (const data of events.read(part.value)) {
      const result = parseJson(data);
      if (result) onResult(result as StreamResult);
    }
  }
}

const isFinal = ({ extensions }: ResponseError) => extensions?.retry === 'NEVER' || extensions?.code === 'BAD_REQUEST';

/**
 * Signals changed records, with any client library: refetch in `onChange`. Connects again whenever a connection ends. Returns a function that stops. Requires
 * `LIVE=on` at the graph.
 */
export function watchRecords({
  url,
  types,
  ids,
  headers = () => ({}),
  onChange,
  onError,
  wait = waitForTimer,
  ...options
}: WatchOptions): () => void {
  let controller = new AbortController();
  let isStopped = false;
  let delayMs = MIN_DELAY_MS;

  const stop = () => {
    isStopped = true;
    controller.abort();
  };

  const onResult = ({ data, errors }: StreamResult) => {
    if (isStopped) return;
    const change = data?.recordsChanged;
    if (change) {
      delayMs = MIN_DELAY_MS;
      // In a microtask, so that an error that it throws isn't taken for one of the connection.
      if (change.isTruncated || change.ids.length > 0) queueMicrotask(() => isStopped || onChange(change));
    }
    // A token that has expired is renewed by `headers`.
    if (!errors?.some(isFinal) || isTokenExpired({ errors })) return;
    stop();
    onError?.(new WatchError(errors));
  };

  /** Resolves when the connection has ended, to the milliseconds to wait at least before the next one. */
  async function connect(): Promise<number> {
    controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), SILENCE_MS);
    };
    try {
      restartTimer();
      const response = await (options.fetch ?? fetch)(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...(await headers()) },
        body: JSON.stringify({ query: DOCUMENT, operationName: 'RecordsChanged', variables: { types, ...(ids && { ids }) } }),
        signal: controller.signal,
      });
      await readResults(response, restartTimer, onResult);
      return readRetryAfter(response);
    } catch {
      // The connection failed, or was replaced.
      return 0;
    } finally {
      clearTimeout(timer);
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const retryAfterMs = await connect();
      if (isStopped) return;
      await wait(retryAfterMs + Math.random() * delayMs);
      delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
    }
  }

  void run();
  return stop;
}
