import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../sandbox/serve.ts';
import { FOREIGN_HOSTS, getStatuses, LOCAL_HOSTS } from '../../support/hosts.ts';
import { createDemoWorld, useSandbox } from '../sandbox.ts';

const READY = '/health/ready';

const opened = useSandbox();

describe('Host header', () => {
  it('must name this machine if only this machine can reach the sandbox', async () => {
    const { url } = opened.sandbox;
    expect(await getStatuses(url, READY, FOREIGN_HOSTS)).toEqual(FOREIGN_HOSTS.map(() => 403));
    expect(await getStatuses(url, READY, LOCAL_HOSTS)).toEqual(LOCAL_HOSTS.map(() => 200));
  });

  it('can be any name if other machines can reach the sandbox', async () => {
    const options = {
      world: createDemoWorld(Date.now),
      rateLimit: { limit: 10, windowSeconds: 60 },
      sendsDefaults: true,
      deprecations: new Map(),
    };
    const shared = await startSandbox(options, 0, '0.0.0.0');
    const { port } = new URL(shared.url);
    expect(await getStatuses(`http://127.0.0.1:${port}`, READY, FOREIGN_HOSTS)).toEqual(FOREIGN_HOSTS.map(() => 200));
    await shared.close();
  });
});
