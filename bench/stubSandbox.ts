// The sandbox of the stub. Runs in a worker, and posts its URL.
import { parentPort } from 'node:worker_threads';
import { FULL, openWorld } from '../sandbox/demo.ts';
import { startSandbox } from '../sandbox/serve.ts';
import { SEED } from './work.ts';

const { url } = await startSandbox(
  {
    world: openWorld({ data: ':memory:', seed: SEED, clock: Date.now }, FULL),
    rateLimit: { limit: Number.MAX_SAFE_INTEGER, windowSeconds: 60 },
    // Sends default values, as the upstream does, which makes responses longer.
    sendsDefaults: true,
    deprecations: new Map(),
  },
  0,
);
parentPort?.postMessage(url);
