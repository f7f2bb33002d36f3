import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, INVALID, MISSING, REUSED, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { type CallResult, demoId, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const VISIT = { agendaId: demoId('agenda visits'), appointmentTypeId: demoId('appointment type survey'), customerId: demoId('customer 7') };
const SUPPORT = {
  agendaId: demoId('agenda support'),
  appointmentTypeId: demoId('appointment type call'),
  customerId: demoId('customer 7'),
};
const [TECHNICIAN, OTHER_TECHNICIAN] = [demoId('member technician'), demoId('member second technician')];

/** Days that tests have booked. Each test uses another day. */
let days = 30;

/** The first available time of a day that no other test uses. */
async function findFreeTime(of: { readonly agendaId: string; readonly appointmentTypeId: string }): Promise<string> {
  for (;;) {
    days += 1;
    const date = new Date((START + days * 86_400) * 1000).toISOString().slice(0, 10);
    const { slots = [] } = (await call('Appointment/ListAvailableAppointmentSlots', { ...of, date })).body;
    if (slots[0]) return slots[0].startsAt;
  }
}

const create = (request: object) => call('Appointment/CreateAppointment', request);

async function book(request: object = {}) {
  const response = await create({ ...VISIT, startsAt: await findFreeTime(VISIT), ...request });
  expect(response).toMatchObject({ status: 200 });
  return response.body.appointment;
}

const bookCall = async (request: object = {}) =>
  book({ ...SUPPORT, startsAt: await findFreeTime(SUPPORT), memberId: demoId('member planner'), ...request });

const get = async (id: string) => (await call('Appointment/GetAppointment', { id })).body.appointment;
const update = (id: string, change: object) => call('Appointment/UpdateAppointment', { id, ...change });
const cancel = (id: string) => call('Appointment/CancelAppointment', { id });

const RESULT = demoId('result code survey Quote wanted');
const record = (appointmentId: string, requestId: string, more: object = {}) =>
  call('Appointment/RecordAppointmentResult', { appointmentId, resultCodeId: RESULT, notes: 'Nice roof.', requestId, ...more });

describe('booking', () => {
  it('uses the default duration, or another one that the type allows', async () => {
    const appointment = await book({ description: 'Ring twice.' });
    expect(appointment).toMatchObject({
      ...VISIT,
      status: 'PUBLIC_APPOINTMENT_STATUS_SCHEDULED',
      source: 'PUBLIC_APPOINTMENT_SOURCE_LOCAL',
      description: 'Ring twice.',
    });
    expect(Number(appointment.endsAt) - Number(appointment.startsAt)).toBe(3_600);
    expect(await get(appointment.id)).toEqual(appointment);
    const longer = await book({ durationMinutes: 90 });
    expect(Number(longer.endsAt) - Number(longer.startsAt)).toBe(5_400);
  });

  it('blocks its time for members who can’t see its customer, too', async () => {
    const startsAt = await findFreeTime(VISIT);
    const blind = makeKey(opened.sandbox.world, { view: { customers: 'teams' } });
    const date = new Date(Number(startsAt) * 1000).toISOString().slice(0, 10);
    const free = async () => {
      const { slots } = (await callAs(blind, 'Appointment/ListAvailableAppointmentSlots', { ...VISIT, date })).body;
      return (slots as { startsAt: string; memberIds: string[] }[]).find((slot) => slot.startsAt === startsAt)?.memberIds ?? [];
    };
    expect(await free()).toHaveLength(2);
    const first = await book({ startsAt });
    expect(await free()).toEqual([TECHNICIAN, OTHER_TECHNICIAN].filter((id) => id !== first.memberId));
    await book({ startsAt });
    expect(await free()).toEqual([]);
  });

  it('assigns members in rotation on round-robin agendas, and skips busy ones', spec('4.8.1', '4.8.2'), async () => {
    const startsAt = await findFreeTime(VISIT);
    const [first, second] = [await book({ startsAt }), await book({ startsAt })];
    expect(new Set([first.memberId, second.memberId])).toEqual(new Set([TECHNICIAN, OTHER_TECHNICIAN]));
    expect(summarizeError(await create({ ...VISIT, startsAt }))).toEqual(BLOCKED);
    const later = String(Number(startsAt) + 3_600);
    expect([(await book({ startsAt: later })).memberId, (await book({ startsAt: later })).memberId]).toEqual([
      first.memberId,
      second.memberId,
    ]);
  });

  it('assigns the selected member on other agendas', spec('4.8.1'), async () => {
    const startsAt = await findFreeTime(SUPPORT);
    const [one, other] = [demoId('member planner'), demoId('member second planner')];
    expect((await bookCall({ startsAt, memberId: other })).memberId).toBe(other);
    expect(summarizeError(await create({ ...SUPPORT, startsAt, memberId: other }))).toEqual(BLOCKED);
    expect((await bookCall({ startsAt, memberId: one })).memberId).toBe(one);
    expect(summarizeError(await create({ ...SUPPORT, startsAt: await findFreeTime(SUPPORT) }))).toEqual(INVALID);
    // Not a member of the agenda.
    expect(summarizeError(await create({ ...SUPPORT, startsAt: await findFreeTime(SUPPORT), memberId: TECHNICIAN }))).toEqual(BLOCKED);
  });

  it('succeeds once per available member if many calls request one time', spec('4.8.3'), async () => {
    const startsAt = await findFreeTime(VISIT);
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ ...VISIT, startsAt })));
    const made = responses.filter(({ status }) => status === 200);
    expect(new Set(made.map(({ body }) => body.appointment.memberId)).size).toBe(2);
    expect([made.length, responses.filter((response) => summarizeError(response).code === BLOCKED.code).length]).toEqual([2, 8]);
  });

  it('considers appointments in other agendas', spec('4.8.3'), async () => {
    // One of the two members has a survey on Tuesday at 15:00 that was assigned manually.
    const startsAt = String(Date.parse('2026-03-03T14:30:00Z') / 1000);
    expect((await get(demoId('appointment routed'))).startsAt).toBe(String(Date.parse('2026-03-03T14:00:00Z') / 1000));
    expect(summarizeError(await create({ ...VISIT, startsAt }))).toEqual(BLOCKED);
  });

  it.each([
    ['in the past', { startsAt: String(START - 3_600) }, BLOCKED],
    ['at night', { startsAt: String(START + 14 * 3_600) }, BLOCKED],
    ['between two slots', { startsAt: String(START + 86_400 + 60) }, BLOCKED],
    ['without a start', { startsAt: undefined }, INVALID],
    ['with a duration that the type doesn’t allow', { durationMinutes: 45 }, INVALID],
    ['with a duration of zero', { durationMinutes: 0 }, INVALID],
    ['with a type that the agenda doesn’t offer', { appointmentTypeId: SUPPORT.appointmentTypeId }, INVALID],
    ['with a member on a round-robin agenda', { memberId: TECHNICIAN }, INVALID],
    ['in an agenda with manual assignment', { agendaId: demoId('agenda emergencies') }, BLOCKED],
    ['in an inactive agenda', { agendaId: demoId('agenda showroom') }, BLOCKED],
    ['in an unknown agenda', { agendaId: 'none' }, MISSING],
    ['for an unknown customer', { customerId: 'none' }, MISSING],
    ['for an unknown work order', { workOrderId: 'none' }, MISSING],
    ['with a description of 20,001 characters', { description: 'x'.repeat(20_001) }, INVALID],
  ])('fails %s', spec('4.8.1'), async (_case, request, refusal) => {
    expect(summarizeError(await create({ ...VISIT, startsAt: await findFreeTime(VISIT), ...request }))).toEqual(refusal);
  });
});

describe('update', () => {
  it('moves an appointment, which frees its time, and preserves its member and duration', spec('3.27'), async () => {
    const appointment = await book({ durationMinutes: 90 });
    const startsAt = String(Number(appointment.startsAt) + 1_800);
    const { body } = await update(appointment.id, { startsAt });
    expect(body.appointment).toEqual({ ...appointment, startsAt, endsAt: String(Number(startsAt) + 5_400) });
  });

  it('assigns another member to a moved appointment in rotation if its member is busy', async () => {
    const startsAt = await findFreeTime(VISIT);
    const blocking = await book({ startsAt });
    const moved = await book({ startsAt: String(Number(startsAt) + 3_600) });
    const other = await book({ startsAt: String(Number(startsAt) + 3_600) });
    const same = [moved, other].find(({ memberId }) => memberId === blocking.memberId);
    const { body } = await update(same.id, { startsAt });
    expect(new Set([TECHNICIAN, OTHER_TECHNICIAN])).toEqual(new Set([body.appointment.memberId, blocking.memberId]));
  });

  it('changes only the duration, the member or the description', spec('3.27'), async () => {
    const appointment = await bookCall();
    const longer = (await update(appointment.id, { durationMinutes: 60 })).body.appointment;
    expect(longer).toEqual({ ...appointment, endsAt: String(Number(appointment.startsAt) + 3_600) });
    const given = (await update(appointment.id, { memberId: demoId('member second planner') })).body.appointment;
    expect(given).toEqual({ ...longer, memberId: demoId('member second planner') });
    const described = (await update(appointment.id, { description: 'Bring the contract.' })).body.appointment;
    expect(described).toEqual({ ...given, description: 'Bring the contract.' });
  });

  it.each([
    ['an empty update', {}, INVALID],
    ['an unavailable time', { startsAt: 'taken' }, BLOCKED],
    ['a duration that isn’t allowed', { durationMinutes: 45 }, INVALID],
    ['a member on a round-robin agenda', { memberId: TECHNICIAN }, INVALID],
  ])('rejects %s', async (_case, change, refusal) => {
    const appointment = await book();
    const startsAt = await findFreeTime(VISIT);
    await Promise.all([book({ startsAt }), book({ startsAt })]);
    const wanted = 'startsAt' in change ? { startsAt } : change;
    expect(summarizeError(await update(appointment.id, wanted))).toEqual(refusal);
    expect(await get(appointment.id)).toEqual(appointment);
  });

  it('rejects past, external and manually assigned appointments, each with its reason', spec('3.24', '3.25', '3.26'), async () => {
    const appointment = await book();
    await cancel(appointment.id);
    const change = { description: 'Later.' };
    const names = ['appointment 0', 'appointment external', 'appointment routed'].map(demoId);
    const responses = await Promise.all([appointment.id, ...names].map((id) => update(id, change)));
    expect(responses.map(summarizeError)).toEqual([BLOCKED, BLOCKED, BLOCKED, BLOCKED]);
    const reasons = ['is canceled', 'is completed', 'created in another calendar', 'routed manually'];
    for (const [index, reason] of reasons.entries()) expect(responses[index]?.body.message).toContain(reason);
    expect(summarizeError(await update('none', change))).toEqual(MISSING);
  });
});

const location = { locationDataFieldId: demoId('data field site_address') };

/** Creates a work order for a customer with an address. */
async function workOrder(): Promise<string> {
  const { customer } = (await call('Customer/CreateCustomer', { title: 'With a site', customFields: { site_address: '{"city":"Gent"}' } }))
    .body;
  const { body } = await call('WorkOrder/CreateWorkOrder', { customerId: customer.id, title: 'Repair', ...location });
  return body.workOrder.id;
}

const getStatus = async (id: string) => (await call('WorkOrder/GetWorkOrder', { id })).body.workOrder.status.slice(25);

describe('cancellation', () => {
  it('frees the time', async () => {
    const appointment = await bookCall();
    const { body } = await cancel(appointment.id);
    expect(body.appointment).toMatchObject({ status: 'PUBLIC_APPOINTMENT_STATUS_CANCELLED', cancelledAt: String(START) });
    expect((await bookCall({ startsAt: appointment.startsAt, memberId: appointment.memberId })).startsAt).toBe(appointment.startsAt);
  });

  it('reopens the work order once, and not after it was completed again', spec('3.29', '3.30', '3.31', '3.32'), async () => {
    const id = await workOrder();
    const { customerId } = (await call('WorkOrder/GetWorkOrder', { id })).body.workOrder;
    const appointment = await book({ customerId, workOrderId: id });
    await call('WorkOrder/CompleteWorkOrder', { id });
    expect(await getStatus(id)).toBe('COMPLETED');
    expect((await cancel(appointment.id)).body.appointment.workOrderId).toBe(id);
    expect(await getStatus(id)).toBe('OPEN');
    await call('WorkOrder/CompleteWorkOrder', { id });
    const again = await cancel(appointment.id);
    expect([again.status, again.body.appointment.status]).toEqual([200, 'PUBLIC_APPOINTMENT_STATUS_CANCELLED']);
    expect(await getStatus(id)).toBe('COMPLETED');
  });

  it('reopens the work order once for concurrent calls', spec('3.29'), async () => {
    const id = await workOrder();
    const { customerId } = (await call('WorkOrder/GetWorkOrder', { id })).body.workOrder;
    const appointment = await book({ customerId, workOrderId: id });
    await call('WorkOrder/CompleteWorkOrder', { id });
    const responses = await Promise.all(Array.from({ length: 5 }, () => cancel(appointment.id)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(responses.map(({ body }) => body)).toEqual(responses.map(() => responses[0]?.body));
    const { events } = (await call('Customer/ListCustomerTimelineEvents', { customerId })).body;
    expect(events.filter(({ eventType }: { eventType: string }) => eventType === 'work_order_reopened')).toHaveLength(1);
  });

  it('fails for completed, external and manually assigned appointments', spec('3.28'), async () => {
    const ids = ['appointment 0', 'appointment external', 'appointment unassigned'].map(demoId);
    const responses = await Promise.all(ids.map(cancel));
    expect(responses.map(summarizeError)).toEqual([BLOCKED, BLOCKED, BLOCKED]);
    expect(summarizeError(await cancel('none'))).toEqual(MISSING);
  });
});

describe('result', () => {
  it('completes the appointment, and is returned again when repeated', spec('3.33', '3.34', '3.35', '7.24'), async () => {
    const appointment = await book();
    const { body } = await record(appointment.id, 'first');
    const recorded = { ...appointment, status: 'PUBLIC_APPOINTMENT_STATUS_COMPLETED' };
    const result = {
      code: { id: RESULT, name: 'Quote wanted', isSuccess: true },
      notes: 'Nice roof.',
      memberId: demoId('member owner'),
      recordedAt: String(START),
    };
    expect(body.appointment).toEqual({ ...recorded, result });
    expect((await record(appointment.id, 'first')).body).toEqual(body);
    expect(await get(appointment.id)).toEqual(body.appointment);
    expect(summarizeError(await record(appointment.id, 'first', { notes: 'Other.' }))).toEqual(REUSED);
    expect(summarizeError(await record(appointment.id, 'second'))).toEqual(BLOCKED);
  });

  it('gets recorded once for concurrent calls', spec('3.34'), async () => {
    const appointment = await book();
    const same = await Promise.all(Array.from({ length: 5 }, () => record(appointment.id, 'same')));
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
    const other = await book();
    const different = await Promise.all(['a', 'b', 'c'].map((requestId) => record(other.id, `one of ${requestId}`)));
    expect(different.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('requires an active result code of the appointment’s type', spec('4.8.16'), async () => {
    const appointment = await book();
    const { resultCodes } = (await call('Appointment/ListAppointmentResultCodes', { appointmentId: appointment.id })).body;
    expect(resultCodes.map(({ name }: { name: string }) => name)).toEqual(['Quote wanted', 'Not suitable', 'No one at home']);
    const codes = ['result code survey Postponed', 'result code call Solved'].map(demoId);
    for (const resultCodeId of codes) expect(summarizeError(await record(appointment.id, resultCodeId, { resultCodeId }))).toEqual(INVALID);
    expect(summarizeError(await record(appointment.id, 'of none', { resultCodeId: 'none' }))).toEqual(MISSING);
    expect(summarizeError(await record(appointment.id, ' '))).toEqual(INVALID);
    expect((await get(appointment.id)).status).toBe('PUBLIC_APPOINTMENT_STATUS_SCHEDULED');
  });

  it('fails for canceled and unknown appointments', async () => {
    const appointment = await book();
    await cancel(appointment.id);
    expect(summarizeError(await record(appointment.id, 'late'))).toEqual(BLOCKED);
    expect(summarizeError(await record('none', 'nowhere'))).toEqual(MISSING);
  });
});

const WINDOW = { startsFrom: String(START - 7 * 86_400), startsBefore: String(START + 10 * 86_400) };
const listAppointments = async (request: object) => (await call('Appointment/ListAppointments', { ...WINDOW, ...request })).body;

interface Row {
  readonly id: string;
  readonly startsAt: string;
  readonly status: string;
  readonly memberId: string;
  readonly agendaId: string;
  readonly customerId: string;
}

describe('list by time range', () => {
  it('returns appointments that start in it, earliest first, up to the page size, and hasMore', spec('4.8.6', '4.8.8'), async () => {
    opened.requiresDemoData();
    const { appointments, hasMore = false } = await listAppointments({});
    const starts = appointments.map(({ startsAt }: Row) => Number(startsAt));
    expect([appointments.length > 30, hasMore]).toEqual([true, false]);
    expect(starts).toEqual(starts.toSorted((one: number, other: number) => one - other));
    const page = await listAppointments({ pageSize: 7 });
    expect([page.appointments, page.hasMore]).toEqual([appointments.slice(0, 7), true]);
    const [first, second] = starts;
    const bounds = await listAppointments({ startsFrom: String(first), startsBefore: String(second) });
    expect(bounds.appointments.map(({ startsAt }: Row) => Number(startsAt))).toEqual([first]);
  });

  it.each<[string, (row: Row) => boolean, object]>([
    ['an agenda', ({ agendaId }) => agendaId === SUPPORT.agendaId, { agendaId: SUPPORT.agendaId }],
    ['a member', ({ memberId }) => memberId === TECHNICIAN, { memberId: TECHNICIAN }],
    ['a customer', ({ customerId }) => customerId === demoId('customer 3'), { customerId: demoId('customer 3') }],
    ['a status', ({ status }) => status.endsWith('CANCELLED'), { status: 'PUBLIC_APPOINTMENT_STATUS_CANCELLED' }],
  ])('can be filtered by %s', spec('4.8.7'), async (_case, fits, filter) => {
    opened.requiresDemoData();
    const all: Row[] = (await listAppointments({})).appointments;
    const some: Row[] = (await listAppointments(filter)).appointments;
    expect(some.length).toBeGreaterThan(0);
    expect(some).toEqual(all.filter(fits));
  });

  it.each([{ startsFrom: undefined }, { startsBefore: undefined }, { startsBefore: WINDOW.startsFrom }, { pageSize: 101 }])(
    'fails with %j',
    spec('4.8.5'),
    async (request) => {
      expect(summarizeError(await call('Appointment/ListAppointments', { ...WINDOW, ...request }))).toEqual(INVALID);
    },
  );
});

describe('private agenda', () => {
  const routed = demoId('appointment routed');
  const ids = ({ body }: CallResult) => (body.appointments ?? []).map(({ id }: Row) => id);

  it.each([
    ['visible to a member of the agenda', 'technician', true],
    ['hidden from another planner', 'planner', false],
  ])('has the same visibility in all operations: %s', spec('4.8.4', '4.8.9'), async (_case, member, isSeen) => {
    const key = makeKey(opened.sandbox.world, { member });
    const { customerId } = await get(routed);
    const responses = await Promise.all([
      callAs(key, 'Appointment/GetAppointment', { id: routed }),
      callAs(key, 'Appointment/ListAppointmentResultCodes', { appointmentId: routed }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(isSeen ? [200, 200] : [404, 404]);
    const lists = await Promise.all([
      callAs(key, 'Appointment/ListAppointments', WINDOW),
      callAs(key, 'Appointment/ListCustomerAppointments', { customerId }),
    ]);
    expect(lists.map((response) => ids(response).includes(routed))).toEqual([isSeen, isSeen]);
    const changes = await Promise.all([
      callAs(key, 'Appointment/UpdateAppointment', { id: routed, description: 'x' }),
      callAs(key, 'Appointment/CancelAppointment', { id: routed }),
    ]);
    expect(changes.map(summarizeError)).toEqual(isSeen ? [BLOCKED, BLOCKED] : [MISSING, MISSING]);
  });

  it('hides everything from members without access to planning', async () => {
    const key = makeKey(opened.sandbox.world, { member: 'warehouse' });
    const responses = await Promise.all([
      callAs(key, 'Appointment/ListAgendas', {}),
      callAs(key, 'Appointment/ListAppointments', WINDOW),
      callAs(key, 'Appointment/CancelAppointment', { id: routed }),
    ]);
    expect(responses.map(summarizeError)).toEqual([FORBIDDEN, FORBIDDEN, FORBIDDEN]);
  });

  it('lists a customer’s appointments from the latest start, with any status', spec('4.8.9'), async () => {
    opened.requiresDemoData();
    const { appointments } = (await call('Appointment/ListCustomerAppointments', { customerId: demoId('customer 0') })).body;
    const starts = appointments.map(({ startsAt }: Row) => Number(startsAt));
    expect(starts.length).toBeGreaterThan(3);
    expect(starts).toEqual(starts.toSorted((one: number, other: number) => other - one));
    expect(summarizeError(await call('Appointment/ListCustomerAppointments', { customerId: 'none' }))).toEqual(MISSING);
  });
});
