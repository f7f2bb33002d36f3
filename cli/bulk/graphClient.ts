import { Agent, type Dispatcher, request } from 'undici';
import { createProxyAgent, type HttpProxy } from '../../src/lib/proxy.ts';
import { StartError } from '../../src/lib/startup.ts';
import { readBoundedJson } from './boundedJson.ts';
import {
  createInvalidError,
  createTemporaryError,
  type GraphResponse,
  type GraphSender,
  RequestError,
  readResponse,
} from './graphResponse.ts';

/** A graph that a command uses. */
export interface OpenGraph {
  /** URL of its GraphQL endpoint. */
  readonly url: string;
  /** URL of its upstream, or its own if that isn't known. */
  readonly upstreamUrl: string;
  /** Stops it, if the command has started it. */
  close(): Promise<void>;
}

interface GraphClientOptions {
  /** URL of the GraphQL endpoint. */
  readonly url: string;
  /** Returns the API key or access token. Called again if it's rejected, because a token may have been renewed. */
  readonly readCredential: () => string;
  readonly proxy: HttpProxy | undefined;
}

/** Maximum duration of a request, in milliseconds. Chosen: several times as long as the graph executes an operation. */
const MAX_DURATION_MS = 600_000;

/** Sends documents to a graph, which can be any server: its responses are read within limits. */
export class GraphClient implements GraphSender {
  readonly #options: GraphClientOptions;
  readonly #dispatcher: Dispatcher;
  #credential: string;
  /** Whether the graph has responded. */
  #isKnown = false;
  /** By how much the graph's clock is ahead of this one, in milliseconds. */
  #clockAheadMs = 0;

  constructor(options: GraphClientOptions) {
    this.#options = options;
    this.#dispatcher = options.proxy ? createProxyAgent(options.proxy) : new Agent();
    this.#credential = options.readCredential();
  }

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
    let json: unknown;
    try {
      const signal = AbortSignal.timeout(MAX_DURATION_MS);
      const response = await request(url, { method: 'POST', headers, body, dispatcher: this.#dispatcher, signal });
      status = response.statusCode;
      const time = Date.parse(String(response.headers.date));
      if (!Number.isNaN(time)) this.#clockAheadMs = time - Date.now();
      json = await readBoundedJson(response.body);
    } catch (error) {
      throw error instanceof RequestError ? error : this.#createConnectionError(error);
    }
    return this.#read(status, json);
  }

  #createConnectionError(error: unknown): Error {
    const { url } = this.#options;
    const reason = String((error as { readonly code?: unknown }).code ?? (error as Error).message);
    if (this.#isKnown) return createTemporaryError(`The graph at ${url} can’t be reached: ${reason}.`, error);
    return new StartError(`No graph can be reached at ${url}: ${reason}. Start one, or set --url.`, { cause: error });
  }

  #read(status: number, json: unknown): GraphResponse {
    const response = status >= 300 && status < 400 ? undefined : readResponse(json);
    if (response) {
      this.#isKnown = true;
      return response;
    }
    const { url } = this.#options;
    // A proxy responds while the graph restarts.
    if (status >= 500 || status === 429) throw createTemporaryError(`${url} responded with HTTP status ${status}.`);
    if (this.#isKnown) throw createInvalidError(`has HTTP status ${status}, and isn’t one of a GraphQL endpoint`);
    throw new StartError(`${url} responded with HTTP status ${status}, and not as a GraphQL endpoint. Correct --url.`);
  }
}
