import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../cli/verify/command.ts';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { killAll, startGraph } from '../../support/faults/process.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { AssignmentFile } from '../../support/signIn.ts';
import { postQuery } from '../../support/testGraph.ts';
import { type OidcProvider, startOidcProvider } from './provider.ts';
import { createSignalSender, createSignInEnv } from './signedInGraph.ts';

const file = new AssignmentFile({ alice: { key: 'demo-owner' } });
let sandbox: TestSandbox;
let provider: OidcProvider;
beforeAll(async () => {
  [sandbox, provider] = await Promise.all([openSandbox(), startOidcProvider()]);
});
afterAll(async () => {
  await killAll();
  await Promise.all([sandbox.close(), provider.stop()]);
});

/** `OK`, or the reason why a request of a client is refused. */
async function getReason(url: string, client: string): Promise<unknown> {
  const { data, errors } = await postQuery(url, await provider.requestToken(client), '{ viewer { workspace { name } } }');
  return data?.viewer?.workspace ? 'OK' : errors?.[0]?.extensions.reason;
}

describe('assignments of API keys', () => {
  it('expire on SIGHUP if they were removed from their file', async () => {
    const env = createSignInEnv(provider.issuer, sandbox.url, `file:${file.path}`);
    const graph = await startGraph(env, createSignalSender('SIGHUP'));
    expect(await getReason(graph.url, 'alice')).toBe('OK');
    file.write({ bob: { key: 'demo-owner' } });
    expect(await getReason(graph.url, 'alice')).toBe('OK');
    expect(await graph.requestMessage()).toBe('received');
    expect(await getReason(graph.url, 'alice')).toBe('NO_KEY_ASSIGNED');
    expect(await getReason(graph.url, 'bob')).toBe('OK');
  });

  it('can be in a variable', async () => {
    const env = createSignInEnv(provider.issuer, sandbox.url, 'env:ASSIGNED_KEYS');
    const { url } = await startGraph({ ...env, ASSIGNED_KEYS: JSON.stringify({ alice: { key: 'demo-owner' } }) });
    expect([await getReason(url, 'alice'), await getReason(url, 'bob')]).toEqual(['OK', 'NO_KEY_ASSIGNED']);
  });

  it('prevent the start without their content if they’re invalid', async () => {
    const env = createSignInEnv(provider.issuer, sandbox.url, 'env:ASSIGNED_KEYS');
    const start = startGraph({ ...env, ASSIGNED_KEYS: '{"alice": {"key": "demo-owner"' });
    await expect(start).rejects.toThrow(
      'before it was ready. AUTH_KEYS: ASSIGNED_KEYS must contain a JSON object of claim values and their assignments.\n',
    );
  });

  describe.skipIf(!hasRedis)(`assignments in Redis${redisNote}`, () => {
    // Not durable, because its file would contain API keys.
    const redis = useRedis();
    const PREFIX = 'api keys:';
    const getLocation = () => `${redis.url}/3?prefix=${encodeURIComponent(PREFIX)}`;
    const assign = async (...names: readonly string[]) => {
      const client = await createClient({ url: `${redis.url}/3` }).connect();
      for (const name of names) await client.set(name, JSON.stringify({ key: 'demo-owner' }));
      client.destroy();
    };
    beforeAll(() => assign(`${PREFIX}alice`, `${PREFIX}bob`, 'stranger'));

    it('use the prefix of their keys, and remain in use while Redis is unreachable', async () => {
      const { url } = await startGraph(createSignInEnv(provider.issuer, sandbox.url, getLocation()));
      expect([await getReason(url, 'alice'), await getReason(url, 'stranger')]).toEqual(['OK', 'NO_KEY_ASSIGNED']);
      await redis.stop();
      expect([await getReason(url, 'alice'), await getReason(url, 'bob')]).toEqual(['OK', 'SIGN_IN_UNAVAILABLE']);
      await redis.start();
      await assign(`${PREFIX}alice`, `${PREFIX}bob`);
      await expect.poll(() => getReason(url, 'bob')).toBe('OK');
    });

    it('appear in the report of verify --accounts', async () => {
      const out: string[] = [];
      const output = { out: (text: string) => void out.push(text), err: (text: string) => void out.push(text) };
      const args = ['verify', '--url', sandbox.url, '--account', 'alice', '--account', 'stranger'];
      expect(await runCommand(args, { AUTH_KEYS: getLocation() }, output)).toBe(1);
      expect(out.join('').split('\n')).toEqual([
        '2 accounts, 1 with a problem.',
        'OK             alice',
        'NO_KEY         stranger  No API key is assigned.',
        '',
      ]);
    });
  });
});
