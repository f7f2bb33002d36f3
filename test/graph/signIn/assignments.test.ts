import { chmodSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { startIdentityProvider } from '../../support/identityProvider.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const clock = new TestClock();
const provider = await startIdentityProvider(clock.unixMs);
afterAll(() => provider.close());
const ENTRIES = { alice: { key: 'demo-owner' }, planners: { key: 'demo-owner' }, sales: { key: 'demo-reader' } };
const assignments = new AssignmentFile(ENTRIES);
const testGraph = useTestGraph({}, undefined, { clock, env: { ...createSignInSettings(provider, assignments), AUTH_CLAIM: 'sub' } });
const byGroup = useTestGraph({}, undefined, {
  clock,
  env: { ...createSignInSettings(provider, assignments), AUTH_CLAIM: 'access.groups', AUTH_TOKEN_TYPE: 'any', AUTH_API_KEYS: 'false' },
});

const MINUTE_MS = 60_000;

function advance(ms: number): void {
  clock.now += ms;
}

beforeEach(() => advance(10 * MINUTE_MS));
afterEach(() => assignments.write(ENTRIES));

const QUERY = '{ customers(first: 1) { nodes { title } } }';

const execute = (token: string, headers: Record<string, string> = {}, url = testGraph.url) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ query: QUERY }),
  });

/** The reason of a refusal. `OK` if the request was executed. */
async function getReason(response: Response): Promise<unknown> {
  const { data, errors } = (await response.json()) as { data?: { customers?: object }; errors?: { extensions: { reason?: string } }[] };
  return data?.customers ? 'OK' : errors?.[0]?.extensions.reason;
}

const executeAs = async (subject: string) => getReason(await execute(await provider.issue(subject)));

describe('assignments of API keys', () => {
  it('end within half a minute after they are removed', async () => {
    expect(await executeAs('alice')).toBe('OK');
    assignments.write({ sales: ENTRIES.sales });
    expect(await executeAs('alice')).toBe('OK');
    advance(31_000);
    expect(await executeAs('alice')).toBe('NO_KEY_ASSIGNED');
    assignments.write(ENTRIES);
    advance(6_000);
    expect(await executeAs('alice')).toBe('OK');
  });

  it('replace the API key and the scopes of an account within half a minute', async () => {
    const token = await provider.issue('alice');
    expect(await getReason(await execute(token))).toBe('OK');
    for (const [entry, reason] of [
      [{ key: 'demo-owner', scopes: ['me:read'] }, 'ACCOUNT_SCOPE'],
      [{ key: 'demo-owner' }, 'OK'],
      [{ key: 'demo-revoked' }, 'KEY_REFUSED'],
    ] as const) {
      assignments.write({ alice: entry });
      advance(31_000);
      expect(await getReason(await execute(token))).toBe(reason);
    }
  });

  it('refuse tokens that were issued before an account was signed out', async () => {
    const token = await provider.issue('alice');
    expect(await getReason(await execute(token))).toBe('OK');
    assignments.write({ alice: { key: 'demo-owner', issuedAfter: Math.floor(clock.now / 1000) + 1 } });
    advance(31_000);
    expect(await getReason(await execute(token))).toBe('TOKEN_REVOKED');
    expect(await executeAs('alice')).toBe('OK');
  });

  it.each([
    ['others can read the file', () => chmodSync(assignments.path, 0o644)],
    ['the file isn’t complete', () => assignments.write('{"alice": {"key": "demo')],
    ['the file doesn’t exist', () => rmSync(assignments.path)],
  ])('remain in use for some minutes if %s', async (_name, damage) => {
    expect(await executeAs('alice')).toBe('OK');
    damage();
    advance(4 * MINUTE_MS);
    expect(await executeAs('alice')).toBe('OK');
    advance(2 * MINUTE_MS);
    const response = await execute(await provider.issue('alice'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'SIGN_IN_UNAVAILABLE', retry: 'SAFE', retryAfterSeconds: 2 } }],
    });
    assignments.write(ENTRIES);
    chmodSync(assignments.path, 0o600);
    expect(await executeAs('alice')).toBe('OK');
  });

  it('can be selected by a claim with several values', async () => {
    const executeFor = async (groups: unknown, workspace?: string) =>
      getReason(
        await execute(
          await provider.issue('someone', { claims: { access: { groups } }, header: { typ: 'JWT' } }),
          workspace === undefined ? {} : { 'x-workspace': workspace },
          byGroup.url,
        ),
      );
    expect(await executeFor(['planners', 'others'])).toBe('OK');
    expect(await executeFor('planners')).toBe('OK');
    expect(await executeFor(['planners', 'sales'])).toBe('AMBIGUOUS_KEY');
    expect(await executeFor(['planners', 'sales'], 'planners')).toBe('OK');
    expect(await executeFor(['planners', 'sales'], 'alice')).toBe('NO_KEY_ASSIGNED');
    expect(await executeFor('planners', 'sales')).toBe('NO_KEY_ASSIGNED');
    for (const groups of [[], ['__proto__'], {}, 5, null]) expect(await executeFor(groups)).toBe('NO_KEY_ASSIGNED');
  });

  it('can be the only way to get access', async () => {
    const [reason, calls] = await byGroup.recordCalls(async () => getReason(await execute('demo-owner', {}, byGroup.url)));
    expect([reason, calls]).toEqual(['API_KEYS_DISABLED', []]);
  });
});
