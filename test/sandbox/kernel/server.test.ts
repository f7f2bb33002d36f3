import { request } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { connectRaw } from '../../support/rawHttp.ts';
import { spec } from '../../support/spec.ts';
import { openSandbox, post, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call } = opened;

const JSON_HEADERS = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
const CONTACTS = '/public-api/publicapi.v1.Contact/ListContacts';

async function raw(path: string, init: RequestInit) {
  const response = await opened.fetch(path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const send = (body: string, headers: Record<string, string> = JSON_HEADERS) => raw(CONTACTS, { method: 'POST', headers, body });

function* listNames(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name;
    yield* listNames(inner);
  }
}

afterEach(() => vi.restoreAllMocks());

it('reports that it is ready, without an API key', async () => {
  expect(await raw('/health/ready', {})).toMatchObject({ status: 200, body: { status: 'ok' } });
});

describe('request', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('can’t use the method %s', spec('1.1'), async (method) => {
    const { status, body } = await raw(CONTACTS, { method, headers: JSON_HEADERS });
    expect({ status, code: body.code, message: body.message }).toMatchObject({ status: 400, message: expect.stringContaining('POST') });
  });

  it.each(['/', '/public-api/publicapi.v1.Contact/Nope', '/public-api/publicapi.v2.Contact/ListContacts', '/Contact/ListContacts'])(
    'returns not found for %s',
    spec('1.1', '9.1'),
    async (path) => {
      const { status, body } = await raw(path, { method: 'POST', headers: JSON_HEADERS, body: '{}' });
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'unimplemented' });
    },
  );

  it('can be empty for an operation without inputs, but not missing', spec('1.2', '1.4'), async () => {
    expect((await call('Workspace/Me', {})).status).toBe(200);
    expect((await raw('/public-api/publicapi.v1.Workspace/Me', { method: 'POST', headers: JSON_HEADERS })).status).toBe(400);
  });

  it.each(['', ' ', '{', '{"a":}', 'null', '[]', '[{}]', '"text"', '5', 'true'])(
    'must be a JSON object, which %j isn’t',
    spec('1.3'),
    async (text) => {
      const { status, body } = await send(text);
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 400,
        code: 'invalid_argument',
        message: expect.stringContaining('JSON object'),
      });
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json-patch+json', 'application/jsonp'])(
    'can’t have the type %s',
    spec('1.5'),
    async (type) => {
      const { status, body } = await send('{}', { ...JSON_HEADERS, 'content-type': type });
      expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining('application/json') });
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'can have the type %s',
    spec('1.5'),
    async (type) => {
      expect((await send('{}', { ...JSON_HEADERS, 'content-type': type })).status).toBe(200);
    },
  );

  it('can contain unknown fields', async () => {
    expect((await call('Contact/ListContacts', { unheardOf: { deep: [1] }, pageSize: 1 })).status).toBe(200);
  });

  it('can have up to 4 MiB', async () => {
    const createBody = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`;
    expect((await send(createBody(4 * 1024 * 1024))).status).toBe(200);
    const { status, body } = await send(createBody(4 * 1024 * 1024 + 1));
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining('4194304') });
  });

  it('returns an error if it never ends, and closes the connection', async () => {
    const { socket, ended } = connectRaw(opened.sandbox.url);
    socket.write(`POST ${CONTACTS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const send = () => {
      while (!socket.destroyed && socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`));
    };
    socket.on('drain', send);
    send();
    expect(await ended).toMatch(/^HTTP\/1\.1 400 .*^connection: close\r$.*invalid_argument/ims);
  });

  it('returns an error for a search text that the database can’t match', async () => {
    const { status, body } = await call('Contact/ListContacts', { query: '%'.repeat(30_000) });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_argument' });
  });
});

describe('response', () => {
  it('uses lowerCamelCase field names', spec('1.9'), async () => {
    const responses = [await call('Workspace/Me', {}), await call('Contact/ListContacts', { pageSize: 2 })];
    const names = new Set(responses.flatMap(({ body }) => [...listNames(body)]));
    expect([...names].filter((name) => !/^[a-z][a-zA-Z0-9]*$/.test(name))).toEqual([]);
    expect(names).toContain('createdAt');
  });

  it('contains a JSON object with the type application/json', spec('1.6'), async () => {
    const { headers, body } = await call('Workspace/Me', {});
    expect(headers.get('content-type')).toBe('application/json');
    expect(body.workspace.name).toBe('Demo Works');
  });

  it('contains the request ID of its call, even for errors and failures', async () => {
    const fetchId = async (key: string, requestId?: string) => {
      const headers = { ...JSON_HEADERS, authorization: `Bearer ${key}`, ...(requestId && { 'x-request-id': requestId }) };
      const path = '/public-api/publicapi.v1.Workspace/Me';
      return (await opened.fetch(path, { method: 'POST', headers, body: '{}' })).headers.get('x-request-id');
    };
    expect([await fetchId('demo-owner', 'a.1'), await fetchId('absent', 'a.2'), await fetchId('demo-owner')]).toEqual(['a.1', 'a.2', null]);
    opened.sandbox.faults.add({ operation: 'Workspace/Me', status: 503, times: 1 });
    expect(await fetchId('demo-owner', 'a.3')).toBe('a.3');
  });

  it('encodes 64-bit numbers as decimal strings, and times in whole seconds', spec('1.10', '1.11'), async () => {
    const { body } = await call('Contact/CreateContact', { lastName: 'Clock' });
    expect(body.contact.createdAt).toBe(String(opened.sandbox.now));
  });

  it('has status 201 for new customers and portfolios, and 200 otherwise', spec('1.7', '1.8'), () => {
    const created = endpoints.filter(({ options }) => options.created).map(({ name }) => name);
    expect(created.sort()).toEqual(['Customer/CreateCustomer', 'Portfolio/CreatePortfolio']);
  });

  it('has the status of its operation', async () => {
    expect((await call('Contact/CreateContact', { lastName: 'Plain' })).status).toBe(200);
    expect((await call('Customer/CreateCustomer', { title: 'New' })).status).toBe(201);
  });

  it.each([
    [false, undefined, undefined],
    [true, '', false],
  ])('includes defaults as configured (%s)', async (sendsDefaults, phone, hasMore) => {
    const sandbox = await openSandbox({ sendsDefaults });
    try {
      const created = await post(sandbox.url, 'demo-owner', 'Contact/CreateContact', { lastName: 'Zzz' });
      expect(created.body.contact.phone).toBe(phone);
      const last = await post(sandbox.url, 'demo-owner', 'Contact/ListContacts', { query: 'Zzz' });
      expect(last.body.hasMore).toBe(hasMore);
      expect(last.body.contacts).toEqual([created.body.contact]);
    } finally {
      await sandbox.close();
    }
  });
});

describe('deprecated operation', () => {
  it('returns Deprecation and Sunset headers, even for errors, unlike other operations', spec('9.3'), async () => {
    const deprecations = new Map([['Contact/GetContact', { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' }]]);
    const sandbox = await openSandbox({ deprecations });
    try {
      const refused = await post(sandbox.url, 'demo-owner', 'Contact/GetContact', { id: 'absent' });
      expect(refused.status).toBe(404);
      expect(refused.headers.get('deprecation')).toBe('@1767225600');
      expect(refused.headers.get('sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
      const other = await post(sandbox.url, 'demo-owner', 'Contact/ListContacts', {});
      expect([other.headers.get('deprecation'), other.headers.get('sunset')]).toEqual([null, null]);
    } finally {
      await sandbox.close();
    }
  });
});

describe('internal failure', () => {
  it('returns 500, and logs the details', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const sandbox = await openSandbox();
    try {
      sandbox.world.store.exec('DROP TABLE contacts');
      const { status, body } = await post(sandbox.url, 'demo-owner', 'Contact/ListContacts', {});
      expect({ status, body }).toEqual({
        status: 500,
        body: { code: 'internal', message: 'Internal error in the sandbox. See its log for details.', details: [] },
      });
      expect(String(printed.mock.lastCall?.[0])).toContain('no such table: contacts');
    } finally {
      await sandbox.close();
    }
  });
});

describe('disconnected client', () => {
  it('causes no failure and no log line while sending its body', async () => {
    const printed = vi.spyOn(console, 'error');
    const leaving = request(`${opened.sandbox.url}${CONTACTS}`, { method: 'POST', headers: { ...JSON_HEADERS, 'content-length': 100 } });
    const left = new Promise((resolve) => leaving.once('error', resolve));
    await new Promise((resolve) => leaving.write('{"query":', resolve));
    leaving.destroy();
    await left;
    expect((await call('Contact/ListContacts', {})).status).toBe(200);
    expect(printed).not.toHaveBeenCalled();
  });

  it('doesn’t undo a call that a fault delays', async () => {
    const waiting = Promise.withResolvers<void>();
    const latency = Promise.withResolvers<void>();
    const wait = () => {
      waiting.resolve();
      return latency.promise;
    };
    const sandbox = await openSandbox({ wait });
    try {
      sandbox.faults.add({ operation: 'Contact/CreateContact', latencyMs: 200 });
      const body = JSON.stringify({ lastName: 'Background' });
      const leaving = new AbortController();
      const url = `${sandbox.url}/public-api/publicapi.v1.Contact/CreateContact`;
      const left = expect(fetch(url, { method: 'POST', headers: JSON_HEADERS, body, signal: leaving.signal })).rejects.toThrow('aborted');
      await waiting.promise;
      leaving.abort();
      await left;
      const listCreated = () => sandbox.world.store.all("SELECT 1 FROM contacts WHERE last_name = 'Background'");
      expect(listCreated()).toHaveLength(0);
      latency.resolve();
      await expect.poll(listCreated).toHaveLength(1);
    } finally {
      await sandbox.close();
    }
  });
});

describe('close', () => {
  it('can be called twice', async () => {
    const sandbox = await openSandbox();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(fetch(sandbox.url)).rejects.toThrow('fetch failed');
  });

  it('doesn’t wait for calls that a fault delays', async () => {
    const sandbox = await openSandbox();
    sandbox.faults.add({ operation: '*', latencyMs: 60_000 });
    const pending = post(sandbox.url, 'demo-owner', 'Workspace/Me', {}).catch((error: unknown) => String(error));
    await expect.poll(() => sandbox.received).toHaveLength(1);
    await sandbox.close();
    expect(await pending).toContain('fetch failed');
  });
});
