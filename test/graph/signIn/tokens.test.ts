import { createHmac, sign } from 'node:crypto';
import { request } from 'node:http';
import { CompactEncrypt, exportSPKI, generateKeyPair, importJWK, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { TestClock } from '../../support/clock.ts';
import { AUDIENCE, type Claims, createSigningKey, RESOURCE, startIdentityProvider } from '../../support/identityProvider.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const clock = new TestClock(0, Date.now());
const provider = await startIdentityProvider(clock.unixMs);
afterAll(() => provider.close());
const assignments = new AssignmentFile({ alice: { key: 'demo-owner' }, carol: { key: 'not a key of the sandbox'.replaceAll(' ', '-') } });
const lines: string[] = [];
const logger = createLogger('debug', { write: (line: string) => void lines.push(line) });
const testGraph = useTestGraph({}, undefined, {
  clock,
  logger,
  env: { ...createSignInSettings(provider, assignments), MCP: 'true', LIVE: 'on', ADMIN_PORT: '0' },
});

const QUERY = '{ customers(first: 1) { nodes { title } } }';
const POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: QUERY }) };

/** Requests of each kind with an Authorization header: the fast path, Yoga, a GET, incremental delivery, a subscription, and agent tools. */
const ENTRY_POINTS: Readonly<Record<string, (url: string, authorization: string) => Promise<Response>>> = {
  'a POST request': (url, authorization) => fetch(`${url}/graphql`, { ...POST, headers: { ...POST.headers, authorization } }),
  'a request to Yoga': (url, authorization) => fetch(`${url}/graphql/`, { ...POST, headers: { ...POST.headers, authorization } }),
  'a GET request': (url, authorization) => fetch(`${url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers: { authorization } }),
  'incremental delivery': (url, authorization) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed', authorization },
      body: JSON.stringify({ query: '{ ... @defer { customers(first: 1) { nodes { title } } } }' }),
    }),
  'a subscription': (url, authorization) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization },
      body: JSON.stringify({ query: 'subscription { recordsChanged(types: [CUSTOMER]) { ids } }' }),
    }),
  'agent tools': (url, authorization) =>
    fetch(`${url}/mcp`, {
      ...POST,
      headers: { ...POST.headers, accept: 'application/json, text/event-stream', authorization },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    }),
};

const post = (headers: Record<string, string>, query = QUERY) =>
  fetch(`${testGraph.url}/graphql`, { ...POST, headers: { ...POST.headers, ...headers }, body: JSON.stringify({ query }) });

const getExtensions = async (response: Response) =>
  ((await response.json()) as { errors: { extensions: Record<string, unknown> }[] }).errors[0]?.extensions;

/** Values of a claim with a time that no provider issues, in JSON. */
const INVALID_TIMES = [
  '1e400',
  '-1e400',
  '1e300',
  '-1',
  '9007199254740992',
  '"1e400"',
  '"NaN"',
  '""',
  'null',
  'true',
  '[1700000000]',
  '{}',
];

/** Tokens that must be refused, by what is wrong with them. Created from a valid one. */
async function createHostileTokens(): Promise<Readonly<Record<string, string>>> {
  const [own] = provider.keys;
  if (!own) throw new Error('The provider has no key.');
  const foreign = await createSigningKey(own.kid);
  const rsa = await generateKeyPair('RS256');
  const claims = provider.createClaims('alice');
  const now = claims.iat as number;
  const issue = (changes: object, header = {}, key = own) => provider.issue('alice', { claims: { ...changes }, header, key });
  const encode = (value: object | string) =>
    (Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))).toString('base64url');
  const head = { alg: 'ES256', kid: own.kid, typ: 'at+jwt' };
  const signRaw = (header: object, payload: object | string, signature?: (input: string) => string) => {
    const input = `${encode(header)}.${encode(payload)}`;
    const signOwn = () =>
      sign('sha256', Buffer.from(input), { key: own.privateKey as never, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    return `${input}.${signature ? signature(input) : signOwn()}`;
  };
  const publicPem = await exportSPKI((await importJWK(own.publicJwk, 'ES256')) as CryptoKey);
  const hmac = (secret: string) => (input: string) => createHmac('sha256', secret).update(input).digest('base64url');
  const valid = await issue({});
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const withTime = (claim: string, json: string) => `{"${claim}":${json},${JSON.stringify({ ...claims, [claim]: undefined }).slice(1)}`;
  const times = ['exp', 'iat', 'nbf'].flatMap((claim) => INVALID_TIMES.map((json) => [claim, json] as const));
  return {
    ...Object.fromEntries(times.map(([claim, json]) => [`its ${claim} is ${json}`, signRaw(head, withTime(claim, json))])),
    'it expired a fraction of a second longer ago than clocks differ': await issue({ exp: now - 5.001 }),
    'it expired an hour ago': await issue({ iat: now - 7_200, exp: now - 3_600 }),
    'it expired longer ago than clocks differ': await issue({ exp: now - 6 }),
    'it isn’t valid yet': await issue({ nbf: now + 3_600 }),
    'it was issued in the future': await issue({ iat: now + 3_600, exp: now + 7_200 }),
    'it never expires': await issue({ exp: undefined }),
    'it has no time of issue': await issue({ iat: undefined }),
    'it has no subject': await issue({ sub: undefined }),
    'its subject is empty': await issue({ sub: '' }),
    'its subject is a list': await issue({ sub: ['alice'] }),
    'its expiry is a string': signRaw(head, { ...claims, exp: String(now + 300) }),
    'it was issued days ago and expires in a thousand years': await issue({ iat: now - 172_800, exp: now + 31_536_000_000 }),
    'its issuer is another one': await issue({ iss: 'https://evil.example' }),
    'its issuer ends with a slash': await issue({ iss: `${provider.issuer}/` }),
    'its audience is another one': await issue({ aud: 'https://other.example' }),
    'its audience is that of agent tools or of GraphQL requests, but not both': await issue({ aud: `${RESOURCE}/other` }),
    'it has no audience': await issue({ aud: undefined }),
    'its audience is a prefix': await issue({ aud: AUDIENCE.slice(0, -1) }),
    'it’s an ID token': await issue({}, { typ: 'JWT' }),
    'it’s a logout token': await issue({}, { typ: 'logout+jwt' }),
    'it has no type': await issue({}, { typ: undefined }),
    'it’s unsigned': new UnsecuredJWT(claims).encode(),
    'its algorithm is None': signRaw({ ...head, alg: 'None' }, claims, () => ''),
    'its algorithm is nOnE, with another signature': signRaw({ ...head, alg: 'nOnE' }, claims, () => signature),
    'it’s signed with the public key as a secret': signRaw({ ...head, alg: 'HS256' }, claims, hmac(publicPem)),
    'it’s signed with an empty secret': signRaw({ ...head, alg: 'HS256' }, claims, hmac('')),
    'its algorithm isn’t that of the key': signRaw({ ...head, alg: 'ES384' }, claims),
    'it’s signed with another key of the same ID': await issue({}, {}, foreign),
    'its key is unknown': await issue({}, { kid: 'unknown' }, foreign),
    'its key ID is a path': await issue({}, { kid: '../../../../dev/null' }, foreign),
    'its key ID is SQL': await issue({}, { kid: "' UNION SELECT 'x" }, foreign),
    'its header contains a key': await issue({}, { jwk: foreign.publicJwk, kid: undefined }, foreign),
    'its header refers to a key set': await issue({}, { jku: 'http://127.0.0.1:9/keys' }, foreign),
    'its header refers to a certificate': await issue({}, { x5u: 'http://127.0.0.1:9/certificate' }, foreign),
    'it has an unknown critical extension': signRaw({ ...head, crit: ['unknown'], unknown: 1 }, claims),
    'its payload isn’t encoded': signRaw({ ...head, b64: false, crit: ['b64'] }, claims),
    'its claims were changed': `${header}.${encode({ ...claims, sub: 'bob' })}.${signature}`,
    'its signature is truncated': `${header}.${payload}.${signature.slice(0, -4)}`,
    'it has no signature': `${header}.${payload}.`,
    'it has no dots': `eyJ${'x'.repeat(40)}`,
    'it’s followed by padding': `${valid}=`,
    'it’s in quotes': `"${valid}"`,
    'it contains a space': `${valid.slice(0, 40)} ${valid.slice(40)}`,
    'its payload is a list': signRaw(head, '[1]'),
    'one of its claims isn’t UTF-8': signRaw(head, Buffer.from(JSON.stringify({ ...claims, name: 'Zoë' }), 'latin1')),
    'its payload isn’t JSON': signRaw(head, 'alice'),
    'its payload names two subjects': signRaw(head, `${JSON.stringify(claims).slice(0, -1)},"sub":"unknown"}`),
    'its subject is __proto__': await issue({ sub: '__proto__' }),
    'its subject is constructor': await issue({ sub: 'constructor' }),
    'its subject contains a header': await issue({ sub: 'alice\nX-API-Key: demo-owner' }),
    'its subject has no API key': await issue({ sub: 'stranger' }),
    'it’s encrypted': await new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
      .encrypt((await generateKeyPair('RSA-OAEP-256')).publicKey),
    'it’s signed with RSA by another key': await issue({}, { alg: 'RS256' }, { ...foreign, privateKey: rsa.privateKey }),
    'it has 9 kB of claims': await issue({ more: 'x'.repeat(9_000) }),
  };
}

const hostile = await createHostileTokens();

/** Those whose key could be a new one of the provider. */
const UNKNOWN_KEYS = [
  'its key is unknown',
  'its key ID is a path',
  'its key ID is SQL',
  'its header contains a key',
  'it’s signed with RSA by another key',
];

/** Expects that each entry point refuses a token with one of these statuses, without an upstream call, and without repeating the token. */
async function expectRefusals(token: string, statuses: readonly number[]): Promise<void> {
  const before = testGraph.sandbox.received.length;
  const first = lines.length;
  for (const send of Object.values(ENTRY_POINTS)) {
    const response = await send(testGraph.url, `Bearer ${token}`);
    const text = await response.text();
    expect(statuses).toContain(response.status);
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(response.status === 401 ? /^Bearer error="invalid_token", resource_metadata="/ : /^$/);
    expect(text).not.toContain('"data"');
    for (const secret of [token, 'demo-owner']) expect(text + lines.slice(first).join('')).not.toContain(secret);
  }
  expect(testGraph.sandbox.received.slice(before)).toEqual([]);
}

describe('access tokens', () => {
  it('give access with the API key of their subject', async () => {
    const token = await provider.issue('alice');
    for (const name of ['a POST request', 'a request to Yoga', 'a GET request', 'incremental delivery']) {
      const text = await (await ENTRY_POINTS[name]?.(testGraph.url, `Bearer ${token}`))?.text();
      expect(text).toContain('"title"');
    }
    expect(await (await post({ authorization: 'Bearer demo-owner' })).text()).toContain('"title"');
  });

  it('require the audience of agent tools for these, and another one for GraphQL requests', async () => {
    const list = (token: string) => ENTRY_POINTS['agent tools']?.(testGraph.url, `Bearer ${token}`);
    const forTools = await provider.issue('alice', { claims: { aud: `${RESOURCE}/mcp` } });
    expect(await (await list(forTools))?.text()).toContain('"tools"');
    expect((await list(await provider.issue('alice')))?.status).toBe(401);
    expect((await post({ authorization: `Bearer ${forTools}` })).status).toBe(401);
  });

  it.each(Object.entries(hostile))('get 401 or 403 from every entry point without an upstream call if %s', async (name, token) => {
    // Within 30 seconds after a read of the provider's keys, a key that is first seen could be a new one.
    if (UNKNOWN_KEYS.includes(name)) clock.now += 31_000;
    await expectRefusals(token, [401, 403]);
  });

  it('can have times with decimal places, and be valid since 1970', async () => {
    const now = clock.now / 1000;
    const send = async (claims: Claims) => post({ authorization: `Bearer ${await provider.issue('alice', { claims })}` });
    expect(await (await send({ iat: now - 0.5, nbf: 0, exp: now + 0.5 })).text()).toContain('"title"');
    // Clocks can differ by 5 seconds.
    expect((await send({ nbf: Math.floor(now) + 5.001 })).status).toBe(401);
  });

  it('get a reason by which clients decide what to do', async () => {
    const now = provider.createClaims('alice').iat as number;
    const getRefusal = async (token: string) => {
      const response = await post({ authorization: `Bearer ${token}` });
      return [response.status, await getExtensions(response)];
    };
    const unauthenticated = (reason: string) => [401, { code: 'UNAUTHENTICATED', reason, retry: 'NEVER' }];
    expect(await getRefusal(await provider.issue('alice', { claims: { exp: now - 60 } }))).toEqual(unauthenticated('TOKEN_EXPIRED'));
    expect(await getRefusal(await provider.issue('alice', { claims: { aud: 'x' } }))).toEqual(unauthenticated('TOKEN_INVALID'));
    for (const padded of ['=', '==', '.', '.e30'])
      expect(await getRefusal((await provider.issue('alice')) + padded)).toEqual(unauthenticated('TOKEN_INVALID'));
    expect(await getRefusal(await provider.issue('stranger'))).toEqual([
      403,
      { code: 'FORBIDDEN', reason: 'NO_KEY_ASSIGNED', retry: 'NEVER' },
    ]);
  });

  it('report an API key that the upstream rejects as such, because signing in again wouldn’t help', async () => {
    const response = await post({ authorization: `Bearer ${await provider.issue('carol')}` });
    expect(response.status).toBe(200);
    expect(await getExtensions(response)).toEqual({ code: 'UNAUTHENTICATED', reason: 'KEY_REFUSED', retry: 'NEVER' });
  });

  it('must be the only credential of a request, in the Authorization header', async () => {
    const token = await provider.issue('alice');
    const before = testGraph.sandbox.received.length;
    const both = await post({ authorization: `Bearer ${token}`, 'x-api-key': 'demo-owner' });
    expect([both.status, (await getExtensions(both))?.reason]).toEqual([400, 'TWO_CREDENTIALS']);
    const asKey = await post({ 'x-api-key': token });
    expect([asKey.status, (await getExtensions(asKey))?.reason]).toEqual([400, 'TOKEN_AS_KEY']);
    // `fetch` would join them.
    const headers = ['authorization', `Bearer ${token}`, 'authorization', 'Bearer demo-owner', 'content-type', 'application/json'];
    const repeated = await new Promise<number | undefined>((resolve) => {
      const sent = request(`${testGraph.url}/graphql`, { method: 'POST', headers: ['host', 'graph.example', ...headers], agent: false });
      sent.on('response', (response) => resolve(response.resume().statusCode)).end('{}');
    });
    expect(repeated).toBe(400);
    expect(testGraph.sandbox.received.slice(before)).toEqual([]);
  });

  it('have no effect in cookies or URLs', async () => {
    const token = await provider.issue('alice');
    const byCookie = await post({ cookie: `access_token=${token}; token=${token}` });
    expect((await getExtensions(byCookie))?.code).toBe('UNAUTHENTICATED');
    const byUrl = await fetch(`${testGraph.url}/graphql?access_token=${token}`, POST);
    expect((await getExtensions(byUrl))?.code).toBe('UNAUTHENTICATED');
  });

  it('can be omitted in requests that read nothing of the workspace', async () => {
    expect(await (await post({}, '{ __typename }')).json()).toMatchObject({ data: { __typename: 'Query' } });
    const missing = (await (await post({})).json()) as { errors: { message: string }[] };
    expect(missing.errors[0]?.message).toContain('Missing access token. Sign in');
  });
});

describe('metrics', () => {
  it('count refused requests by reason', async () => {
    const count = async () => {
      const text = await (await fetch(`${testGraph.adminUrl}/metrics`)).text();
      return Number(/^sign_in_refusals_total\{reason="NO_KEY_ASSIGNED"\} (\d+)$/m.exec(text)?.[1]);
    };
    const before = await count();
    await post({ authorization: `Bearer ${await provider.issue('stranger')}` });
    expect(await count()).toBe(before + 1);
  });
});

describe('resource metadata', () => {
  it('names the provider, for pages of any origin', async () => {
    const [, url = ''] =
      /resource_metadata="([^"]+)"/.exec(
        (await ENTRY_POINTS['agent tools']?.(testGraph.url, 'Bearer eyJ'))?.headers.get('www-authenticate') ?? '',
      ) ?? [];
    expect(url).toBe(`${RESOURCE}/.well-known/oauth-protected-resource/mcp`);
    const response = await fetch(testGraph.url + new URL(url).pathname);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      resource: `${RESOURCE}/mcp`,
      authorization_servers: [provider.issuer],
      bearer_methods_supported: ['header'],
    });
  });

  it('has its URL in the challenge of a request to agent tools without a credential', async () => {
    const response = await fetch(`${testGraph.url}/mcp`, { ...POST, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource/mcp"`,
    ]);
  });
});

describe('access tokens during an outage of the provider', () => {
  beforeAll(() => {
    // More than the interval at which the provider is read.
    clock.now += 31_000;
    provider.outage = (_request, response) => void response.writeHead(503).end();
    provider.requests.length = 0;
  });
  afterAll(() => {
    provider.outage = null;
  });

  it.each(Object.entries(hostile))('get 503 from every entry point only if their key can be a new one: %s', async (name, token) => {
    await expectRefusals(token, UNKNOWN_KEYS.includes(name) ? [503] : [401, 403]);
  });

  it('cause a single request to the provider', () => {
    expect(provider.requests).toEqual(['/.well-known/openid-configuration']);
  });
});
