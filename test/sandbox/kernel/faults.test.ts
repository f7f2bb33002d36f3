import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { openSandbox, type TestSandbox } from '../sandbox.ts';

let sandbox: TestSandbox;
/** Durations of the sandbox's waits, in milliseconds. */
const waits: number[] = [];
beforeEach(async () => {
  waits.length = 0;
  sandbox = await openSandbox({ wait: async (ms) => waits.push(ms) });
});
afterEach(() => sandbox.close());

async function call(operation: string, request: unknown = {}, key = 'demo-owner') {
  const response = await fetch(`${sandbox.url}/public-api/publicapi.v1.${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The error code of the connection. */
const getFailure = (pending: Promise<unknown>) =>
  pending.then(
    () => 'answered',
    (error: Error) => (error.cause as NodeJS.ErrnoException | undefined)?.code,
  );

const listCreated = (lastName: string) =>
  sandbox.world.store.all('SELECT 1 FROM contacts WHERE last_name = :lastName', { lastName }).length;

describe('latency fault', () => {
  it('delays the response without changing it', async () => {
    sandbox.faults.add({ operation: 'Workspace/Me', latencyMs: 150, times: 1 });
    const slow = await call('Workspace/Me');
    expect(waits).toEqual([150]);
    expect(slow.text).toBe((await call('Workspace/Me')).text);
    expect(waits).toEqual([150]);
  });
});

describe('status fault', () => {
  it.each([400, 401, 403, 404, 409, 500, 502])('returns %i without handling the call', async (status) => {
    sandbox.faults.add({ operation: '*', status, times: 1 });
    expect((await call('Contact/CreateContact', { lastName: 'Faulty' })).status).toBe(status);
    expect(listCreated('Faulty')).toBe(0);
  });

  it.each([
    [429, 'resource_exhausted'],
    [503, 'unavailable'],
  ])('returns %i with Retry-After', async (status, code) => {
    sandbox.faults.add({ operation: '*', status, retryAfter: 7 });
    const { headers, text } = await call('Workspace/Me');
    expect({ retryAfter: headers.get('retry-after'), code: JSON.parse(text).code }).toEqual({ retryAfter: '7', code });
  });

  it('omits Retry-After by default', async () => {
    sandbox.faults.add({ operation: '*', status: 503 });
    expect((await call('Workspace/Me')).headers.get('retry-after')).toBeNull();
  });

  it('returns any body and content type', async () => {
    sandbox.faults.add({ operation: '*', status: 502, body: '<h1>Bad gateway</h1>', contentType: 'text/html' });
    const { status, headers, text } = await call('Workspace/Me');
    expect([status, headers.get('content-type'), text]).toEqual([502, 'text/html', '<h1>Bad gateway</h1>']);
  });

  it('can return an incorrect success', async () => {
    sandbox.faults.add({ operation: '*', status: 204, body: '' });
    const { status, text } = await call('Contact/CreateContact', { lastName: 'Hollow' });
    expect({ status, text, made: listCreated('Hollow') }).toEqual({ status: 204, text: '', made: 0 });
  });
});

describe('slow start fault', () => {
  it('waits, returns a retryable error, and has no effect', spec('7.9', '8.1'), async () => {
    sandbox.faults.add({ operation: '*', latencyMs: 100, status: 504, times: 1 });
    const { status, text } = await call('Contact/CreateContact', { lastName: 'Slow' });
    expect(waits).toEqual([100]);
    expect({ status, code: JSON.parse(text).code, made: listCreated('Slow') }).toEqual({ status: 504, code: 'deadline_exceeded', made: 0 });
  });
});

describe('cut fault', () => {
  it('resets the connection before the call, without an effect', async () => {
    sandbox.faults.add({ operation: '*', cut: 'before', times: 1 });
    expect(await getFailure(call('Contact/CreateContact', { lastName: 'Cut' }))).toBe('ECONNRESET');
    expect(listCreated('Cut')).toBe(0);
  });

  it('resets the connection after the call took effect', spec('7.10'), async () => {
    sandbox.faults.add({ operation: '*', cut: 'after', times: 1 });
    expect(await getFailure(call('Contact/CreateContact', { lastName: 'Lost' }))).toBe('ECONNRESET');
    expect(listCreated('Lost')).toBe(1);
  });

  it('drops error responses, too', async () => {
    sandbox.faults.add({ operation: '*', cut: 'after', times: 1 });
    expect(await getFailure(call('Contact/GetContact', { id: 'absent' }))).toBe('ECONNRESET');
    expect((await call('Contact/GetContact', { id: 'absent' })).status).toBe(404);
  });
});

describe('body fault', () => {
  it.each(['{"workspace":{"id":', '[]', 'null', '', '{"workspace":"text","apiKey":[5]}', 'upstream error'])(
    'replaces the body with %j',
    async (body) => {
      sandbox.faults.add({ operation: 'Workspace/Me', body });
      const { status, text, headers } = await call('Workspace/Me');
      expect({ status, text, quota: headers.has('ratelimit-limit') }).toEqual({ status: 200, text: body, quota: true });
    },
  );

  it('applies after the effect', async () => {
    sandbox.faults.add({ operation: '*', body: '{"contact":', times: 1 });
    await call('Contact/CreateContact', { lastName: 'Garbled' });
    expect(listCreated('Garbled')).toBe(1);
  });

  it('replaces the body of an error, but not its status', async () => {
    sandbox.faults.add({ operation: '*', body: 'oops', contentType: 'text/plain' });
    const { status, text, headers } = await call('Workspace/Me', {}, 'absent');
    expect([status, text, headers.get('content-type')]).toEqual([401, 'oops', 'text/plain']);
  });

  it('can return the real body with a wrong content type', async () => {
    sandbox.faults.add({ operation: '*', contentType: 'text/html' });
    const { headers, text } = await call('Workspace/Me');
    expect([headers.get('content-type'), JSON.parse(text).workspace.name]).toEqual(['text/html', 'Demo Works']);
  });
});

describe('fault', () => {
  const fetchStatuses = async (...operations: string[]) => {
    const seen: number[] = [];
    for (const operation of operations) seen.push((await call(operation)).status);
    return seen;
  };

  it('applies to the specified number of calls', async () => {
    sandbox.faults.add({ operation: '*', status: 503, times: 2 });
    expect(await fetchStatuses('Workspace/Me', 'Contact/ListContacts', 'Workspace/Me', 'Workspace/Me')).toEqual([503, 503, 200, 200]);
  });

  it('applies only to the specified operation', async () => {
    sandbox.faults.add({ operation: 'Contact/ListContacts', status: 503, times: 1 });
    expect(await fetchStatuses('Workspace/Me', 'Contact/ListContacts', 'Contact/ListContacts')).toEqual([200, 503, 200]);
  });

  it('applies only to calls with the specified API key', async () => {
    sandbox.faults.add({ operation: '*', key: 'demo-sales', status: 503 });
    expect((await call('Workspace/Me')).status).toBe(200);
    expect((await call('Workspace/Me', {}, 'demo-sales')).status).toBe(503);
  });

  it('applies only to calls of the request to the graph with the specified ID', async () => {
    sandbox.faults.add({ operation: '*', requestId: 'own', status: 503 });
    const call = async (requestId: string) => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner', 'x-request-id': requestId };
      return (await fetch(`${sandbox.url}/public-api/publicapi.v1.Workspace/Me`, { method: 'POST', headers, body: '{}' })).status;
    };
    expect([await call('own.2'), await call('own-other.2'), await call('own')]).toEqual([503, 200, 200]);
  });

  it('applies once per call: the first armed one that matches', async () => {
    sandbox.faults.add({ operation: '*', status: 500, times: 1 });
    sandbox.faults.add({ operation: 'Workspace/Me', status: 502, times: 1 });
    sandbox.faults.add({ operation: '*', status: 503 });
    expect(await fetchStatuses('Workspace/Me', 'Contact/ListContacts', 'Workspace/Me', 'Workspace/Me')).toEqual([500, 503, 502, 503]);
  });

  it('applies to exactly as many concurrent calls as specified', async () => {
    sandbox.faults.add({ operation: '*', status: 503, times: 7 });
    const seen = await Promise.all(Array.from({ length: 30 }, () => call('Workspace/Me')));
    expect(seen.filter(({ status }) => status === 503)).toHaveLength(7);
  });

  it('stops applying after it is cleared', async () => {
    sandbox.faults.add({ operation: '*', status: 503 });
    expect(await fetchStatuses('Workspace/Me')).toEqual([503]);
    sandbox.faults.clear();
    expect(await fetchStatuses('Workspace/Me')).toEqual([200]);
  });

  it('doesn’t hide calls from onCall', async () => {
    sandbox.faults.add({ operation: '*', status: 503 });
    await call('Contact/ListContacts', { pageSize: 3 });
    expect(sandbox.received).toEqual([{ operation: 'Contact/ListContacts', request: { pageSize: 3 } }]);
  });
});
