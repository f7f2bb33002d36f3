import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { makeKey } from '../makeKey.ts';
import { START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

async function me(headers: Record<string, string>) {
  const response = await opened.fetch('/public-api/publicapi.v1.Workspace/Me', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe('credentials', () => {
  it.each([{ authorization: 'Bearer demo-owner' }, { authorization: 'bearer  demo-owner' }, { 'x-api-key': 'demo-owner' }])(
    'can be sent as %j',
    spec('5.3', '5.4'),
    async (headers) => {
      const { body } = await call('Workspace/Me', {});
      expect(await me(headers)).toMatchObject({ status: 200, body });
    },
  );

  it('use the Bearer header if both headers exist', spec('5.5'), async () => {
    const both = await me({ authorization: 'Bearer demo-owner', 'x-api-key': 'demo-neighbour' });
    expect(both.body).toEqual((await call('Workspace/Me', {})).body);
    expect((await me({ authorization: 'Bearer absent', 'x-api-key': 'demo-owner' })).status).toBe(401);
  });

  it.each([
    ['are missing', {}],
    ['are empty', { authorization: 'Bearer ', 'x-api-key': '' }],
    ['use another scheme', { authorization: 'Basic demo-owner' }],
    ['are unknown', { authorization: 'Bearer absent' }],
    ['differ by case', { 'x-api-key': 'DEMO-OWNER' }],
    ['are a pattern', { 'x-api-key': 'demo-%' }],
    ['have expired', { authorization: 'Bearer demo-expired' }],
    ['were revoked', { authorization: 'Bearer demo-revoked' }],
  ])('return 401 if they %s', spec('5.32', '7.2'), async (_name, headers: Record<string, string>) => {
    const { status, body, headers: responseHeaders } = await me(headers);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthenticated' });
    expect(responseHeaders.get('ratelimit-limit')).toBeNull();
  });

  it('work until the second when they expire', spec('5.17'), async () => {
    const key = makeKey(opened.sandbox.world, { expiresAt: START + 60 });
    opened.sandbox.now = START + 59;
    expect((await callAs(key, 'Workspace/Me', {})).status).toBe(200);
    opened.sandbox.now = START + 60;
    expect((await callAs(key, 'Workspace/Me', {})).status).toBe(401);
    opened.sandbox.now = START;
  });

  it('can be revoked separately', spec('5.18'), async () => {
    const [first, second] = [makeKey(opened.sandbox.world), makeKey(opened.sandbox.world)];
    opened.sandbox.world.store.run('UPDATE api_keys SET revoked_at = :now WHERE name = :first', { now: START, first });
    expect((await callAs(first, 'Workspace/Me', {})).status).toBe(401);
    expect((await callAs(second, 'Workspace/Me', {})).status).toBe(200);
  });

  it('never appear in the database in plain text', spec('5.2'), () => {
    const rows = opened.sandbox.world.store.all<{ hash: string }>('SELECT hash FROM api_keys');
    expect(rows.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  });
});

describe('IP allowlist', () => {
  it('returns 403 for other addresses', spec('7.5'), async () => {
    const { status, body } = await callAs('demo-office', 'Workspace/Me', {});
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'permission_denied' });
    expect(body.message).toContain('address');
  });

  it.each([['127.0.0.0/8'], ['127.0.0.1'], ['127.0.0.1/32'], ['203.0.113.0/24', '127.0.0.0/30']])(
    'accepts addresses in %j',
    spec('5.15'),
    async (...allowedCidrs) => {
      expect((await callAs(makeKey(opened.sandbox.world, { allowedCidrs }), 'Workspace/Me', {})).status).toBe(200);
    },
  );

  it.each([['127.0.0.2'], ['128.0.0.0/1'], ['::1/128'], ['2001:db8::/32', '10.0.0.0/8']])(
    'rejects addresses outside %j',
    spec('5.15'),
    async (...allowedCidrs) => {
      expect((await callAs(makeKey(opened.sandbox.world, { allowedCidrs }), 'Workspace/Me', {})).status).toBe(403);
    },
  );

  it('accepts any address if it’s empty', spec('5.16'), async () => {
    expect((await callAs(makeKey(opened.sandbox.world, { allowedCidrs: [] }), 'Workspace/Me', {})).status).toBe(200);
  });
});

describe('scopes', () => {
  it.each(['*', 'contact:*', 'contact', 'contact:', 'contact:rea', 'contact:read:all', 'contact:write', 'CONTACT:READ', ' contact:read'])(
    'match only whole strings: %j doesn’t match contact:read',
    spec('5.6'),
    async (scope) => {
      const key = makeKey(opened.sandbox.world, { scopes: [scope] });
      const { status, body } = await callAs(key, 'Contact/ListContacts', {});
      expect({ status, message: body.message }).toEqual({ status: 403, message: expect.stringContaining('contact:read') });
    },
  );

  it('apply before the request is validated', async () => {
    const key = makeKey(opened.sandbox.world, { scopes: ['me:read'] });
    expect((await callAs(key, 'Contact/GetContact', { id: 5 })).status).toBe(403);
  });

  it('don’t replace the account’s permissions', spec('1.15', '5.14'), async () => {
    const key = makeKey(opened.sandbox.world, { permissions: [] });
    const { status, body } = await callAs(key, 'Contact/ListContacts', {});
    expect({ status, message: body.message }).toEqual({ status: 403, message: expect.stringContaining('boardAccess:READ_ONLY') });
  });

  it('can be removed immediately', spec('5.19'), async () => {
    const { store } = opened.sandbox.world;
    const key = makeKey(opened.sandbox.world);
    expect((await callAs(key, 'Contact/ListContacts', {})).status).toBe(200);
    store.run("UPDATE api_keys SET scopes = '[]' WHERE name = :key", { key });
    expect((await callAs(key, 'Contact/ListContacts', {})).status).toBe(403);
    store.run('UPDATE api_keys SET scopes = \'["contact:read"]\' WHERE name = :key', { key });
    expect((await callAs(key, 'Contact/ListContacts', {})).status).toBe(200);
  });
});

describe('workspaces', () => {
  it('remain isolated in 50 concurrent calls with two keys', async () => {
    const owned = await call('Contact/ListContacts', { pageSize: 100 });
    const foreign = await callAs('demo-neighbour', 'Contact/ListContacts', { pageSize: 100 });
    expect(owned.body.contacts.length).toBeGreaterThan(0);
    const ids = new Set(owned.body.contacts.map(({ id }: { id: string }) => id));
    expect(foreign.body.contacts.filter(({ id }: { id: string }) => ids.has(id))).toEqual([]);

    const responses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const key = index % 2 === 0 ? 'demo-owner' : 'demo-neighbour';
        const made = await callAs(key, 'Contact/CreateContact', { lastName: `Zz ${key}` });
        const seen = await callAs(key, 'Contact/ListContacts', { query: 'Zz demo-', pageSize: 100 });
        return { key, id: made.body.contact.id as string, names: seen.body.contacts.map(({ lastName }: { lastName: string }) => lastName) };
      }),
    );
    for (const { key, names } of responses) expect(new Set(names)).toEqual(new Set([`Zz ${key}`]));
    expect(new Set(responses.map(({ id }) => id)).size).toBe(50);
  });
});
