import { type Logger, pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type App, startApp } from '../src/server/app.ts';
import { readConfig } from '../src/server/config.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from '../src/upstream/client.ts';
import { httpTransport } from '../src/upstream/transport.ts';
import { openSandbox, type TestSandbox, type TestSandboxOptions } from './sandbox/sandbox.ts';

export interface GraphAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
  readonly data: any;
  readonly errors: readonly { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[] | undefined;
}

/** Posts a document to a graph. */
export async function postGraph(url: string, key: string | null, query: string, variables: object = {}): Promise<GraphAnswer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as Pick<GraphAnswer, 'data' | 'errors'>;
  return { status: response.status, headers: response.headers, data, errors };
}

/** How long a test's upstream may take, in milliseconds: long enough for a busy machine. */
const TIMEOUT_MS = 20_000;

/** Few enough for a test to go past them. */
export const CALLS_PER_REQUEST = 200;

export interface World {
  readonly sandbox: TestSandbox;
  readonly app: App;
  close(): Promise<void>;
}

/** How the graph of a world differs from the usual one. */
export interface GraphOptions {
  /** The clock that grants of keys age by. */
  readonly now?: UpstreamOptions['now'];
  readonly logger?: Logger;
  /** Settings of the graph, over the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A graph over a sandbox, both listening on free ports of this machine. */
export async function openWorld(
  options: TestSandboxOptions = {},
  timeoutMs = TIMEOUT_MS,
  { now, logger = pino({ level: 'silent' }), env }: GraphOptions = {},
): Promise<World> {
  const sandbox = await openSandbox(options);
  const transport = httpTransport({ url: sandbox.url, connections: 32 });
  const upstream: Upstream = createUpstream({ transport, callsPerRequest: CALLS_PER_REQUEST, timeoutMs, ...(now && { now }) });
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', UPSTREAM_URL: sandbox.url, ...env });
  const app = await startApp({ config, upstream, logger });
  return {
    sandbox,
    app,
    close: async () => {
      await app.close();
      await sandbox.close();
    },
  };
}

/** A graph over a sandbox for the tests of one file: started before them, closed after them. */
export function useWorld(options: TestSandboxOptions = {}, timeoutMs = TIMEOUT_MS, graphOptions: GraphOptions = {}) {
  let world: World | undefined;
  beforeAll(async () => {
    world = await openWorld(options, timeoutMs, graphOptions);
  });
  afterAll(() => world?.close());
  const opened = () => {
    if (!world) throw new Error('The world is open only while tests run.');
    return world;
  };
  return {
    get sandbox() {
      return opened().sandbox;
    },
    get url() {
      return opened().app.url;
    },
    /** Runs a document as `demo-owner`, who may do everything. */
    graph: (query: string, variables?: object) => postGraph(opened().app.url, 'demo-owner', query, variables),
    graphAs: (key: string | null, query: string, variables?: object) => postGraph(opened().app.url, key, query, variables),
    /** Runs `act` and answers what it answers, with the names of the operations that it called, in order. `Me`, which is remembered, is left out. */
    calls: async <Result>(act: () => Promise<Result>): Promise<readonly [Result, string[]]> => {
      const { received } = opened().sandbox;
      const before = received.length;
      const result = await act();
      return [
        result,
        received
          .slice(before)
          .map(({ operation }) => operation)
          .filter((name) => name !== 'Workspace/Me'),
      ];
    },
  };
}
