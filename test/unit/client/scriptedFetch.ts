/** One response to a request. A string is the body of an HTML page, and an error is a failed connection. `hold` waits until it's released. */
export interface ScriptedResponse {
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
  readonly error?: Error;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SentRequest {
  readonly url: string;
  readonly authorization: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare bodies
  readonly body: any;
  readonly signal: AbortSignal | null;
}

const toResponse = ({ status = 200, type = 'application/graphql-response+json', body, headers }: ScriptedResponse): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } });

/** A `fetch` with the given responses, in order. Without another one, a request waits until it's aborted. */
export function createScriptedFetch(...responses: readonly ScriptedResponse[]) {
  const sent: SentRequest[] = [];
  const queue = [...responses];
  const waiting: (() => void)[] = [];
  const scriptedFetch: typeof fetch = async (url, { body, headers, signal } = {}) => {
    sent.push({
      url: String(url),
      authorization: new Headers(headers).get('authorization'),
      body: JSON.parse(String(body)),
      signal: signal ?? null,
    });
    for (const resolve of waiting.splice(0)) resolve();
    const response = queue.shift();
    if (response?.error) throw response.error;
    if (response) return toResponse(response);
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  /** Resolves after this many requests. */
  const waitForRequests = async (count: number): Promise<void> => {
    while (sent.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { fetch: scriptedFetch, sent, waitForRequests, respond: (response: ScriptedResponse) => queue.push(response) };
}
