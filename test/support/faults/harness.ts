import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, expect } from 'vitest';
import { openWorld, SMALL } from '../../../sandbox/demo.ts';
import type { ReceivedCall, Sandbox } from '../../../sandbox/kernel/server.ts';
import { startSandbox } from '../../../sandbox/serve.ts';
import type { LedgerStore } from '../../../src/ledger/entry.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { type Clock as Clocks, systemClock } from '../../../src/lib/clock.ts';
import { startApp } from '../../../src/server/app.ts';
import { openUpstream } from '../../../src/server/openUpstream.ts';
import { getSubgraphOptions, readConfig } from '../../../src/server/settings/config.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import type { Upstream } from '../../../src/upstream/client.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import type { Transport } from '../../../src/upstream/transport/transport.ts';
import { getGraph } from '../getGraph.ts';
import { openTestWorkspace, type TestWorkspace } from './effects.ts';
import { isReadCall } from './reads.ts';

/** Maximum duration of an attempt with an idempotency key, in milliseconds. */
export const LEASE_MS = 50_000;

/** A sandbox whose data survives restarts. */
export interface DurableSandbox {
  readonly url: string;
  readonly workspace: TestWorkspace;
  readonly world: Sandbox['world'];
  readonly faults: Sandbox['faults'];
  /** Received operations in order, except `Me`. */
  readonly received: string[];
  /** Resolves when the next call of the operation arrives. */
  waitForCall(operation: string): Promise<void>;
  /** Stops it immediately and restarts it at the same URL. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox with its own database in the folder. */
export async function openDurableSandbox(folder: string): Promise<DurableSandbox> {
  const received: string[] = [];
  const awaited = new Map<string, PromiseWithResolvers<void>>();
  const onCall = ({ operation }: ReceivedCall) => {
    if (operation === 'Workspace/Me') return;
    received.push(operation);
    awaited.get(operation)?.resolve();
    awaited.delete(operation);
  };
  // This machine's clock, so that records are newer than the requests that create them.
  const open = (port: number) =>
    startSandbox(
      {
        world: openWorld({ data: join(folder, 'sandbox.sqlite'), seed: 7, clock: Date.now }, SMALL),
        rateLimit: { limit: 1_000_000, windowSeconds: 60 },
        sendsDefaults: true,
        deprecations: new Map(),
        onCall,
      },
      port,
    );
  let sandbox = await open(0);
  const { url } = sandbox;
  const opened = await openTestWorkspace(url, 'demo-owner', sandbox.world.store);
  const stage: TestWorkspace = {
    ...opened,
    get store() {
      return sandbox.world.store;
    },
  };
  return {
    url,
    received,
    workspace: stage,
    get world() {
      return sandbox.world;
    },
    get faults() {
      return sandbox.faults;
    },
    waitForCall: (operation) => {
      const next = awaited.get(operation) ?? Promise.withResolvers<void>();
      awaited.set(operation, next);
      return next.promise;
    },
    restart: async () => {
      await sandbox.close();
      sandbox = await open(Number(new URL(url).port));
    },
    close: () => sandbox.close(),
  };
}

/** A folder for the files of one test file. */
export function useFolder(): { readonly path: string } {
  let path = '';
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'faults-'));
  });
  return {
    get path() {
      return path;
    },
  };
}

/** A clock that advances during waits, so that they end at once. */
export class Clock implements Clocks {
  #ahead = 0;
  readonly unixMs = () => systemClock.unixMs() + this.#ahead;
  readonly monotonicMs = () => systemClock.monotonicMs() + this.#ahead;

  advance(ms: number): void {
    this.#ahead += ms;
  }
}

export interface GraphOptions {
  readonly upstreamUrl: string;
  readonly clock: Clock;
  readonly store: LedgerStore;
  /** Receives what the ledger logs. */
  readonly onFailure?: (error: unknown) => void;
}

/** A graph whose parts can be made to fail. */
export interface Graph {
  readonly url: string;
  /** Clears what the graph has learned about its upstream, so that faults don't affect later ones, and loads the permissions of the keys. */
  reset(): Promise<void>;
  /** Inserts a transport between the graph and the upstream, and closes the previous one. Null only closes it. */
  intercept(transport: Transport | null): Promise<void>;
  /** Called during every wait before a retry. */
  onWait: () => Promise<void>;
  readonly direct: Transport;
  close(): Promise<void>;
}

export async function openGraph(
  { upstreamUrl, clock, store, onFailure = () => {} }: GraphOptions,
  keys: readonly string[] = ['demo-owner'],
): Promise<Graph> {
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', MAX_EVENT_LOOP_DELAY_MS: '60000', UPSTREAM_URL: upstreamUrl });
  const logger = pino({ level: 'silent' });
  const direct = httpTransport({ url: upstreamUrl, connections: 32 });
  let between: Transport | null = null;
  const transport: Transport = { send: (request) => (between ?? direct).send(request), close: async () => {} };
  const wait = async (ms: number) => {
    clock.advance(ms);
    await graph.onWait();
  };
  const open = () => openUpstream(config, undefined, logger, { transport, clock, wait, random: () => 0 });
  let upstream: Upstream = open();
  const app = await startApp({
    config,
    graph: getGraph(getSubgraphOptions(config)),
    logger,
    upstream: {
      contract: upstream.contract,
      drifts: upstream.drifts,
      load: () => upstream.load(),
      openSession: (key, id) => upstream.openSession(key, id),
      getSender: (credential) => upstream.getSender(credential),
      waitToWork: (sender, work) => upstream.waitToWork(sender, work),
      probe: () => upstream.probe(),
      close: () => upstream.close(),
    },
    ledger: new Ledger({ store, leaseMs: LEASE_MS, clock, onFailure }),
  });
  const graph: Graph = {
    url: app.url,
    direct,
    onWait: async () => {},
    intercept: async (next) => {
      const before = between;
      between = next;
      await before?.close();
    },
    reset: async () => {
      await upstream.close();
      upstream = open();
      await Promise.all(keys.map((key) => upstream.openSession(createKeyCredential(key), 'renewed').access.getGrants()));
    },
    close: async () => {
      await app.close();
      await direct.close();
    },
  };
  return graph;
}

/** Held calls. */
interface HeldCalls {
  /** Resolves when this many calls are held. */
  waitForCalls(calls: number): Promise<void>;
  release(): void;
}

/** Holds writes before they are sent to the upstream, or after its response, until the next `intercept`. */
export async function holdWrites(graph: Graph, where: 'before' | 'after'): Promise<HeldCalls> {
  const released = Promise.withResolvers<void>();
  let held = 0;
  const wait = () => {
    held += 1;
    return released.promise;
  };
  await graph.intercept({
    close: async () => {},
    send: async (request) => {
      if (isReadCall(request.path)) return graph.direct.send(request);
      if (where === 'before') await wait();
      const response = await graph.direct.send(request);
      if (where === 'after') await wait();
      return response;
    },
  });
  return { waitForCalls: async (calls) => void (await expect.poll(() => held).toBe(calls)), release: released.resolve };
}
