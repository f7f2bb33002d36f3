import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Admin, startAdmin } from '../../../sandbox/kernel/admin.ts';
import { sendMessage } from '../../../sandbox/kernel/outbox.ts';
import { FOREIGN_HOSTS, getStatuses, LOCAL_HOSTS } from '../../support/hosts.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin(opened.sandbox, 0);
});
afterAll(() => admin.close());
beforeEach(() => opened.sandbox.faults.clear());

async function sendRequest(method: string, body?: string, type = 'application/json', path = '/faults') {
  const response = await fetch(`${admin.url}${path}`, { method, headers: { 'content-type': type }, ...(body !== undefined && { body }) });
  return { status: response.status, body: await response.json() };
}

const arm = (fault: unknown) => sendRequest('POST', JSON.stringify(fault));

describe('/faults', () => {
  it('arms a fault with POST, which then applies', async () => {
    const fault = { operation: 'Workspace/Me', status: 503, retryAfter: 2, times: 1 };
    expect(await arm(fault)).toEqual({ status: 200, body: { faults: [{ fault, left: 1 }] } });
    expect((await opened.call('Workspace/Me', {})).status).toBe(503);
    expect((await opened.call('Workspace/Me', {})).status).toBe(200);
  });

  it('lists armed faults with their remaining uses, until they’re used up', async () => {
    await arm({ operation: 'Workspace/Me', status: 500, times: 1 });
    await arm({ operation: '*', latencyMs: 1, times: 3 });
    await arm({ operation: '*', cut: 'after' });
    await opened.call('Workspace/Me', {});
    await opened.call('Workspace/Me', {});
    expect((await sendRequest('GET')).body.faults).toEqual([
      { fault: { operation: '*', latencyMs: 1, times: 3 }, left: 2 },
      { fault: { operation: '*', cut: 'after' }, left: null },
    ]);
  });

  it('clears faults with DELETE', async () => {
    await arm({ operation: '*', status: 503 });
    expect(await sendRequest('DELETE')).toEqual({ status: 200, body: { faults: [] } });
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
  ])('rejects an invalid %s, and doesn’t arm the fault: %j', async (named, fault) => {
    const { status, body } = await arm(fault);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code: 'invalid_argument',
      message: expect.stringContaining(named),
    });
    expect(opened.sandbox.faults.list()).toEqual([]);
  });

  it('reports all problems of a fault at once', async () => {
    const { body } = await arm({ operation: '*', status: 1, times: 0 });
    expect(body.message).toMatch(/status.*times/);
  });

  it.each(['', '{', '[]', 'null', '"*"'])('rejects %j, which isn’t a JSON object', async (body) => {
    expect(await sendRequest('POST', body)).toMatchObject({ status: 400, body: { message: expect.stringContaining('JSON object') } });
  });
});

describe('/outbox', () => {
  const outbox = (method = 'GET') => sendRequest(method, undefined, 'application/json', '/outbox');
  const invoice = { kind: 'invoice_mail', recipient: 'ada@example.com', subject: { type: 'invoice', id: 'i1' } };
  const reminder = { kind: 'reminder_text', recipient: '+31612345678', subject: { type: 'invoice', id: 'i1' } };
  const sender = () => {
    const { store } = opened.sandbox.world;
    return { store, workspaceId: 'w1', now: opened.sandbox.now, id: () => opened.sandbox.world.id() };
  };
  const sent = { id: expect.any(String), workspaceId: 'w1', sentAt: START };
  beforeEach(() => outbox('DELETE'));

  it('lists sent messages with GET, newest first', async () => {
    expect(await outbox()).toEqual({ status: 200, body: { messages: [] } });
    sendMessage(sender(), invoice);
    sendMessage(sender(), reminder);
    expect((await outbox()).body.messages).toEqual([
      { ...sent, ...reminder },
      { ...sent, ...invoice },
    ]);
  });

  it('doesn’t list messages of an effect that was rolled back', async () => {
    const sendAndFail = () =>
      opened.sandbox.world.store.transaction(() => {
        sendMessage(sender(), invoice);
        throw new Error('No.');
      });
    expect(sendAndFail).toThrow('No.');
    expect((await outbox()).body.messages).toEqual([]);
  });

  it('lists the newest 1,000 messages', async () => {
    const { store } = opened.sandbox.world;
    store.transaction(() => {
      for (let index = 0; index <= 1_000; index += 1) sendMessage(sender(), { ...invoice, recipient: `customer${index}@example.com` });
    });
    const { messages } = (await outbox()).body;
    expect([messages.length, messages[0].recipient, messages.at(-1).recipient]).toEqual([
      1_000,
      'customer1000@example.com',
      'customer1@example.com',
    ]);
  });

  it('clears messages with DELETE', async () => {
    sendMessage(sender(), invoice);
    expect(await outbox('DELETE')).toEqual({ status: 200, body: { messages: [] } });
    expect((await outbox()).body.messages).toEqual([]);
  });

  it('rejects POST', async () => {
    const { status, body } = await sendRequest('POST', JSON.stringify(invoice), 'application/json', '/outbox');
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining('GET') });
    expect((await outbox()).body.messages).toEqual([]);
  });
});

describe('admin port', () => {
  it('accepts only JSON, so that a web page can’t arm a fault', async () => {
    expect((await sendRequest('POST', '{"operation":"*","status":503}', 'text/plain')).status).toBe(400);
    expect(opened.sandbox.faults.list()).toEqual([]);
  });

  it('returns 404 for other paths', async () => {
    expect((await sendRequest('GET', undefined, 'application/json', '/')).status).toBe(404);
    expect((await sendRequest('PUT', '{}')).status).toBe(400);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', ''])('doesn’t listen on %j', async (host) => {
    await expect(startAdmin(opened.sandbox, 0, host)).rejects.toThrow('127.0.0.1');
  });

  it('rejects requests for hosts of other sites, because it has no authentication', async () => {
    expect(await getStatuses(admin.url, '/faults', FOREIGN_HOSTS)).toEqual(FOREIGN_HOSTS.map(() => 403));
    expect(await getStatuses(admin.url, '/faults', LOCAL_HOSTS)).toEqual(LOCAL_HOSTS.map(() => 200));
  });

  it('listens on localhost by name', async () => {
    const named = await startAdmin(opened.sandbox, 0, 'localhost');
    expect((await fetch(`${named.url}/faults`)).status).toBe(200);
    await named.close();
  });
});

describe('/customer-views', () => {
  const change = (body: object) => sendRequest('POST', JSON.stringify(body), undefined, '/customer-views');
  const assign = (body: object) => sendRequest('POST', JSON.stringify(body), undefined, '/customer-teams');
  const id = demoId('view site visits');
  const customerId = demoId('customer 1');
  const listFields = async () =>
    Object.keys(
      (await opened.callAs('demo-subcontractor', 'Customer/GetCustomer', { id: demoId('customer 0') })).body.customer.customFields,
    );

  it('lists views with GET, and changes them with POST for the next call', async () => {
    const before = (await sendRequest('GET', undefined, undefined, '/customer-views')).body.views;
    const view = before.find((each: { id: string }) => each.id === id);
    expect(view).toMatchObject({ name: 'Site visits', customers: 'all', roleIds: [demoId('role subcontractor')] });
    const changed = await change({ id, fields: ['budget'] });
    expect(changed.body.views).toContainEqual({ ...view, fields: ['budget'] });
    expect(await listFields()).toEqual(['budget']);
    await change({ id, roleIds: [] });
    expect((await listFields()).length).toBeGreaterThan(10);
    await change({ id, fields: view.fields, roleIds: view.roleIds });
    expect((await sendRequest('GET', undefined, undefined, '/customer-views')).body.views).toEqual(before);
  });

  it('updates what a team can see', async () => {
    const read = async () => (await opened.callAs('demo-regional', 'Customer/GetCustomer', { id: customerId })).status;
    expect(await read()).toBe(403);
    const teamIds = [demoId('team north')];
    expect(await assign({ customerId, teamIds })).toEqual({ status: 200, body: { customerId, teamIds } });
    expect(await read()).toBe(200);
    await assign({ customerId, teamIds: [] });
    expect(await read()).toBe(403);
  });

  it.each([
    [404, { id: 'absent' }],
    [404, { id, roleIds: ['absent'] }],
    [400, { id, customers: 'some' }],
    [400, { id, fields: 'budget' }],
    [400, { id, field: [] }],
    [400, []],
  ])('returns %i for %j', async (status, body) => {
    expect((await change(body)).status).toBe(status);
  });

  it('restricts views and teams to one workspace', async () => {
    const { store } = opened.sandbox.world;
    const foreign = store.get<{ id: string }>("SELECT id FROM teams WHERE name = 'Region north' AND id <> :id", {
      id: demoId('team north'),
    });
    expect((await assign({ customerId, teamIds: [foreign?.id] })).status).toBe(404);
  });
});
