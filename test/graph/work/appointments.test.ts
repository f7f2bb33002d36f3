import { describe, expect, it } from 'vitest';
import { appointmentTable } from '../../../sandbox/work/appointments.ts';
import { demoId, post, START } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const FAILURES =
  '__typename ... on ValidationError { issues { path code } } ... on TransitionBlockedError { fromText blockers { code } current { ... on Appointment { rawId } } } ... on MutationError { code }';
const mutationOf = (name: string, payload: string) =>
  `mutation ($input: ${name}Input!) { done: ${name.charAt(0).toLowerCase()}${name.slice(1)}(input: $input) { ${FAILURES} ... on ${name}Payload { effect ${payload} } } }`;

const SHOWN = 'appointment { rawId status startsAt endsAt member { rawId } description }';
const CREATE = mutationOf('AppointmentCreate', SHOWN);
const UPDATE = mutationOf('AppointmentUpdate', SHOWN);
const CANCEL = mutationOf('AppointmentCancel', `${SHOWN} workOrder { rawId status }`);
const RECORD = mutationOf(
  'AppointmentResultRecord',
  'appointment { status result { code { name isSuccess } notes recordedBy { rawId } recordedAt } }',
);

const ask = async (query: string, input: object) => {
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { input }));
  expect(errors).toBeUndefined();
  return { done: data.done, calls };
};

const VISIT = {
  agendaId: demoId('agenda visits'),
  appointmentTypeId: demoId('appointment type survey'),
  customerId: demoId('customer 7'),
};

/** Times of different days that tests book. */
let days = 40;

const SLOTS = `query ($id: ID!, $day: Date!, $type: ID!) {
  agenda(id: $id) { availableSlots(day: $day, appointmentTypeId: $type) { startsAt endsAt members { rawId } } }
}`;

async function freeTime(): Promise<string> {
  for (;;) {
    days += 1;
    const day = new Date((START + days * 86_400) * 1000).toISOString().slice(0, 10);
    const { data } = await testGraph.execute(SLOTS, { id: VISIT.agendaId, day, type: VISIT.appointmentTypeId });
    const [slot] = data.agenda.availableSlots;
    if (slot) return slot.startsAt;
  }
}

async function booked(fields: object = {}) {
  const { done } = await ask(CREATE, { ...VISIT, startsAt: await freeTime(), ...fields });
  expect(done).toMatchObject({ effect: 'DONE' });
  return done.appointment;
}

const toMoment = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');

describe('an appointment', () => {
  it('is among those of its work order, which the list of the customer tells', async () => {
    const { workOrders } = (await post(testGraph.sandbox.url, 'demo-owner', 'WorkOrder/ListWorkOrders', {})).body;
    const { id: workOrderId, customerId } = workOrders[0];
    const { rawId } = await booked({ customerId, workOrderId });
    await booked({ customerId });
    const query = `query ($id: ID!) {
      workOrder(id: $id) { appointments(first: 100) { totalCount nodes { rawId status } } customer { appointments(first: 100) { nodes { rawId workOrder { rawId } } } } }
    }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: workOrderId }));
    expect([errors, calls.toSorted()]).toEqual([undefined, ['Appointment/ListCustomerAppointments', 'WorkOrder/GetWorkOrder']]);
    const { customer, appointments: connection } = data.workOrder;
    const appointments = connection.nodes;
    expect(connection.totalCount).toBe(appointments.length);
    expect(appointments).toContainEqual({ rawId, status: 'SCHEDULED' });
    const all = customer.appointments.nodes as { rawId: string; workOrder: { rawId: string } | null }[];
    expect(all.length).toBeGreaterThan(appointments.length);
    expect(appointments.map((each: { rawId: string }) => each.rawId)).toEqual(
      all.filter(({ workOrder }) => workOrder?.rawId === workOrderId).map((each) => each.rawId),
    );
  });

  it('paginates the appointments of a work order from both ends, and rejects the cursor of another work order', async () => {
    const { workOrders } = (await post(testGraph.sandbox.url, 'demo-owner', 'WorkOrder/ListWorkOrders', {})).body;
    const [{ id: workOrderId, customerId }, { id: otherId }] = workOrders;
    for (let count = 0; count < 3; count += 1) await booked({ customerId, workOrderId });
    const read = async (id: string, args: string) => {
      const { data, errors } = await testGraph.execute(
        `query ($id: ID!) { workOrder(id: $id) { appointments(${args}) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor } nodes { rawId } } } }`,
        { id },
      );
      return { ...data.workOrder.appointments, issues: errors?.[0]?.extensions.issues, code: errors?.[0]?.extensions.code };
    };
    const all = await read(workOrderId, 'first: 100');
    const first = await read(workOrderId, 'first: 1');
    expect(first).toMatchObject({
      totalCount: all.nodes.length,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
      nodes: [all.nodes[0]],
    });
    const after = `after: "${first.pageInfo.endCursor}"`;
    expect((await read(workOrderId, `first: 100, ${after}`)).nodes).toEqual(all.nodes.slice(1));
    expect(await read(workOrderId, 'last: 1')).toMatchObject({ pageInfo: { hasPreviousPage: true }, nodes: [all.nodes.at(-1)] });
    expect((await read(otherId, `first: 1, ${after}`)).code).toBe('INVALID_CURSOR');
    expect((await read(workOrderId, 'first: 101')).issues).toMatchObject([{ path: ['first'], code: 'OUT_OF_RANGE' }]);
  });

  it('leads to its agenda, type, member, customer and result, each list in one call', async () => {
    const query = `query ($of: DateTimeRangeInput!) {
      appointments(scheduledBetween: $of, first: 9) {
        nodes { status source agenda { name timeZone } appointmentType { name } customer { rawId } member { rawId } result { code { name } } workOrder { title } }
      }
    }`;
    const of = { from: toMoment(START - 8 * 86_400), to: toMoment(START + 7 * 86_400) };
    const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of }));
    expect(errors).toBeUndefined();
    expect(calls).toEqual(['Appointment/ListAppointments', 'Appointment/ListAgendas', 'Appointment/ListAppointmentTypes']);
    expect(data.appointments.nodes[0]).toEqual({
      status: 'COMPLETED',
      source: 'LOCAL',
      agenda: { name: 'Visits', timeZone: 'Europe/Amsterdam' },
      appointmentType: { name: 'Site survey' },
      customer: { rawId: demoId('customer 0') },
      member: { rawId: demoId('member technician') },
      result: { code: { name: 'Quote wanted' } },
      workOrder: null,
    });
    // The page with its spare calls, both lists, and a work order of each row.
    expect(cost?.predictedCalls).toBe(3 + 2 + 9);
  });

  it('is null to one who may not see it', async () => {
    const query = '{ appointment(id: "nobody") { status } }';
    expect((await testGraph.execute(query)).data).toEqual({ appointment: null });
  });

  it('has the results that can be recorded of it', async () => {
    const query = 'query ($id: ID!) { appointment(id: $id) { resultCodes { name isSuccess } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('appointment routed') }));
    expect(data.appointment.resultCodes).toEqual([
      { name: 'Quote wanted', isSuccess: true },
      { name: 'Not suitable', isSuccess: false },
      { name: 'No one at home', isSuccess: false },
    ]);
    expect(calls).toEqual(['Appointment/ListAppointmentResultCodes']);
  });

  it('is one of its customer’s, from the latest start on', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { appointments(first: 2) { totalCount nodes { startsAt } } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('customer 1') }));
    const { totalCount, nodes } = data.customer.appointments;
    expect([totalCount > 3, nodes[0].startsAt > nodes[1].startsAt, calls]).toEqual([true, true, ['Appointment/ListCustomerAppointments']]);
  });
});

describe('an agenda', () => {
  it('tells its strategy, types and members', async () => {
    const query =
      '{ agendas { name strategy isBookable slotMinutes allowedTypes { name defaultDurationMinutes } eligibleMembers { displayName } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(errors).toBeUndefined();
    expect(data.agendas.map(({ name, isBookable }: { name: string; isBookable: boolean }) => [name, isBookable])).toEqual([
      ['Emergencies', false],
      ['Remote support', true],
      ['Showroom', false],
      ['Visits', true],
    ]);
    expect(data.agendas[1]).toEqual({
      name: 'Remote support',
      strategy: 'CHOOSE_USER',
      isBookable: true,
      slotMinutes: 30,
      allowedTypes: [{ name: 'Video call', defaultDurationMinutes: 30 }],
      eligibleMembers: [{ displayName: 'Chloé Claes' }, { displayName: 'Hugo Huber' }],
    });
    const members = 'Appointment/ListAgendaEligibleMembers';
    expect(calls.toSorted()).toEqual([members, members, members, members, 'Appointment/ListAgendas', 'Appointment/ListAppointmentTypes']);
  });

  it('has the slots of a day of its zone, and their members in one more call', async () => {
    const variables = { id: demoId('agenda support'), day: '2026-11-01', type: demoId('appointment type call') };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(SLOTS, variables));
    expect(errors).toBeUndefined();
    const slots = data.agenda.availableSlots;
    // The clocks are put back.
    expect([slots.length, slots[0].startsAt, slots.at(-1).endsAt]).toEqual([50, '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z']);
    expect(slots[0].members).toEqual([{ rawId: demoId('member planner') }, { rawId: demoId('member second planner') }]);
    expect(calls).toEqual(['Appointment/ListAvailableAppointmentSlots', 'Appointment/ListAgendaEligibleMembers']);
  });

  it('that is routed by hand refuses to tell slots', spec('4.8.12'), async () => {
    const { data, errors } = await testGraph.execute(SLOTS, {
      id: demoId('agenda emergencies'),
      day: '2026-03-04',
      type: VISIT.appointmentTypeId,
    });
    expect([data.agenda, errors?.[0]?.extensions.code]).toEqual([{ availableSlots: null }, 'REJECTED']);
  });

  it.each(['2026-02-30', '4 March', '2026-3-4'])('has no day %s', async (day) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(SLOTS, { id: VISIT.agendaId, day, type: VISIT.appointmentTypeId }),
    );
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['BAD_USER_INPUT', []]);
  });
});

const LIST = `query ($of: DateTimeRangeInput!, $filter: AppointmentFilterInput, $first: Int, $after: String, $last: Int) {
  appointments(scheduledBetween: $of, filter: $filter, first: $first, after: $after, last: $last) {
    isTruncated nodes { rawId startsAt } pageInfo { hasNextPage endCursor }
  }
}`;

/** Adds appointments that start at these minutes of a day long ago. */
function addAppointments(prefix: string, minutes: readonly number[]): { readonly from: string; readonly to: string } {
  const { store } = testGraph.sandbox.world;
  const row = appointmentTable.find(store, { id: demoId('appointment 0') });
  if (!row) throw new Error('The demo has no appointment.');
  const day = Date.UTC(2001, 0, 1 + days) / 1000;
  days += 1;
  for (const [index, minute] of minutes.entries()) {
    const startsAt = day + minute * 60;
    appointmentTable.insert(store, { ...row, id: `${prefix} ${index}`, starts_at: startsAt, ends_at: startsAt + 60 });
  }
  return { from: toMoment(day), to: toMoment(day + 86_400) };
}

describe('a list by time', () => {
  it('is read on by later windows, with equal starts where pages are cut', spec('4.8.8'), async () => {
    const of = addAppointments(
      'walked',
      Array.from({ length: 250 }, (_, index) => Math.floor(index / 40)),
    );
    const walked: string[] = [];
    let after: string | null = null;
    let hasNextPage = true;
    const counts: number[] = [];
    while (hasNextPage && counts.length < 10) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { of, first: 100, after }));
      expect(errors).toBeUndefined();
      const { nodes, pageInfo, isTruncated } = data.appointments;
      walked.push(...nodes.map(({ rawId }: { rawId: string }) => rawId));
      expect(isTruncated).toBe(false);
      ({ hasNextPage, endCursor: after } = pageInfo);
      counts.push(calls.length);
    }
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked).toHaveLength(250);
    expect(counts).toEqual([1, 2, 1]);
  });

  it('ends where more start at one moment than the upstream shows, and says so', async () => {
    const of = addAppointments(
      'many',
      Array.from({ length: 130 }, () => 5),
    );
    const { data } = await testGraph.execute(LIST, { of, first: 100 });
    expect([data.appointments.nodes.length, data.appointments.pageInfo.hasNextPage]).toEqual([100, true]);
    const [next, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(LIST, { of, first: 100, after: data.appointments.pageInfo.endCursor }),
    );
    expect(next.data.appointments).toMatchObject({ isTruncated: true, nodes: [], pageInfo: { hasNextPage: false } });
    expect(calls).toHaveLength(2);
    // Its filter shows the others.
    const narrow = await testGraph.execute(LIST, { of, filter: { agendaId: demoId('agenda support') } });
    expect(narrow.data.appointments).toMatchObject({ isTruncated: false, nodes: [] });
  });

  it('is read from its end', async () => {
    const of = addAppointments('last', [1, 2, 3, 4, 5]);
    const { data, cost } = await testGraph.execute(LIST, { of, last: 2 });
    expect(data.appointments.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual(['last 3', 'last 4']);
    expect(cost?.predictedCalls).toBe(10);
  });

  it.each([
    ['from its end backwards', { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }],
    ['of no length', { from: '2026-03-02T00:00:00Z', to: '2026-03-02T01:00:00+01:00' }],
  ])('is refused %s', async (_case, of) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { of }));
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['scheduledBetween', 'to'], code: 'OUT_OF_RANGE' }] } },
    ]);
    expect(errors?.[0]?.message).toContain('must be after `from` (2026-03-02T00:00:00Z)');
    expect(calls).toEqual([]);
  });

  it.each([
    ['from a fraction after its start', { from: '00:01:00.001Z', to: '00:03:00Z' }, ['2']],
    ['from a fraction before its start', { from: '00:00:59.999999Z', to: '00:03:00Z' }, ['1', '2']],
    ['to a fraction after its start', { from: '00:01:00.000Z', to: '00:02:00.001Z' }, ['1', '2']],
    ['to a fraction before its start', { from: '00:01:00Z', to: '00:01:59.999Z' }, ['1']],
    ['within a second', { from: '00:00:59.25Z', to: '00:00:59.75Z' }, []],
    ['within the second before its start', { from: '00:00:59.25Z', to: '00:01:00.25Z' }, ['1']],
  ])('contains an appointment exactly if it starts in a range %s', async (name, { from, to }, expected) => {
    const day = addAppointments(`fraction ${name}`, [1, 2, 3]).from.slice(0, 11);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(LIST, { of: { from: day + from, to: day + to } }),
    );
    expect(errors).toBeUndefined();
    const numbers = data.appointments.nodes.map(({ startsAt }: { startsAt: string }) => String(new Date(startsAt).getUTCMinutes()));
    expect(numbers).toEqual(expected);
    expect(calls).toHaveLength(expected.length > 0 ? 1 : 0);
  });

  it('rejects a range whose ends differ by a fraction in the wrong order, and shows it', async () => {
    const of = { from: '2026-03-02T00:00:00.750Z', to: '2026-03-02T00:00:00.5Z' };
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { of }));
    expect(errors?.[0]?.message).toContain('must be after `from` (2026-03-02T00:00:00.75Z), but is 2026-03-02T00:00:00.5Z');
    expect(calls).toEqual([]);
  });

  it('continues with a cursor if the same range is written with other fractions', async () => {
    const { from, to } = addAppointments('rewritten', [1, 2]);
    const { data } = await testGraph.execute(LIST, { of: { from, to }, first: 1 });
    const of = { from: from.replace('Z', '.000Z'), to: to.replace('00Z', '00.000Z') };
    const next = await testGraph.execute(LIST, { of, first: 1, after: data.appointments.pageInfo.endCursor });
    expect(next.data.appointments.nodes).toMatchObject([{ rawId: 'rewritten 1' }]);
  });

  it('takes no cursor of another time', async () => {
    const { data } = await testGraph.execute(LIST, { of: addAppointments('one', [1, 2]), first: 1 });
    const { endCursor: after } = data.appointments.pageInfo;
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(LIST, { of: addAppointments('another', [1, 2]), after }),
    );
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['INVALID_CURSOR', []]);
  });
});

describe('Mutation.appointmentCreate', () => {
  it('rounds fractional seconds down', async () => {
    const startsAt = await freeTime();
    expect(await booked({ startsAt: startsAt.replace('Z', '.999Z') })).toMatchObject({ startsAt });
  });

  it('books a slot, and one of two who want it at once gets the last place', async () => {
    const startsAt = await freeTime();
    await booked({ startsAt });
    const answers = await Promise.all([ask(CREATE, { ...VISIT, startsAt }), ask(CREATE, { ...VISIT, startsAt })]);
    const [won, lost] = answers.map(({ done }) => done).toSorted((one, other) => (one.__typename < other.__typename ? -1 : 1));
    expect([won.__typename, lost]).toMatchObject([
      'AppointmentCreatePayload',
      { __typename: 'TransitionBlockedError', code: 'TRANSITION_BLOCKED', blockers: [{ code: 'SLOT_UNAVAILABLE' }] },
    ]);
  });

  it.each([
    ['at a time that is none', { startsAt: '2026-03-04T01:00:00Z' }, 'SLOT_UNAVAILABLE'],
    ['in an agenda that is routed by hand', { agendaId: demoId('agenda emergencies') }, 'AGENDA_NOT_BOOKABLE'],
    ['in an inactive agenda', { agendaId: demoId('agenda showroom') }, 'AGENDA_NOT_BOOKABLE'],
    ['too long for what is free', { startsAt: '2026-03-04T15:00:00Z', durationMinutes: 90 }, 'SLOT_UNAVAILABLE'],
  ])('books nothing %s, and says why', async (_case, fields, code) => {
    const { done } = await ask(CREATE, { ...VISIT, startsAt: '2026-03-04T15:00:00Z', ...fields });
    expect(done).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ code }], current: null });
  });
});

describe('Mutation.appointmentUpdate', () => {
  it('moves an appointment, and null clears its description', async () => {
    const { rawId, member } = await booked({ description: 'Ring twice.' });
    const startsAt = await freeTime();
    const { done, calls } = await ask(UPDATE, { appointmentId: rawId, startsAt, description: null });
    expect(done.appointment).toEqual({
      rawId,
      status: 'SCHEDULED',
      startsAt,
      endsAt: toMoment(Date.parse(startsAt) / 1000 + 3_600),
      member,
      description: null,
    });
    expect(calls).toEqual(['Appointment/UpdateAppointment']);
  });

  it('tells its three reasons apart, and a time that is taken', spec('3.25', '3.26'), async () => {
    const { rawId } = await booked();
    await ask(CANCEL, { appointmentId: rawId });
    const description = 'Later.';
    const refusals = await Promise.all(
      [rawId, demoId('appointment external'), demoId('appointment routed')].map((appointmentId) =>
        ask(UPDATE, { appointmentId, description }),
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
    const mine = await booked();
    const { done } = await ask(UPDATE, { appointmentId: mine.rawId, startsAt: '2026-03-04T01:00:00Z' });
    expect(done).toMatchObject({ blockers: [{ code: 'SLOT_UNAVAILABLE' }] });
  });
});

describe('Mutation.appointmentCancel', () => {
  it('cancels once: a repeat changes nothing, and says so', spec('3.31'), async () => {
    const { rawId } = await booked();
    const first = await ask(CANCEL, { appointmentId: rawId });
    expect(first.done).toMatchObject({ effect: 'DONE', appointment: { status: 'CANCELLED' }, workOrder: null });
    expect(first.calls).toEqual(['Appointment/GetAppointment', 'Appointment/CancelAppointment']);
    const again = await ask(CANCEL, { appointmentId: rawId });
    expect(again.done).toMatchObject({ effect: 'UNCHANGED', appointment: { status: 'CANCELLED' } });
  });

  it('opens its work order again, and a late repeat leaves alone what was closed since', spec('3.32'), async () => {
    const call = (operation: string, request: object) => post(testGraph.sandbox.url, 'demo-owner', operation, request);
    const { workOrders } = (await call('WorkOrder/ListWorkOrders', { status: 'PUBLIC_WORK_ORDER_STATUS_COMPLETED' })).body;
    const { id: workOrderId, customerId } = workOrders[0];
    const { rawId } = await booked({ customerId, workOrderId });
    const { done } = await ask(CANCEL, { appointmentId: rawId, idempotencyKey: 'cancelled once' });
    expect(done).toMatchObject({ effect: 'DONE', workOrder: { rawId: workOrderId, status: 'OPEN' } });
    expect((await call('WorkOrder/CancelWorkOrder', { id: workOrderId })).status).toBe(200);
    const late = await ask(CANCEL, { appointmentId: rawId, idempotencyKey: 'cancelled once' });
    expect(late.done).toMatchObject({ effect: 'REPLAYED', workOrder: { status: 'CANCELLED' } });
  });

  it('is refused for another calendar’s', async () => {
    const { done } = await ask(CANCEL, { appointmentId: demoId('appointment external') });
    expect(done).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ code: 'EXTERNAL_CALENDAR' }] });
  });
});

describe('Mutation.appointmentResultRecord', () => {
  const resultCodeId = demoId('result code survey Not suitable');

  it('completes the appointment once under its key', async () => {
    const { rawId: appointmentId } = await booked();
    const input = { appointmentId, resultCodeId, notes: 'Too much shade.', idempotencyKey: 'recorded once' };
    const { done, calls } = await ask(RECORD, input);
    expect(done.appointment).toEqual({
      status: 'COMPLETED',
      result: {
        code: { name: 'Not suitable', isSuccess: false },
        notes: 'Too much shade.',
        recordedBy: { rawId: demoId('member owner') },
        recordedAt: toMoment(testGraph.sandbox.now),
      },
    });
    expect(calls).toEqual(['Appointment/RecordAppointmentResult']);
    expect((await ask(RECORD, input)).done).toMatchObject({ effect: 'REPLAYED', appointment: { status: 'COMPLETED' } });
    const other = await ask(RECORD, { ...input, idempotencyKey: 'recorded again' });
    expect(other.done).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ code: 'WRONG_STATUS' }] });
  });

  it('takes a code of the appointment only', async () => {
    const { rawId: appointmentId } = await booked();
    const wrong = demoId('result code call Solved');
    const { done } = await ask(RECORD, { appointmentId, resultCodeId: wrong, idempotencyKey: 'wrong code' });
    expect(done).toMatchObject({ __typename: 'ValidationError' });
  });
});
