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
const listed = async (customerId: string, request = {}, key = 'demo-owner'): Promise<Event[]> =>
  (await callAs(key, 'Customer/ListCustomerTimelineEvents', { customerId, ...request })).body.events ?? [];
const kinds = (events: readonly Event[]) => events.map(({ eventType }) => eventType);

describe('Customer/ListCustomerTimelineEvents', () => {
  it('lists the newest first, and events of one second in the order in which they were written', spec('4.2.7'), async () => {
    const id = await customer();
    write(id, { eventType: 'older', occurredAt: opened.sandbox.now - 100 });
    write(id, { eventType: 'newer', occurredAt: opened.sandbox.now + 100 });
    write(id, { eventType: 'same second' });
    expect(kinds(await listed(id))).toEqual(['newer', 'same second', 'customer_created', 'older']);
  });

  it('shows audit and order events to those who may see these, and the rest to everybody', spec('4.2.8'), async () => {
    const id = await customer();
    write(id, { eventType: 'audited', audience: 'audit' });
    write(id, { eventType: 'ordered', audience: 'orders' });
    const seenWith = async (...permissions: Permission[]) =>
      kinds(await listed(id, {}, makeKey(opened.sandbox.world, { permissions: ['boardAccess:READ_ONLY', ...permissions] })));
    expect(await seenWith()).toEqual(['customer_created']);
    expect(await seenWith('auditAccess:READ_ONLY')).toEqual(['audited', 'customer_created']);
    expect(await seenWith('billingAccess:READ_ONLY')).toEqual(['ordered', 'customer_created']);
    expect(await seenWith('auditAccess:READ_ONLY', 'billingAccess:READ_ONLY')).toEqual(['ordered', 'audited', 'customer_created']);
  });

  it('lists one transaction only when it is named', spec('4.2.6'), async () => {
    const id = await customer();
    write(id, { eventType: 'mine', transactionId: 'deal 1' });
    write(id, { eventType: 'other', transactionId: 'deal 2' });
    expect(kinds(await listed(id, { transactionId: 'deal 1' }))).toEqual(['mine']);
    expect(await listed(id, { transactionId: 'deal 3' })).toEqual([]);
  });

  it('keeps to the customer that is named, and to the workspace', spec('4.2.6'), async () => {
    const [one, other] = [await customer(), await customer()];
    write(one, { eventType: 'of one' });
    expect(kinds(await listed(other))).toEqual(['customer_created']);
    expect((await callAs('demo-neighbour', 'Customer/ListCustomerTimelineEvents', { customerId: one })).status).toBe(404);
  });

  it(
    'has several kinds of events for the first demo customer, and shows no more of each than its summary',
    spec('2.9.1', '2.9.3'),
    async () => {
      opened.takesDemoData();
      const events = await listed(demoId('customer 0'));
      const wanted = ['customer_created', 'customer_updated', 'comment_created', 'file_added', 'journey_status_set'];
      expect(kinds(events)).toEqual(expect.arrayContaining(wanted));
      const shown = new Set(events.flatMap((event) => Object.keys(event)));
      expect(shown).toEqual(new Set(['id', 'eventType', 'entityType', 'entityId', 'summary', 'occurredAt']));
    },
  );
});

describe('a summary that the sandbox composes', () => {
  it('is cut to 1,000 characters, and never in half of one', spec('2.9.2'), async () => {
    const customerId = await customer();
    // "Changed: " and "x" are ten characters: a cut by UTF-16 units would end within a pair.
    const name = `x${'🙂'.repeat(1_200)}`;
    const { status } = await call('Customer/PatchCustomerDataFields', { customerId, fields: { [name]: 'y' } });
    expect(status).toBe(200);
    const [event] = await listed(customerId);
    expect(event).toMatchObject({ eventType: 'customer_updated', summary: `Changed: x${'🙂'.repeat(990)}` });
  });
});

describe('Customer/CreateCustomerEvent', () => {
  const recorded = (request: Record<string, unknown>) => call('Customer/CreateCustomerEvent', request);

  it('records an event that the timeline then shows, now unless a moment is given', spec('4.2.15'), async () => {
    const customerId = await customer();
    const now = await recorded({ customerId, eventType: 'called', summary: 'Called back.' });
    const earlier = await recorded({ customerId, eventType: 'visited', summary: 'Came by.', occurredAt: '1700000000' });
    expect(now).toMatchObject({ status: 200, body: { event: { eventType: 'called', summary: 'Called back.' } } });
    expect(now.body.event.occurredAt).toBe(String(opened.sandbox.now));
    expect(earlier.body.event).toMatchObject({ occurredAt: '1700000000', entityType: 'customer', entityId: customerId });
    const events = await listed(customerId);
    expect(events[0]).toEqual(now.body.event);
    expect(events.at(-1)).toEqual(earlier.body.event);
  });

  it('keeps a summary of the longest allowed length whole, and counts characters and not their halves', spec('2.9.2'), async () => {
    const customerId = await customer();
    for (const summary of ['x'.repeat(1_000), '🙂'.repeat(1_000)]) {
      const { status, body } = await recorded({ customerId, eventType: 'long', summary });
      expect({ status, summary: body.event.summary }).toEqual({ status: 200, summary });
    }
    expect((await recorded({ customerId, eventType: 'long', summary: '🙂'.repeat(1_001) })).status).toBe(400);
  });

  it('refuses blank and overlong values, and an unknown customer', async () => {
    const customerId = await customer();
    expect((await recorded({ customerId, eventType: ' ', summary: 'x' })).status).toBe(400);
    expect((await recorded({ customerId, eventType: 'x', summary: ' ' })).status).toBe(400);
    expect((await recorded({ customerId, eventType: 'x', summary: 'x'.repeat(1001) })).status).toBe(400);
    expect((await recorded({ customerId: 'nobody', eventType: 'x', summary: 'x' })).status).toBe(404);
    expect(kinds(await listed(customerId))).toEqual(['customer_created']);
  });
});
