import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { createSigningKey, type SigningKey, startIdentityProvider, type TokenTraits } from '../../support/identityProvider.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { postQuery, useTestGraph } from '../../support/testGraph.ts';

const clock = new TestClock();
const provider = await startIdentityProvider(clock.unixMs);
afterAll(() => provider.close());
const [first] = provider.keys as [SigningKey];
const foreign = await createSigningKey('foreign');
const assignments = new AssignmentFile({ alice: { key: 'demo-owner' } });
const testGraph = useTestGraph({}, undefined, { clock, env: createSignInSettings(provider, assignments) });

const MINUTE_MS = 60_000;
/** More than the interval at which the keys are read while the provider works, and while it doesn't. */
const INTERVAL_MS = 31_000;
const ATTEMPT_INTERVAL_MS = 2_001;

const CONFIGURATION_PATH = '/.well-known/openid-configuration';
/** The requests of one read. */
const READ = [CONFIGURATION_PATH, '/keys'];

function advance(ms: number): void {
  clock.now += ms;
}

beforeEach(async () => {
  advance(11 * MINUTE_MS);
  expect(await getReason()).toBe('OK');
  advance(INTERVAL_MS);
  provider.requests.length = 0;
});
afterEach(() => {
  provider.outage = null;
  provider.keysPath = '/keys';
  provider.keys.splice(0, provider.keys.length, first);
});

/** Sends a query with a new token. Returns the reason of its refusal, or `OK`. */
async function getReason(traits?: TokenTraits): Promise<unknown> {
  const token = await provider.issue('alice', traits);
  const { data, errors } = await postQuery(testGraph.url, token, '{ viewer { workspace { name } } }');
  return data ? 'OK' : errors?.[0]?.extensions.reason;
}

/** Tokens whose key the provider doesn't publish, and isn't about to. */
const forge = (kid: string | undefined): TokenTraits => ({ key: foreign, header: { kid } });

/** The public part of a key, with another ID, or without one. */
const withKid = (key: SigningKey, kid: string | undefined): SigningKey => ({ ...key, publicJwk: { ...key.publicJwk, kid } });

const OUTAGES: Readonly<Record<string, RequestListener>> = {
  'is unreachable': (_request, response) => void response.destroy(),
  'returns HTML': (_request, response) => void response.end('<html>'),
  'returns an empty object': (_request, response) => void response.end('{}'),
  'returns no keys': ({ url }, response) =>
    void response.end(
      url === CONFIGURATION_PATH ? JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` }) : '{"keys":[]}',
    ),
  'returns half of its response': (_request, response) =>
    void response.writeHead(200, { 'content-length': 500 }).write('{', () => response.destroy()),
  'isn’t encoded in UTF-8': (_request, response) => {
    const keys = provider.keys.map(({ publicJwk }) => publicJwk);
    response.end(
      Buffer.from(JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys`, keys, owner: 'Zoë' }), 'latin1'),
    );
  },
  'returns more than 256 kB': (_request, response) => {
    const keys = provider.keys.map(({ publicJwk }) => publicJwk);
    const document = { issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys`, keys, padding: 'x'.repeat(256 * 1024) };
    response.end(JSON.stringify(document));
  },
  fails: (_request, response) => void response.writeHead(500).end('{"keys":[]}'),
  'redirects elsewhere': (_request, response) => void response.writeHead(302, { location: '/other' }).end(),
  'names another issuer': (_request, response) =>
    void response.end(JSON.stringify({ issuer: 'https://other.example', jwks_uri: `${provider.issuer}/keys`, keys: 5 })),
};

describe('signing keys', () => {
  it('can be replaced, with and without an overlap', async () => {
    const before = await provider.issue('alice');
    provider.keys.unshift(await createSigningKey('second'));
    expect(await getReason()).toBe('OK');
    expect((await postQuery(testGraph.url, before, '{ viewer { workspace { name } } }')).errors).toBeUndefined();
    provider.keys.length = 1;
    advance(11 * MINUTE_MS);
    expect(await getReason({ key: first })).toBe('TOKEN_INVALID');
    expect(await getReason()).toBe('OK');
  });

  it.each<readonly [string, string | undefined, string | undefined]>([
    ['by keys of the same ID', 'first', 'first'],
    ['by keys without IDs, if tokens have none either', undefined, undefined],
    ['by keys with IDs, if tokens have none', 'second', undefined],
  ])('can be replaced %s, with and without an overlap', async (_name, kid, tokenKid) => {
    const second = withKid(await createSigningKey('second'), kid);
    const third = withKid(await createSigningKey('third'), kid);
    const sign = (key: SigningKey) => getReason({ key, header: { kid: tokenKid } });
    provider.keys.push(second);
    for (const key of [first, second]) expect(await sign(key)).toBe('OK');
    expect(await sign(third)).toBe(tokenKid === undefined ? 'SIGN_IN_UNAVAILABLE' : 'TOKEN_INVALID');
    provider.keys.splice(0, 2, third);
    expect(await sign(third)).toBe(tokenKid === undefined ? 'SIGN_IN_UNAVAILABLE' : 'TOKEN_INVALID');
    advance(INTERVAL_MS);
    expect(await sign(third)).toBe('OK');
    for (const key of [first, second]) {
      // Each token without an ID could have a new key, until the keys are read again.
      if (tokenKid === undefined) advance(INTERVAL_MS);
      expect(await sign(key)).toBe('TOKEN_INVALID');
    }
  });

  it('verify tokens if another key of the same ID is too short, and never accept invalid claims', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' });
    const long = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const toKey = (publicJwk: object) => ({ kid: 'rsa', privateKey: long.privateKey as never, publicJwk: { ...publicJwk, kid: 'rsa' } });
    const key = toKey(long.publicKey.export({ format: 'jwk' }));
    provider.keys.push(toKey(short), key);
    const header = { alg: 'RS256' };
    expect(await getReason({ key, header })).toBe('OK');
    expect(await getReason({ key, header, claims: { exp: 1 } })).toBe('TOKEN_EXPIRED');
    expect(await getReason({ key, header, claims: { aud: 'other' } })).toBe('TOKEN_INVALID');
  });

  it('can move to another URL', async () => {
    provider.keysPath = '/moved';
    provider.keys.unshift(await createSigningKey('second'));
    expect(await getReason()).toBe('OK');
    expect(provider.requests).toEqual([CONFIGURATION_PATH, '/moved']);
    provider.keysPath = '/moved-again';
    advance(11 * MINUTE_MS);
    expect(await getReason()).toBe('OK');
    expect(provider.requests.slice(2)).toEqual([CONFIGURATION_PATH, '/moved-again']);
  });

  it('cause two reads a minute at most, whatever tokens are sent', async () => {
    for (let index = 0; index < 40; index += 1) {
      const kid = ['first', undefined, `unknown ${index}`][index % 3];
      // The key of another ID, or of a token without one, may be newer than the last read.
      expect(await getReason(forge(kid))).toMatch(kid === 'first' ? 'TOKEN_INVALID' : /TOKEN_INVALID|SIGN_IN_UNAVAILABLE/);
      advance(3_000);
    }
    expect(provider.requests).toEqual([READ, READ, READ, READ].flat());
  });

  it('cause one read for concurrent tokens, which wait for the response', async () => {
    const second = await createSigningKey('second');
    const request = Promise.withResolvers<() => void>();
    provider.outage = (_request, response) => {
      provider.outage = null;
      request.resolve(() => response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` })));
    };
    const reasons = Promise.all(
      Array.from({ length: 20 }, (_, index) => getReason(index % 2 ? { key: second } : forge(`unknown ${index}`))),
    );
    const respond = await request.promise;
    provider.keys.push(second);
    respond();
    // A token that arrives while the keys are being read may have a newer one.
    expect(new Set((await reasons).filter((reason) => reason !== 'TOKEN_INVALID' && reason !== 'SIGN_IN_UNAVAILABLE'))).toEqual(
      new Set(['OK']),
    );
    expect(provider.requests).toEqual(READ);
  });

  it.each(Object.entries(OUTAGES))('remain in use for a day while the provider %s', async (_name, outage) => {
    provider.outage = outage;
    advance(23 * 60 * MINUTE_MS);
    expect(await getReason()).toBe('OK');
    advance(2 * 60 * MINUTE_MS);
    expect(await getReason()).toBe('SIGN_IN_UNAVAILABLE');
    provider.requests.length = 0;
    for (let count = 0; count < 5; count += 1) expect(await getReason()).toBe('SIGN_IN_UNAVAILABLE');
    expect(provider.requests).toEqual([]);
    provider.outage = null;
    advance(ATTEMPT_INTERVAL_MS);
    expect(await getReason()).toBe('OK');
  });
});

describe('tokens of new keys', () => {
  it.each<[string, string | undefined]>([
    ['an unknown ID', 'new'],
    ['no ID', undefined],
  ])('get 503 after a read of the keys, until these are read again, if their key has %s', async (_name, kid) => {
    const added = withKid(await createSigningKey('new'), kid);
    const send = async (token: string) => {
      const { status, headers, data, errors } = await postQuery(testGraph.url, token, '{ viewer { workspace { name } } }');
      return data ? 'OK' : [status, headers.get('retry-after'), errors?.[0]?.extensions.reason];
    };
    // Reads the keys.
    expect(await getReason(forge('unknown'))).toBe('TOKEN_INVALID');
    advance(10_000);
    provider.keys.push(added);
    const token = await provider.issue('alice', { key: added, header: { kid } });
    const forged = await provider.issue('alice', forge(kid && 'other'));
    for (const each of [token, forged]) expect(await send(each)).toEqual([503, '20', 'SIGN_IN_UNAVAILABLE']);
    expect(await getReason(forge('unknown'))).toBe('TOKEN_INVALID');
    expect(provider.requests).toEqual(READ);
    advance(20_000);
    expect(await send(token)).toBe('OK');
    expect(await send(forged)).toEqual([401, null, 'TOKEN_INVALID']);
    expect(await getReason()).toBe('OK');
    expect(provider.requests).toEqual([...READ, ...READ]);
  });

  it('get 503 if the keys were being read when the first of them arrived', async () => {
    const reading = Promise.withResolvers<() => void>();
    provider.outage = (_request, response) => {
      provider.outage = null;
      reading.resolve(() => response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` })));
    };
    const first = getReason(forge('unknown'));
    const respond = await reading.promise;
    const later = getReason(forge('later'));
    // Verified with the keys before the read, so both wait for it.
    await new Promise((resolve) => setTimeout(resolve, 50));
    respond();
    expect(await Promise.all([first, later])).toEqual(['TOKEN_INVALID', 'SIGN_IN_UNAVAILABLE']);
    advance(INTERVAL_MS);
    expect(await getReason(forge('later'))).toBe('TOKEN_INVALID');
  });

  const outages = Object.entries(OUTAGES).flatMap(([name, outage]) =>
    [['configuration', CONFIGURATION_PATH] as const, ['key set', '/keys'] as const]
      // Without keys, the configuration is complete. The key set doesn't name an issuer.
      .filter(([part]) => name !== (part === 'key set' ? 'names another issuer' : 'returns no keys'))
      .map(([part, path]) => [part, name, path, outage] as const),
  );

  it.each(outages)('get 503 while the URL of the %s %s, and are accepted afterwards', async (_part, _name, path, outage) => {
    provider.outage = (request, response) => {
      if (request.url === path) return outage(request, response);
      response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` }));
    };
    provider.keys.push(await createSigningKey('second'));
    const key = provider.keys[1] as SigningKey;
    const { status, headers, errors } = await postQuery(
      testGraph.url,
      await provider.issue('alice', { key }),
      '{ viewer { workspace { name } } }',
    );
    expect([status, headers.get('retry-after'), errors?.[0]?.extensions.reason]).toEqual([503, '2', 'SIGN_IN_UNAVAILABLE']);
    expect(await getReason()).toBe('OK');
    expect(await getReason(forge('first'))).toBe('TOKEN_INVALID');
    expect(await getReason({ claims: { exp: 1 } })).toBe('TOKEN_EXPIRED');
    expect(await getReason({ key, header: { kid: undefined } })).toBe('SIGN_IN_UNAVAILABLE');
    for (let count = 0; count < 5; count += 1) expect(await getReason(forge(`unknown ${count}`))).toBe('SIGN_IN_UNAVAILABLE');
    const attempt = path === '/keys' ? READ : [CONFIGURATION_PATH];
    expect(provider.requests).toEqual(attempt);
    advance(ATTEMPT_INTERVAL_MS);
    expect(await getReason({ key })).toBe('SIGN_IN_UNAVAILABLE');
    expect(provider.requests).toEqual([...attempt, ...attempt]);
    provider.outage = null;
    advance(ATTEMPT_INTERVAL_MS);
    expect(await getReason({ key })).toBe('OK');
    // First seen during the outage, so the keys were read since.
    expect(await getReason(forge('unknown 0'))).toBe('TOKEN_INVALID');
  });
});
