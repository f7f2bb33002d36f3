import { describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, MISSING, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, printRows, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

let made = 0;
/** Creates a customer with these contact details. */
async function newCustomer(contact: object = { email: 'asked@example.com' }): Promise<string> {
  made += 1;
  return (await call('Customer/CreateCustomer', { title: `Asked ${made}`, ...contact })).body.customer.id;
}

const create = async (customerId: string, request: object = {}) =>
  (await call('ActionRequest/CreateManualActionRequest', { customerId, title: 'Send a photo', ...request })).body.actionRequest;
const get = (id: string) => call('ActionRequest/GetActionRequest', { id });
const list = async (request: object) => (await call('ActionRequest/ListActionRequests', request)).body;
const cancel = (id: string) => call('ActionRequest/CancelActionRequest', { id });
const resend = (id: string) => call('ActionRequest/ResendActionRequestNotification', { id });
const listMessagesAbout = (id: string) => listSentMessages(opened.sandbox.world.store).filter(({ subject }) => subject.id === id);
const listIds = (records: readonly { readonly id: string }[] = []) => records.map(({ id }) => id);

describe('action request', () => {
  it('starts as pending, and can be fetched by ID', spec('4.8.18'), async () => {
    opened.requiresDemoData();
    const customerId = await newCustomer();
    const created = await create(customerId, { description: 'Of the meter.' });
    expect(created).toEqual({
      id: expect.any(String),
      customerId,
      status: 'PUBLIC_ACTION_REQUEST_STATUS_PENDING',
      title: 'Send a photo',
      description: 'Of the meter.',
      createdAt: String(START),
      updatedAt: String(START),
    });
    expect((await get(created.id)).body.actionRequest).toEqual(created);
  });

  it('can be created twice', spec('4.8.17'), async () => {
    const customerId = await newCustomer();
    const ids = [(await create(customerId)).id, (await create(customerId)).id];
    expect(new Set(ids).size).toBe(2);
    expect(listIds((await list({ customerId })).actionRequests)).toEqual(ids.toReversed());
  });

  it('requires an existing customer', async () => {
    const request = { customerId: 'absent', title: 'Send a photo' };
    expect(summarizeError(await call('ActionRequest/CreateManualActionRequest', request))).toEqual(MISSING);
  });

  it('can be canceled while pending, but not in a final status', spec('3.22', '4.8.22', '7.30'), async () => {
    const { id } = await create(await newCustomer());
    expect((await cancel(id)).body.actionRequest).toMatchObject({ id, status: 'PUBLIC_ACTION_REQUEST_STATUS_CANCELLED' });
    expect(summarizeError(await cancel(id))).toEqual(BLOCKED);
    expect(summarizeError(await cancel(demoId('action request 1')))).toEqual(BLOCKED);
    expect((await get(demoId('action request 1'))).body.actionRequest.status).toBe('PUBLIC_ACTION_REQUEST_STATUS_COMPLETED');
  });

  it('can be canceled only once by concurrent calls', spec('4.8.22'), async () => {
    const { id } = await create(await newCustomer());
    const responses = await Promise.all([cancel(id), cancel(id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('action request list', () => {
  it('contains requests of all customers, newest first', spec('4.8.19'), async () => {
    const { actionRequests } = await list({ pageSize: 100 });
    const timestamps = actionRequests.map(({ createdAt }: { createdAt: string }) => Number(createdAt));
    expect(timestamps).toEqual(timestamps.toSorted((one: number, other: number) => other - one));
    expect(new Set(actionRequests.map(({ customerId }: { customerId: string }) => customerId)).size).toBeGreaterThan(2);
  });

  it('filters by customer and by status', spec('4.8.20'), async () => {
    opened.requiresDemoData();
    const customerId = demoId('customer 0');
    const [all, pending] = [await list({ customerId }), await list({ customerId, status: 'PUBLIC_ACTION_REQUEST_STATUS_PENDING' })];
    expect(listIds(all.actionRequests)).toEqual([0, 1, 2, 3].map((index) => demoId(`action request ${index}`)));
    expect(listIds(pending.actionRequests)).toEqual([0, 2].map((index) => demoId(`action request ${index}`)));
    expect((await call('ActionRequest/ListActionRequests', { customerId: 'absent' })).status).toBe(404);
  });

  it('starts with the first page of 25 rows by default', spec('4.8.21', '8.2'), async () => {
    const customerId = await newCustomer();
    for (let count = 0; count < 26; count += 1) await create(customerId);
    const usual = await list({ customerId });
    expect(usual).toMatchObject({ actionRequests: { length: 25 }, page: 1, pageSize: 25, hasMore: true });
    expect(await list({ customerId, page: 1, pageSize: 25 })).toEqual(usual);
    expect((await list({ customerId, page: 2 })).actionRequests).toHaveLength(1);
  });
});

describe('action request notification', () => {
  it.each([
    ['by email', { email: 'mail@example.com' }, [['action_request_mail', 'mail@example.com']]],
    ['by text message', { phone: '+31612345678' }, [['action_request_sms', '+31612345678']]],
    [
      'by both',
      { email: 'both@example.com', phone: '+31612345679' },
      [
        ['action_request_sms', '+31612345679'],
        ['action_request_mail', 'both@example.com'],
      ],
    ],
  ])('goes out %s, depending on the contact details', spec('4.8.23', '6.5'), async (_case, contact, expected) => {
    const created = await create(await newCustomer(contact));
    expect(listMessagesAbout(created.id)).toEqual([]);
    expect((await resend(created.id)).body.actionRequest).toEqual(created);
    expect(listMessagesAbout(created.id).map(({ kind, recipient }) => [kind, recipient])).toEqual(expected);
  });

  it('goes out on every call, with a new link that isn’t stored', spec('4.8.24', '4.8.25'), async () => {
    const { id } = await create(await newCustomer());
    const links = [(await resend(id)).body.portalUrl, (await resend(id)).body.portalUrl];
    expect(listMessagesAbout(id)).toHaveLength(2);
    expect(new Set(links).size).toBe(2);
    for (const link of links) {
      expect(link).toMatch(/^https:\/\/portal\.example\.com\/actions\/[\w-]{43}$/);
      expect(printRows(opened.sandbox)).not.toContain(link.split('/').at(-1));
    }
  });

  it('doesn’t go out for a final status, or to a customer without contact details', async () => {
    const unreachable = await create(await newCustomer({}));
    for (const id of [unreachable.id, demoId('action request 1'), demoId('action request 3')]) {
      expect(summarizeError(await resend(id))).toEqual(BLOCKED);
      expect(listMessagesAbout(id)).toEqual([]);
    }
  });
});

describe('operations of action requests', () => {
  it.each([
    ['GetActionRequest', { id: demoId('action request 0') }],
    ['ListActionRequests', {}],
    ['CancelActionRequest', { id: demoId('action request 0') }],
    ['ResendActionRequestNotification', { id: demoId('action request 0') }],
  ])('have an assumed scope: %s requires it', async (operation, request) => {
    const key = makeKey(opened.sandbox.world, { scopes: ['me:read', 'action_request:create'] });
    expect(summarizeError(await callAs(key, `ActionRequest/${operation}`, request))).toEqual(FORBIDDEN);
  });
});
