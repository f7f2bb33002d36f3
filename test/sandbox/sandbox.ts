import { afterAll, beforeAll } from 'vitest';
import { openWorld, SMALL } from '../../sandbox/demo.ts';
import type { Sizes } from '../../sandbox/kernel/plan.ts';
import { createUuid } from '../../sandbox/kernel/random.ts';
import type { ReceivedCall, Sandbox, SandboxOptions } from '../../sandbox/kernel/server.ts';
import type { Snapshot } from '../../sandbox/kernel/snapshot.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { startSandbox } from '../../sandbox/serve.ts';
import { fetchRecordIds, type OtherServer, otherServer, requireSendable, skip } from '../support/otherServer.ts';
import { appendSecrets } from '../support/secrets.ts';

/** The time of every test's clock, in Unix seconds: 2026-03-02 09:00 UTC. */
export const START = 1_772_442_000;

/** Default seed of the demo data in tests. */
export const SEED = 7;

const otherRecords = otherServer && (await fetchRecordIds(otherServer));

/** The ID of a record of the demo workspace. On another server, a similar record replaces it, or the test is skipped. */
export const demoId = (name: string): string =>
  otherRecords ? (otherRecords.get(name) ?? `demo record: ${name}`) : createUuid(SEED, `demo ${name}`);

/** An in-memory sandbox with demo data, a clock that tests set, and a log of received calls. */
export interface TestSandbox extends Sandbox {
  /** Unix seconds. */
  now: number;
  readonly received: ReceivedCall[];
}

export interface TestSandboxOptions extends Partial<SandboxOptions> {
  /** Seed of the demo data. `demoId` only supports the default. */
  readonly seed?: number;
  readonly sizes?: Sizes;
}

/** Databases with demo data, by seed and sizes. */
const snapshots = new Map<string, Snapshot>();

/** Creates demo data at the time `START`. The first world for a seed and sizes takes 150 ms. Later ones are copies of it, which take 1 ms. */
export function createDemoWorld(clock: () => number, seed = SEED, sizes = SMALL): World {
  const key = JSON.stringify([seed, sizes]);
  let data = snapshots.get(key);
  if (!data) {
    const seeded = openWorld({ data: ':memory:', seed, clock: () => START * 1000 }, sizes);
    data = seeded.store.takeSnapshot();
    seeded.close();
    snapshots.set(key, data);
  }
  return openWorld({ data, seed, clock }, sizes);
}

/** All rows of the sandbox as text, to search for what must not be stored. */
export function printRows({ world: { store } }: Sandbox): string {
  const tables = store.all<{ name: string }>("SELECT name FROM main.sqlite_schema WHERE type = 'table'");
  return JSON.stringify(
    tables.map(({ name }) =>
      store
        .rows(`SELECT * FROM main.${name}`)
        .map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)))),
    ),
  );
}

export async function openSandbox({ seed, sizes, world, onCall, ...options }: TestSandboxOptions = {}): Promise<TestSandbox> {
  const received: ReceivedCall[] = [];
  const clock = { now: START };
  const sandbox = await startSandbox(
    {
      world: world ?? createDemoWorld(() => clock.now * 1000, seed, sizes),
      rateLimit: { limit: 1_000_000, windowSeconds: 60 },
      sendsDefaults: true,
      deprecations: new Map(),
      onCall: (call, details) => {
        received.push(call);
        onCall?.(call, details);
      },
      onResponse: appendSecrets,
      ...options,
    },
    0,
  );
  return {
    ...sandbox,
    received,
    get now() {
      return clock.now;
    },
    set now(value: number) {
      clock.now = value;
    },
  };
}

const PREFIX = '/public-api/publicapi.v1.';

export interface CallResult {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body. Fields with default values may be omitted. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses
  readonly body: any;
}

/** Calls an operation over HTTP. Resolves to `{ status, headers, body }`. */
export async function post(url: string, key: string, operation: string, request: unknown): Promise<CallResult> {
  const response = await fetch(`${url}${PREFIX}${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** The same helpers for another server. Tests that need a sandbox are skipped. */
function useOtherServer(server: OtherServer) {
  const send = (path: string, init: RequestInit = {}) => {
    requireSendable(server, path, typeof init.body === 'string' ? init.body : '');
    const headers = Object.entries(init.headers ?? {}).map(([name, value]) => [name, String(value).replace('demo-owner', server.key)]);
    return fetch(`${server.url}${path}`, { ...init, headers: Object.fromEntries(headers) });
  };
  const callAs = async (key: string, operation: string, request: unknown) => {
    if (key !== 'demo-owner') skip(`it requires the key ${key}`);
    requireSendable(server, `${PREFIX}${operation}`, JSON.stringify(request));
    return post(server.url, server.key, operation, request);
  };
  return {
    get sandbox(): TestSandbox {
      return skip('it accesses the sandbox directly');
    },
    requiresDemoData: () => skip('it depends on the content or the time of the demo data'),
    fetch: send,
    call: (operation: string, request: unknown) => callAs('demo-owner', operation, request),
    callAs,
  };
}

/** A sandbox for the tests of one file, started before them and closed after them. If `FIDELITY_URL` is set, tests use that server instead. */
export function useSandbox(options: TestSandboxOptions = {}) {
  if (otherServer) return useOtherServer(otherServer);
  let sandbox: TestSandbox | undefined;
  beforeAll(async () => {
    sandbox = await openSandbox(options);
  });
  afterAll(() => sandbox?.close());
  const getSandbox = () => {
    if (!sandbox) throw new Error('The sandbox is open only while tests run.');
    return sandbox;
  };
  return {
    /** The sandbox itself. Tests that only use HTTP don't need it, so they can also run against another server. */
    get sandbox() {
      return getSandbox();
    },
    /** Marks a test that depends on the content or the time of the demo data. It's skipped on another server. */
    requiresDemoData: () => undefined,
    /** Sends a request to a path of the sandbox. */
    fetch: (path: string, init: RequestInit = {}) => fetch(`${getSandbox().url}${path}`, init),
    /** Calls an operation as `demo-owner`, who has all permissions. */
    call: (operation: string, request: unknown) => post(getSandbox().url, 'demo-owner', operation, request),
    callAs: (key: string, operation: string, request: unknown) => post(getSandbox().url, key, operation, request),
  };
}
