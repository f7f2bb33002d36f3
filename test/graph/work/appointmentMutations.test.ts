import { describe, expect, it } from 'vitest';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { APPOINTMENT, CREATE, createBooking, printMutation, toTimestamp, VISIT } from './booking.ts';

const testGraph = useTestGraph();
const { executeMutation, findFreeTime, book } = createBooking(testGraph);

const UPDATE = printMutation('AppointmentUpdate', APPOINTMENT);
const CANCEL = printMutation('AppointmentCancel', `${APPOINTMENT} workOrder { rawId status }`);
const RECORD = printMutation(
  'AppointmentResultRecord',
  'appointment { status result { code { name isSuccess } notes recordedBy { rawId } recordedAt } }',
);

describe('Mutation.appointmentCreate', () => {
  it('rounds fractional seconds down', async () => {
    const startsAt = await findFreeTime();
    expect(await book({ startsAt: startsAt.replace('Z', '.999Z') })).toMatchObject({ startsAt });
  });

  it('books a slot, and books the last place once for two concurrent requests', async () => {
    const startsAt = await findFreeTime();
    await book({ startsAt });
    const results = await Promise.all([executeMutation(CREATE, { ...VISIT, startsAt }), executeMutation(CREATE, { ...VISIT, startsAt })]);
    const [won, lost] = results.map(({ done }) => done).toSorted((one, other) => (one.__typename < other.__typename ? -1 : 1));
    expect([won.__typename, lost]).toMatchObject([
      'AppointmentCreatePayload',
      { __typename: 'TransitionBlockedError', code: 'TRANSITION_BLOCKED', blockers: [{ code: 'SLOT_UNAVAILABLE' }] },
    ]);
  });

  it.each([
    ['for an unavailable time', { startsAt: '2026-03-04T01:00:00Z' }, 'SLOT_UNAVAILABLE'],
    ['for a manually routed agenda', { agendaId: demoId('agenda emergencies') }, 'AGENDA_NOT_BOOKABLE'],
    ['for an inactive agenda', { agendaId: demoId('agenda showroom') }, 'AGENDA_NOT_BOOKABLE'],
    ['if the duration exceeds the free time', { startsAt: '2026-03-04T15:00:00Z', durationMinutes: 90 }, 'SLOT_UNAVAILABLE'],
  ])('returns TransitionBlockedError %s', async (_case, fields, code) => {
    const { done } = await executeMutation(CREATE, { ...VISIT, startsAt: '2026-03-04T15:00:00Z', ...fields });
    expect(done).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ code }], current: null });
  });
});

describe('Mutation.appointmentUpdate', () => {
  it('moves an appointment and clears its description with null', async () => {
    const { rawId, member } = await book({ description: 'Ring twice.' });
    const startsAt = await findFreeTime();
    const { done, calls } = await executeMutation(UPDATE, { appointmentId: rawId, startsAt, description: null });
    expect(done.appointment).toEqual({
      rawId,
      status: 'SCHEDULED',
      startsAt,
      endsAt: toTimestamp(Date.parse(startsAt) / 1000 + 3_600),
      member,
      description: null,
    });
    expect(calls).toEqual(['Appointment/UpdateAppointment']);
  });

  it('returns a distinct blocker per reason: status, external calendar, agenda, or slot', spec('3.25', '3.26'), async () => {
    const { rawId } = await book();
    await executeMutation(CANCEL, { appointmentId: rawId });
    const description = 'Later.';
    const refusals = await Promise.all(
      [rawId, demoId('appointment external'), demoId('appointment routed')].map((appointmentId) =>
        executeMutation(UPDATE, { appointmentId, description }),
      ),
    );
    expect(refusals.map(({ done }) => [done.__typename, done.blockers, done.fromText, done.current])).toEqual([
      ['TransitionBlockedError', [{ code: 'WRONG_STATUS' }], 'PUBLIC_APPOINTMENT_STATUS_CANCELLED', { rawId }],
      [
        'TransitionBlockedError',
        [{ code: 'EXTERNAL_CALENDAR' }],
        'PUBLIC_APPOINTMENT_STATUS_SCHEDULED',
        { rawId: demoId('appointment external') },
      ],
      [
        'TransitionBlockedError',
        [{ code: 'AGENDA_NOT_BOOKABLE' }],
        'PUBLIC_APPOINTMENT_STATUS_SCHEDULED',
        { rawId: demoId('appointment routed') },
      ],
    ]);
    const booked = await book();
    const { done } = await executeMutation(UPDATE, { appointmentId: booked.rawId, startsAt: '2026-03-04T01:00:00Z' });
    expect(done).toMatchObject({ blockers: [{ code: 'SLOT_UNAVAILABLE' }] });
  });
});

describe('Mutation.appointmentCancel', () => {
  it('cancels once and reports UNCHANGED if it is repeated', spec('3.31'), async () => {
    const { rawId } = await book();
    const first = await executeMutation(CANCEL, { appointmentId: rawId });
    expect(first.done).toMatchObject({ effect: 'DONE', appointment: { status: 'CANCELLED' }, workOrder: null });
    expect(first.calls).toEqual(['Appointment/GetAppointment', 'Appointment/CancelAppointment']);
    const repeat = await executeMutation(CANCEL, { appointmentId: rawId });
    expect(repeat.done).toMatchObject({ effect: 'UNCHANGED', appointment: { status: 'CANCELLED' } });
  });

  it('reopens its work order, and doesn’t reopen it in a replay after it was canceled', spec('3.32'), async () => {
    const call = (operation: string, request: object) => post(testGraph.sandbox.url, 'demo-owner', operation, request);
    const { workOrders } = (await call('WorkOrder/ListWorkOrders', { status: 'PUBLIC_WORK_ORDER_STATUS_COMPLETED' })).body;
    const { id: workOrderId, customerId } = workOrders[0];
    const { rawId } = await book({ customerId, workOrderId });
    const { done } = await executeMutation(CANCEL, { appointmentId: rawId, idempotencyKey: 'cancelled once' });
    expect(done).toMatchObject({ effect: 'DONE', workOrder: { rawId: workOrderId, status: 'OPEN' } });
    expect((await call('WorkOrder/CancelWorkOrder', { id: workOrderId })).status).toBe(200);
    const lateReplay = await executeMutation(CANCEL, { appointmentId: rawId, idempotencyKey: 'cancelled once' });
    expect(lateReplay.done).toMatchObject({ effect: 'REPLAYED', workOrder: { status: 'CANCELLED' } });
  });

  it('returns TransitionBlockedError for an appointment in an external calendar', async () => {
    const { done } = await executeMutation(CANCEL, { appointmentId: demoId('appointment external') });
    expect(done).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ code: 'EXTERNAL_CALENDAR' }] });
  });
});

describe('Mutation.appointmentResultRecord', () => {
  const resultCodeId = demoId('result code survey Not suitable');

  it('completes the appointment once per idempotency key', async () => {
    const { rawId: appointmentId } = await book();
    const input = { appointmentId, resultCodeId, notes: 'Too much shade.', idempotencyKey: 'recorded once' };
    const { done, calls } = await executeMutation(RECORD, input);
    expect(done.appointment).toEqual({
      status: 'COMPLETED',
      result: {
        code: { name: 'Not suitable', isSuccess: false },
        notes: 'Too much shade.',
        recordedBy: { rawId: demoId('member owner') },
        recordedAt: toTimestamp(testGraph.sandbox.now),
      },
    });
    expect(calls).toEqual(['Appointment/RecordAppointmentResult']);
    expect((await executeMutation(RECORD, input)).done).toMatchObject({ effect: 'REPLAYED', appointment: { status: 'COMPLETED' } });
    const other = await executeMutation(RECORD, { ...input, idempotencyKey: 'recorded again' });
    expect(other.done).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ code: 'WRONG_STATUS' }] });
  });

  it('rejects a result code of another appointment type', async () => {
    const { rawId: appointmentId } = await book();
    const wrong = demoId('result code call Solved');
    const { done } = await executeMutation(RECORD, { appointmentId, resultCodeId: wrong, idempotencyKey: 'wrong code' });
    expect(done).toMatchObject({ __typename: 'ValidationError' });
  });
});
