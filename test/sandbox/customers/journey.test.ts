import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

interface Status {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly isActive?: boolean;
}
interface Stage {
  readonly id: string;
  readonly name: string;
  readonly statuses: Status[];
}

const customer = async (): Promise<string> => (await call('Customer/CreateCustomer', { title: 'Journey' })).body.customer.id;
const listStages = async (): Promise<Stage[]> => (await call('Journey/ListJourneyConfig', {})).body.stages;
const findStatus = async (test: (status: Status) => boolean): Promise<Status> => {
  const status = (await listStages()).flatMap(({ statuses }) => statuses).find(test);
  if (!status) throw new Error('The demo journey has no such status.');
  return status;
};
const active = () => findStatus(({ isActive = false }) => isActive);
const inactive = () => findStatus(({ isActive = false }) => !isActive);
const set = (customerId: string, statusId: string) => call('Journey/SetCustomerJourneyStatus', { customerId, statusId });
const clear = (customerId: string) => call('Journey/ClearCustomerJourneyStatus', { customerId });
const listEvents = async (customerId: string): Promise<string[]> => {
  const { body } = await call('Customer/ListCustomerTimelineEvents', { customerId });
  return body.events.map(({ eventType }: { eventType: string }) => eventType);
};

describe('Journey/ListJourneyConfig', () => {
  it('lists the stages with their statuses, in journey order', spec('4.2.18'), async () => {
    const journey = await listStages();
    expect(journey.map(({ name }) => name)).toEqual(['Lead', 'Offer', 'Work', 'Aftercare']);
    expect(journey[1]?.statuses.map(({ name }) => name)).toEqual(['Offer sent', 'Negotiating']);
    for (const { color } of journey.flatMap(({ statuses }) => statuses)) expect(color).toMatch(/^#[0-9A-F]{6}$/);
  });

  it('marks inactive statuses', async () => {
    expect((await inactive()).name).toBe('Waiting for parts');
  });

  it('requires no permission beyond the scope, and lists only the workspace’s stages', async () => {
    expect((await callAs('demo-restricted', 'Journey/ListJourneyConfig', {})).status).toBe(200);
    const { body } = await callAs('demo-neighbour', 'Journey/ListJourneyConfig', {});
    const ours = new Set((await listStages()).map(({ id }) => id));
    expect(body.stages.filter(({ id }: Stage) => ours.has(id))).toEqual([]);
  });
});

describe('Journey/SetCustomerJourneyStatus', () => {
  it('sets the status, and adds a timeline event', spec('4.2.16'), async () => {
    const [id, status] = [await customer(), await active()];
    const { status: code, body } = await set(id, status.id);
    expect({ code, journeyStatusId: body.customer.journeyStatusId }).toEqual({ code: 200, journeyStatusId: status.id });
    expect((await call('Customer/GetCustomer', { id })).body).toEqual(body);
    expect(await listEvents(id)).toEqual(['journey_status_set', 'customer_created']);
  });

  it('has no effect and adds no event if the customer already has the status', async () => {
    const [id, status] = [await customer(), await active()];
    const first = await set(id, status.id);
    opened.sandbox.now += 60;
    expect((await set(id, status.id)).body).toEqual(first.body);
    expect(await listEvents(id)).toEqual(['journey_status_set', 'customer_created']);
  });

  it('rejects an inactive status, and changes nothing', async () => {
    const [id, before] = [await customer(), await active()];
    await set(id, before.id);
    const { status, body } = await set(id, (await inactive()).id);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'failed_precondition' });
    expect((await call('Customer/GetCustomer', { id })).body.customer.journeyStatusId).toBe(before.id);
  });

  it('accepts an inactive status that the customer already has', async () => {
    const [id, status] = [await customer(), await inactive()];
    opened.sandbox.world.store.run('UPDATE customers SET journey_status_id = :status WHERE id = :id', { id, status: status.id });
    const { status: code, body } = await set(id, status.id);
    expect({ code, journeyStatusId: body.customer.journeyStatusId }).toEqual({ code: 200, journeyStatusId: status.id });
  });

  it('returns not found for statuses and customers that are unknown or in another workspace', async () => {
    const [id, status] = [await customer(), await active()];
    const { body } = await callAs('demo-neighbour', 'Journey/ListJourneyConfig', {});
    expect((await set(id, 'no-such-status')).status).toBe(404);
    expect((await set(id, body.stages[0].statuses[0].id)).status).toBe(404);
    expect((await set('absent', status.id)).status).toBe(404);
    expect((await callAs('demo-neighbour', 'Journey/SetCustomerJourneyStatus', { customerId: id, statusId: status.id })).status).toBe(404);
  });

  it('accepts portfolios', async () => {
    const status = await active();
    expect((await set(demoId('portfolio 0'), status.id)).body.customer.journeyStatusId).toBe(status.id);
  });

  it('rejects an account with read-only access to customers', async () => {
    const request = { customerId: demoId('customer 0'), statusId: (await active()).id };
    expect((await callAs('demo-restricted', 'Journey/SetCustomerJourneyStatus', request)).status).toBe(403);
  });
});

describe('Journey/ClearCustomerJourneyStatus', () => {
  it('removes the status and adds a timeline event, but only once', spec('4.2.17'), async () => {
    const id = await customer();
    await set(id, (await active()).id);
    const first = await clear(id);
    expect({ status: first.status, journeyStatusId: first.body.customer.journeyStatusId ?? '' }).toEqual({
      status: 200,
      journeyStatusId: '',
    });
    opened.sandbox.now += 60;
    expect((await clear(id)).body).toEqual(first.body);
    expect(await listEvents(id)).toEqual(['journey_status_cleared', 'journey_status_set', 'customer_created']);
  });

  it('returns not found for an unknown customer', async () => {
    expect((await clear('absent')).status).toBe(404);
  });
});
