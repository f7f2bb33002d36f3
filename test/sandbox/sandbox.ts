import { afterAll, beforeAll } from 'vitest';
import { openWorld, SMALL } from '../../sandbox/demo.ts';
import type { Sizes } from '../../sandbox/kernel/plan.ts';
import { uuid } from '../../sandbox/kernel/random.ts';
import type { ReceivedCall, Sandbox, SandboxOptions } from '../../sandbox/kernel/server.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { startSandbox } from '../../sandbox/serve.ts';
import { type OtherServer, otherServer, recordsOf, requireSendable, skip } from '../support/otherServer.ts';
import { noteSecrets } from '../support/secrets.ts';

/** The moment at which every test's clock stands, in Unix seconds: 2026-03-02 09:00 UTC. */
export const START = 1_772_442_000;

/** Seed of a test's demo data, unless the test gives another. */
export const SEED = 7;

const otherRecords = otherServer && (await recordsOf(otherServer));

/** The id of a record of the demo workspace, by its name. Another server has one that stands for it, or the test that sends this is skipped. */
export const demoId = (name: string): string =>
  otherRecords ? (otherRecords.get(name) ?? `demo record: ${name}`) : uuid(SEED, `demo ${name}`);

/** A sandbox with demo data in memory, a clock that only moves when told, and a log of the calls it received. */
export interface TestSandbox extends Sandbox {
  /** Unix seconds. */
  now: number;
  readonly received: ReceivedCall[];
}

export interface TestSandboxOptions extends Partial<SandboxOptions> {
  /** Of the demo data; `demoId` takes the usual one. */
  readonly seed?: number;
  readonly sizes?: Sizes;
}

/** Seeded databases by seed and sizes. */
const snapshots = new Map<string, Uint8Array>();

/** Makes the demo data of the moment `START`. Later worlds are copies of the first of their seed and sizes: seeding takes 150 ms, a copy 1 ms. */
export function demoWorld(clock: () => number, seed = SEED, sizes = SMALL): World {
  const key = JSON.stringify([seed, sizes]);
  let data = snapshots.get(key);
  if (!data) {
    const seeded = openWorld({ data: ':memory:', seed, clock: () => START * 1000 }, sizes);
    data = seeded.store.serialize();
    seeded.close();
    snapshots.set(key, data);
  }
  return openWorld({ data, seed, clock }, sizes);
}

export async function openSandbox({ seed, sizes, world, ...options }: TestSandboxOptions = {}): Promise<TestSandbox> {
  const received: ReceivedCall[] = [];
  const clock = { now: START };
  const sandbox = await startSandbox(
    {
      world: world ?? demoWorld(() => clock.now * 1000, seed, sizes),
      rateLimit: { limit: 1_000_000, windowSeconds: 60 },
      sendsDefaults: true,
      deprecations: new Map(),
      onCall: (call) => received.push(call),
      onAnswer: noteSecrets,
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

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body. Fields that hold their default may be absent. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
  readonly body: any;
}

/** Calls one operation over HTTP, as `{ status, headers, body }`. */
export async function post(url: string, key: string, operation: string, request: unknown): Promise<Answer> {
  const response = await fetch(`${url}${PREFIX}${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** The same for another server: a test that asks for what only a sandbox has is skipped. */
function useOtherServer(server: OtherServer) {
  const send = (path: string, init: RequestInit = {}) => {
    requireSendable(server, path, typeof init.body === 'string' ? init.body : '');
    const headers = Object.entries(init.headers ?? {}).map(([name, value]) => [name, String(value).replace('demo-owner', server.key)]);
    return fetch(`${server.url}${path}`, { ...init, headers: Object.fromEntries(headers) });
  };
  const callAs = async (key: string, operation: string, request: unknown) => {
    if (key !== 'demo-owner') skip(`it takes the key ${key}`);
    requireSendable(server, `${PREFIX}${operation}`, JSON.stringify(request));
    return post(server.url, server.key, operation, request);
  };
  return {
    get sandbox(): TestSandbox {
      return skip('it looks into the sandbox');
    },
    takesDemoData: () => skip('it expects what the demo data has, or their moment'),
    fetch: send,
    call: (operation: string, request: unknown) => callAs('demo-owner', operation, request),
    callAs,
  };
}

/** A sandbox for the tests of one file: started before them, closed after them. Or the server that `FIDELITY_URL` names. */
export function useSandbox(options: TestSandboxOptions = {}) {
  if (otherServer) return useOtherServer(otherServer);
  let sandbox: TestSandbox | undefined;
  beforeAll(async () => {
    sandbox = await openSandbox(options);
  });
  afterAll(() => sandbox?.close());
  const opened = () => {
    if (!sandbox) throw new Error('The sandbox is open only while tests run.');
    return sandbox;
  };
  return {
    /** The sandbox from within. Tests that go through HTTP alone do without, and can be run against another server. */
    get sandbox() {
      return opened();
    },
    /** Says of a test that another server cannot show it, since it expects what the demo data has, or their moment. */
    takesDemoData: () => undefined,
    /** Sends a request to a path of it. */
    fetch: (path: string, init: RequestInit = {}) => fetch(`${opened().url}${path}`, init),
    /** Calls as `demo-owner`, who may do everything. */
    call: (operation: string, request: unknown) => post(opened().url, 'demo-owner', operation, request),
    callAs: (key: string, operation: string, request: unknown) => post(opened().url, key, operation, request),
  };
}
