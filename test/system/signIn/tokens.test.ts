import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { demoId, openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';
import { openRelay, type Relay } from '../../support/faults/relay.ts';
import { readParts } from '../../support/parts.ts';
import { AssignmentFile } from '../../support/signIn.ts';
import { postQuery } from '../../support/testGraph.ts';
import { type OidcProvider, startOidcProvider } from './provider.ts';
import { createSettableClock, createSignInEnv } from './signedInGraph.ts';

const keys = new AssignmentFile({ alice: { key: 'demo-owner' }, bob: { key: 'demo-owner', scopes: ['me:read'] } });
/** Longer than the interval at which signing keys are read. */
const STEP_MS = 40_000;
/** Lifetime of a token that expires with one step, in seconds. */
const SHORT_LIFETIME_S = 20;

let sandbox: TestSandbox;
let relay: Relay;
let provider: OidcProvider;
let graph: GraphProcess;
beforeAll(async () => {
  [sandbox, provider] = await Promise.all([openSandbox(), startOidcProvider()]);
  relay = await openRelay(sandbox.url);
  graph = await startSignedInGraph(provider, createSettableClock(STEP_MS));
});
afterAll(async () => {
  await killAll();
  await Promise.all([relay.close(), sandbox.close(), provider.stop()]);
});

const startSignedInGraph = ({ issuer }: OidcProvider, nodeOptions: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  startGraph({ ...createSignInEnv(issuer, relay.url, `file:${keys.path}`), ...env }, nodeOptions);

const NAME = '{ viewer { workspace { name } } }';

/** The name of the workspace, or the reason of the refusal. */
async function readName(url: string, token: string): Promise<unknown> {
  const { data, errors } = await postQuery(url, token, NAME);
  return data?.viewer?.workspace?.name ?? errors?.[0]?.extensions.reason;
}

describe('tokens of a provider', () => {
  it('give access with the API key that is assigned to the client', async () => {
    expect(await readName(graph.url, await provider.requestToken('alice'))).toBe('Demo Works');
    const { data, errors } = await postQuery(graph.url, await provider.requestToken('bob'), '{ products(first: 1) { nodes { id } } }');
    expect([data?.products ?? null, errors?.[0]?.extensions.reason]).toEqual([null, 'ACCOUNT_SCOPE']);
    expect(await readName(graph.url, await provider.requestToken('stranger'))).toBe('NO_KEY_ASSIGNED');
    expect(await readName(graph.url, await provider.requestToken('alice', 'https://graph.example/mcp'))).toBe('TOKEN_INVALID');
  });

  it('work after the provider replaces its keys, and get 401 if their key was removed', async () => {
    const [known, old] = [await provider.requestToken('alice'), await provider.requestToken('alice')];
    expect(await readName(graph.url, known)).toBe('Demo Works');
    provider.rotateKeys(true);
    await graph.requestMessage();
    const overlapping = await provider.requestToken('alice');
    expect(await readName(graph.url, overlapping)).toBe('Demo Works');
    expect(await readName(graph.url, old)).toBe('Demo Works');
    const unused = await provider.requestToken('alice');
    provider.rotateKeys(false);
    await graph.requestMessage();
    expect(await readName(graph.url, await provider.requestToken('alice'))).toBe('Demo Works');
    expect(await readName(graph.url, unused)).toBe('TOKEN_INVALID');
  });
});

describe('unreachable provider', () => {
  it('doesn’t prevent the start, and tokens are accepted as soon as it’s reachable', async () => {
    const late = await startOidcProvider();
    const token = await late.requestToken('alice');
    await late.stop();
    const { url } = await startSignedInGraph(late);
    const { status, headers, errors } = await postQuery(url, token, NAME);
    expect([status, headers.get('retry-after'), errors?.[0]?.extensions.code]).toEqual([503, '2', 'SIGN_IN_UNAVAILABLE']);
    expect(await readName(url, 'demo-owner')).toBe('Demo Works');
    await late.start();
    await expect.poll(() => readName(url, token)).toBe('Demo Works');
    // Its keys are known now.
    const another = await late.requestToken('alice');
    await late.stop();
    expect(await readName(url, another)).toBe('Demo Works');
  });

  it('prevents the start if it names another issuer', async () => {
    const start = startSignedInGraph({ ...provider, issuer: `${provider.issuer}/` });
    const message = `AUTH_ISSUER: The provider’s configuration names the issuer ${provider.issuer}, not ${provider.issuer}/. Correct AUTH_ISSUER.`;
    await expect(start).rejects.toThrow(`ended with 1 before it was ready. ${message}\n`);
  });
});

describe('token that expires during a request', () => {
  it('doesn’t affect queries that are being executed, nor deferred parts of their responses', async () => {
    const shortLived = await startOidcProvider(SHORT_LIFETIME_S);
    onTestFinished(() => shortLived.stop());
    const expiring = await startSignedInGraph(shortLived, createSettableClock(STEP_MS));
    const token = await shortLived.requestToken('alice');
    const held = relay.holdCalls('Customer/ListCustomerTimelineEvents');
    const events = 'timelineEvents(first: 2) { nodes { rawId } }';
    const whole = postQuery(expiring.url, token, `{ customer(id: "${demoId('customer 0')}") { title ${events} } }`);
    const deferred = await fetch(`${expiring.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: `{ customer(id: "${demoId('customer 1')}") { title ... @defer { ${events} } } }` }),
    });
    if (!deferred.body) throw new Error('A response in parts must have a body.');
    const parts = readParts(deferred.body);
    const { value: first } = await parts.next();
    expect(first).toMatchObject({ data: { customer: { title: expect.any(String) } }, hasNext: true });
    await held.waitForCalls(2);
    await expiring.requestMessage();
    expect(await readName(expiring.url, token)).toBe('TOKEN_EXPIRED');
    held.release();
    const nodes = [{ rawId: expect.any(String) }, { rawId: expect.any(String) }];
    const { data, errors } = await whole;
    expect([data?.customer, errors]).toEqual([{ title: expect.any(String), timelineEvents: { nodes } }, undefined]);
    const rest = [];
    for await (const part of parts) rest.push(...(part.incremental ?? []));
    expect(rest).toMatchObject([{ data: { timelineEvents: { nodes } } }]);
  });
});
