import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../sandbox/kernel/permissions.ts';
import { type TimelineEntry, writeTimeline } from '../../../sandbox/kernel/timeline.ts';
import { spec } from '../../support/spec.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

interface Event {
  readonly id: string;
  readonly eventType: string;
  readonly summary: string;
  readonly occurredAt: string;
}

const customer = async (): Promise<string> => (await call('Customer/CreateCustomer', { title: 'Timeline' })).body.customer.id;
const write = (customerId: string, entry: Partial<TimelineEntry>) =>
  writeTimeline(opened.sandbox.world, demoId('workspace'), customerId, {
    eventType: 'test',
    entityType: 'test',
    entityId: 'x',
    summary: 'Test.',
    ...entry,
  });
const listEvents = async (customerId: string, request = {}, key = 'demo-owner'): Promise<Event[]> =>
  (await callAs(key, 'Customer/ListCustomerTimelineEvents', { customerId, ...request })).body.events ?? [];
const toEventTypes = (events: readonly Event[]) => events.map(({ eventType }) => eventType);

describe('Customer/ListCustomerTimelineEvents', () => {
  it('lists events, newest first, and those of one second in insertion order', spec('4.2.7'), async () => {
    const id = await customer();
    write(id, { eventType: 'older', occurredAt: opened.sandbox.now - 100 });
    write(id, { eventType: 'newer', occurredAt: opened.sandbox.now + 100 });
    write(id, { eventType: 'same second' });
    expect(toEventTypes(await listEvents(id))).toEqual(['newer', 'same second', 'customer_created', 'older']);
  });

  it('returns audit and order events only to members with access to them', spec('4.2.8'), async () => {
    const id = await customer();
    write(id, { eventType: 'audited', audience: 'audit' });
    write(id, { eventType: 'ordered', audience: 'orders' });
    const listVisibleWith = async (...permissions: Permission[]) =>
      toEventTypes(await listEvents(id, {}, makeKey(opened.sandbox.world, { permissions: ['boardAccess:READ_ONLY', ...permissions] })));
    expect(await listVisibleWith()).toEqual(['customer_created']);
    expect(await listVisibleWith('auditAccess:READ_ONLY')).toEqual(['audited', 'customer_created']);
    expect(await listVisibleWith('billingAccess:READ_ONLY')).toEqual(['ordered', 'customer_created']);
    expect(await listVisibleWith('auditAccess:READ_ONLY', 'billingAccess:READ_ONLY')).toEqual(['ordered', 'audited', 'customer_created']);
  });

  it('filters by transaction', spec('4.2.6'), async () => {
    const id = await customer();
    write(id, { eventType: 'mine', transactionId: 'deal 1' });
    write(id, { eventType: 'other', transactionId: 'deal 2' });
    expect(toEventTypes(await listEvents(id, { transactionId: 'deal 1' }))).toEqual(['mine']);
    expect(await listEvents(id, { transactionId: 'deal 3' })).toEqual([]);
  });

  it('lists only events of the customer in the workspace', spec('4.2.6'), async () => {
    const [one, other] = [await customer(), await customer()];
    write(one, { eventType: 'of one' });
    expect(toEventTypes(await listEvents(other))).toEqual(['customer_created']);
    expect((await callAs('demo-neighbour', 'Customer/ListCustomerTimelineEvents', { customerId: one })).status).toBe(404);
  });

  it('returns several kinds of events for the first demo customer, with only a summary of each', spec('2.9.1', '2.9.3'), async () => {
    opened.requiresDemoData();
    const events = await listEvents(demoId('customer 0'));
    const wanted = ['customer_created', 'customer_updated', 'comment_created', 'file_added', 'journey_status_set'];
    expect(toEventTypes(events)).toEqual(expect.arrayContaining(wanted));
    const names = new Set(events.flatMap((event) => Object.keys(event)));
    expect(names).toEqual(new Set(['id', 'eventType', 'entityType', 'entityId', 'summary', 'occurredAt']));
  });
});

describe('generated summary', () => {
  it('has up to 1,000 characters, and no split ones', spec('2.9.2'), async () => {
    const customerId = await customer();
    // "Changed: " and "x" are ten characters, so truncating by UTF-16 units would split a surrogate pair.
    const name = `x${'🙂'.repeat(1_200)}`;
    const { status } = await call('Customer/PatchCustomerDataFields', { customerId, fields: { [name]: 'y' } });
    expect(status).toBe(200);
    const [event] = await listEvents(customerId);
    expect(event).toMatchObject({ eventType: 'customer_updated', summary: `Changed: x${'🙂'.repeat(990)}` });
  });
});

describe('Customer/CreateCustomerEvent', () => {
  const createEvent = (request: Record<string, unknown>) => call('Customer/CreateCustomerEvent', request);

  it('adds an event to the timeline, with the current time by default', spec('4.2.15'), async () => {
    const customerId = await customer();
    const now = await createEvent({ customerId, eventType: 'called', summary: 'Called back.' });
    const earlier = await createEvent({ customerId, eventType: 'visited', summary: 'Came by.', occurredAt: '1700000000' });
    expect(now).toMatchObject({ status: 200, body: { event: { eventType: 'called', summary: 'Called back.' } } });
    expect(now.body.event.occurredAt).toBe(String(opened.sandbox.now));
    expect(earlier.body.event).toMatchObject({ occurredAt: '1700000000', entityType: 'customer', entityId: customerId });
    const events = await listEvents(customerId);
    expect(events[0]).toEqual(now.body.event);
    expect(events.at(-1)).toEqual(earlier.body.event);
  });

  it('stores a summary of the maximum length, counting surrogate pairs as one character', spec('2.9.2'), async () => {
    const customerId = await customer();
    for (const summary of ['x'.repeat(1_000), '🙂'.repeat(1_000)]) {
      const { status, body } = await createEvent({ customerId, eventType: 'long', summary });
      expect({ status, summary: body.event.summary }).toEqual({ status: 200, summary });
    }
    expect((await createEvent({ customerId, eventType: 'long', summary: '🙂'.repeat(1_001) })).status).toBe(400);
  });

  it('rejects blank and overlong values, and an unknown customer', async () => {
    const customerId = await customer();
    expect((await createEvent({ customerId, eventType: ' ', summary: 'x' })).status).toBe(400);
    expect((await createEvent({ customerId, eventType: 'x', summary: ' ' })).status).toBe(400);
    expect((await createEvent({ customerId, eventType: 'x', summary: 'x'.repeat(1001) })).status).toBe(400);
    expect((await createEvent({ customerId: 'absent', eventType: 'x', summary: 'x' })).status).toBe(404);
    expect(toEventTypes(await listEvents(customerId))).toEqual(['customer_created']);
  });
});
