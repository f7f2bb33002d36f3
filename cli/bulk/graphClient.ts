import { Agent, request } from 'undici';
import { StartError } from '../../src/lib/startup.ts';

/** A graph that a command uses. */
export interface OpenGraph {
  /** URL of its GraphQL endpoint. */
  readonly url: string;
  /** URL of its upstream, or its own if that isn't known. */
  readonly upstreamUrl: string;
  /** Stops it, if the command has started it. */
  close(): Promise<void>;
}

/** An error of a response. Source: docs/clients/errors.md */
interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    readonly retry?: string;
    readonly retryAfterSeconds?: number | null;
    readonly fields?: readonly string[];
  };
}

/** The rate limit of the credential's API key, as of a response. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInSeconds: number;
}

export interface GraphResponse {
  // biome-ignore lint/suspicious/noExplicitAny: its shape is that of the document
  readonly data: any;
  readonly errors: readonly ResponseError[];
  /** Upstream calls of the request, including the graph's own retries. */
  readonly calls: number;
  /** Null if the upstream reports no rate limit. */
  readonly quota: Quota | null;
}

/** A request that failed as a whole. */
export class RequestError extends Error {
  /** From `ErrorCode` of the schema. `UPSTREAM_UNAVAILABLE` if there's no response of the graph. */
  readonly code: string;
  /** Whether the same request may succeed later. A mutation only if it has an idempotency key. */
  readonly isTemporary: boolean;
  /** Whether a mutation without an idempotency key, or with an old one, may have been applied. */
  readonly isUncertain: boolean;
  /** Seconds to wait before a retry. Null if the graph doesn't say. */
  readonly retryAfterSeconds: number | null;
  /** Selected fields that the upstream doesn't have. */
  readonly fields: readonly string[];

  constructor({ message, extensions = {} }: ResponseError, options?: ErrorOptions) {
    super(message, options);
    const { code = 'UPSTREAM_UNAVAILABLE', retry, retryAfterSeconds = null, fields = [] } = extensions;
    this.code = code;
    this.isTemporary = retry === 'SAFE' || retry === 'SAME_KEY' || retryAfterSeconds !== null;
    this.isUncertain = retry === 'CHECK_FIRST';
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
  }
}

/** Creates the error for a request without a response of the graph. */
const createTemporaryError = (message: string, cause?: unknown) => new RequestError({ message, extensions: { retry: 'SAFE' } }, { cause });

interface GraphClientOptions {
  /** URL of the GraphQL endpoint. */
  readonly url: string;
  /** Returns the API key or access token. Called again if it's rejected, because a token may have been renewed. */
  readonly readCredential: () => string;
}

/** Sends documents to a graph. */
export class GraphClient {
  readonly #options: GraphClientOptions;
  readonly #dispatcher = new Agent();
  #credential: string;
  /** Whether the graph has responded. */
  #isKnown = false;
  /** By how much the graph's clock is ahead of this one, in milliseconds. */
  #clockAheadMs = 0;

  constructor(options: GraphClientOptions) {
    this.#options = options;
    this.#credential = options.readCredential();
  }

  /** Sends a document. Throws RequestError if there's no response of the graph. */
  async send(query: string, variables: object): Promise<GraphResponse> {
    const response = await this.#post(JSON.stringify({ query, variables }));
    if (!response.errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) return response;
    const credential = this.#options.readCredential();
    if (credential === this.#credential) return response;
    this.#credential = credential;
    return this.#post(JSON.stringify({ query, variables }));
  }

  /** Unix milliseconds of the graph's clock, to the second. That of this machine before the first response. */
  get graphTimeMs(): number {
    return Date.now() + this.#clockAheadMs;
  }

  /** Ends all requests, and closes the connections, because a graph waits for them when it's closed. */
  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  async #post(body: string): Promise<GraphResponse> {
    const { url } = this.#options;
    const headers = {
      authorization: `Bearer ${this.#credential}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    };
    let status: number;
    let text: string;
    try {
      const response = await request(url, { method: 'POST', headers, body, dispatcher: this.#dispatcher });
      status = response.statusCode;
      const time = Date.parse(String(response.headers.date));
      if (!Number.isNaN(time)) this.#clockAheadMs = time - Date.now();
      text = await response.body.text();
    } catch (error) {
      throw this.#createConnectionError(error);
    }
    return this.#parse(status, text);
  }

  #createConnectionError(error: unknown): Error {
    const { url } = this.#options;
    const reason = String((error as { readonly code?: unknown }).code ?? (error as Error).message);
    if (this.#isKnown) return createTemporaryError(`The graph at ${url} can’t be reached: ${reason}.`, error);
    return new StartError(`No graph can be reached at ${url}: ${reason}. Start one, or set --url or UPSTREAM_URL.`, { cause: error });
  }

  #parse(status: number, text: string): GraphResponse {
    const { url } = this.#options;
    let json: { readonly data?: unknown; readonly errors?: readonly ResponseError[]; readonly extensions?: { readonly cost?: Cost } };
    try {
      json = JSON.parse(text);
    } catch {
      json = {};
    }
    if (!json || typeof json !== 'object' || !('data' in json || Array.isArray(json.errors))) {
      // A proxy responds while the graph restarts.
      if (status >= 500 || status === 429) throw createTemporaryError(`${url} responded with HTTP status ${status}.`);
      throw new StartError(`${url} responded with HTTP status ${status}, and not as a GraphQL endpoint. Correct --url.`);
    }
    this.#isKnown = true;
    const { actualCalls: calls = 0, quota = null } = json.extensions?.cost ?? {};
    return { data: json.data, errors: json.errors ?? [], calls, quota };
  }
}

/** `extensions.cost` of a response. */
interface Cost {
  readonly actualCalls?: number;
  readonly quota?: Quota | null;
}
