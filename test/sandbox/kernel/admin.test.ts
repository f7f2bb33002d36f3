import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Admin, startAdmin } from '../../../sandbox/kernel/admin.ts';
import { useSandbox } from '../sandbox.ts';

const opened = useSandbox();
let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin(opened.sandbox, 0);
});
afterAll(() => admin.close());
beforeEach(() => opened.sandbox.faults.clear());

async function ask(method: string, body?: string, type = 'application/json', path = '/faults') {
  const response = await fetch(`${admin.url}${path}`, { method, headers: { 'content-type': type }, ...(body !== undefined && { body }) });
  return { status: response.status, body: await response.json() };
}

const arm = (fault: unknown) => ask('POST', JSON.stringify(fault));

describe('faults', () => {
  it('are armed by POST, and strike', async () => {
    const fault = { operation: 'Workspace/Me', status: 503, retryAfter: 2, times: 1 };
    expect(await arm(fault)).toEqual({ status: 200, body: { faults: [{ fault, left: 1 }] } });
    expect((await opened.call('Workspace/Me', {})).status).toBe(503);
    expect((await opened.call('Workspace/Me', {})).status).toBe(200);
  });

  it('are listed by GET with the strikes they have left, and no longer when they have none', async () => {
    await arm({ operation: 'Workspace/Me', status: 500, times: 1 });
    await arm({ operation: '*', latencyMs: 1, times: 3 });
    await arm({ operation: '*', cut: 'after' });
    await opened.call('Workspace/Me', {});
    await opened.call('Workspace/Me', {});
    expect((await ask('GET')).body.faults).toEqual([
      { fault: { operation: '*', latencyMs: 1, times: 3 }, left: 2 },
      { fault: { operation: '*', cut: 'after' }, left: null },
    ]);
  });

  it('are cleared by DELETE', async () => {
    await arm({ operation: '*', status: 503 });
    expect(await ask('DELETE')).toEqual({ status: 200, body: { faults: [] } });
    expect((await opened.call('Workspace/Me', {})).status).toBe(200);
  });

  it.each([
    ['operation', { status: 503 }],
    ['operation', { operation: 'Workspace/Nope', status: 503 }],
    ['operation', { operation: 5, status: 503 }],
    ['latencyMs', { operation: '*', latencyMs: -1 }],
    ['latencyMs', { operation: '*', latencyMs: 1.5 }],
    ['latencyMs', { operation: '*', latencyMs: 600_001 }],
    ['status', { operation: '*', status: 100 }],
    ['status', { operation: '*', status: 600 }],
    ['status', { operation: '*', status: '503' }],
    ['status', { operation: '*', status: null }],
    ['body', { operation: '*', body: { a: 1 } }],
    ['contentType', { operation: '*', contentType: 'text/html\r\nX-Evil: 1' }],
    ['retryAfter', { operation: '*', status: 503, retryAfter: -1 }],
    ['retryAfter', { operation: '*', body: 'x', retryAfter: 1 }],
    ['cut', { operation: '*', cut: 'during' }],
    ['cut', { operation: '*', cut: 'after', status: 503 }],
    ['times', { operation: '*', status: 503, times: 0 }],
    ['delay', { operation: '*', status: 503, delay: 5 }],
    ['toString', { operation: '*', status: 503, toString: 5 }],
    ['at least one', { operation: '*', times: 1 }],
  ])('with a wrong %s are refused, and not armed: %j', async (named, fault) => {
    const { status, body } = await arm(fault);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code: 'invalid_argument',
      message: expect.stringContaining(named),
    });
    expect(opened.sandbox.faults.list()).toEqual([]);
  });

  it('are told everything that is wrong with them at once', async () => {
    const { body } = await arm({ operation: '*', status: 1, times: 0 });
    expect(body.message).toMatch(/status.*times/);
  });

  it.each(['', '{', '[]', 'null', '"*"'])('must be JSON objects, which %j is not', async (body) => {
    expect(await ask('POST', body)).toMatchObject({ status: 400, body: { message: expect.stringContaining('JSON object') } });
  });
});

describe('the port', () => {
  it('takes JSON only, so that a web page cannot arm a fault unasked', async () => {
    expect((await ask('POST', '{"operation":"*","status":503}', 'text/plain')).status).toBe(400);
    expect(opened.sandbox.faults.list()).toEqual([]);
  });

  it('serves nothing but faults', async () => {
    expect((await ask('GET', undefined, 'application/json', '/')).status).toBe(404);
    expect((await ask('PUT', '{}')).status).toBe(400);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', ''])('does not listen on %j', async (host) => {
    await expect(startAdmin(opened.sandbox, 0, host)).rejects.toThrow('127.0.0.1');
  });

  it('listens on localhost by name', async () => {
    const named = await startAdmin(opened.sandbox, 0, 'localhost');
    expect((await fetch(`${named.url}/faults`)).status).toBe(200);
    await named.close();
  });
});
