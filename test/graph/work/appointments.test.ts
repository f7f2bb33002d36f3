import { describe, expect, it } from 'vitest';
import { appointmentTable } from '../../../sandbox/work/appointments.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId, post, START } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createBooking, SLOTS, toTimestamp, VISIT } from './booking.ts';

const testGraph = useTestGraph();
const { book } = createBooking(testGraph);

describe('Appointment', () => {
  it('lists the appointments of a work order from the list of its customer', async () => {
    const { workOrders } = (await post(testGraph.sandbox.url, 'demo-owner', 'WorkOrder/ListWorkOrders', {})).body;
    const { id: workOrderId, customerId } = workOrders[0];
    const { rawId } = await book({ customerId, workOrderId });
    await book({ customerId });
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
    for (let count = 0; count < 3; count += 1) await book({ customerId, workOrderId });
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

  it('resolves related records, each list with one call', async () => {
    const query = `query ($of: DateTimeRangeInput!) {
      appointments(scheduledBetween: $of, first: 9) {
        nodes { status source agenda { name timeZone } appointmentType { name } customer { rawId } member { rawId } result { code { name } } workOrder { title } }
      }
    }`;
    const of = { gte: toTimestamp(START - 8 * 86_400), lt: toTimestamp(START + 7 * 86_400) };
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
    // Three calls reserved for the page, two lists, and a work order per row.
    expect(cost?.predictedCalls).toBe(3 + 2 + 9);
  });

  it('resolves to null for an unknown ID', async () => {
    const query = '{ appointment(id: "absent") { status } }';
    expect((await testGraph.execute(query)).data).toEqual({ appointment: null });
  });

  it('lists the result codes that can be recorded', async () => {
    const query = 'query ($id: ID!) { appointment(id: $id) { resultCodes { name isSuccess } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('appointment routed') }));
    expect(data.appointment.resultCodes).toEqual([
      { name: 'Quote wanted', isSuccess: true },
      { name: 'Not suitable', isSuccess: false },
      { name: 'No one at home', isSuccess: false },
    ]);
    expect(calls).toEqual(['Appointment/ListAppointmentResultCodes']);
  });

  it('lists the appointments of a customer, latest start first', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { appointments(first: 2) { totalCount nodes { startsAt } } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('customer 1') }));
    const { totalCount, nodes } = data.customer.appointments;
    expect([totalCount > 3, nodes[0].startsAt > nodes[1].startsAt, calls]).toEqual([true, true, ['Appointment/ListCustomerAppointments']]);
  });

  it('lists with one fragment for a customer, a work order and a time range', async () => {
    const customerId = demoId('customer 1');
    const { rawId: workOrderId } = (
      await testGraph.execute('query ($id: ID!) { customer(id: $id) { workOrders(first: 1) { nodes { rawId } } } }', { id: customerId })
    ).data.customer.workOrders.nodes[0];
    const query = `query ($of: DateTimeRangeInput!, $id: ID!, $workOrderId: ID!) {
      customer(id: $id) { appointments { ...page } }
      workOrder(id: $workOrderId) { appointments { ...page } }
      appointments(scheduledBetween: $of, filter: { customerId: $id }) { ...page }
    }
    fragment page on AppointmentConnection { edges { ...edge } totalCount isTruncated }
    fragment edge on AppointmentEdge { cursor node { rawId } }`;
    const of = { gte: toTimestamp(0), lt: toTimestamp(START + 400 * 86_400) };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of, id: customerId, workOrderId }));
    expect([errors, calls.toSorted()]).toEqual([
      undefined,
      ['Appointment/ListAppointments', 'Appointment/ListCustomerAppointments', 'WorkOrder/GetWorkOrder'],
    ]);
    const { length } = data.customer.appointments.edges;
    expect(data.customer.appointments).toMatchObject({ totalCount: length, isTruncated: false });
    expect(data.workOrder.appointments).toMatchObject({ totalCount: data.workOrder.appointments.edges.length, isTruncated: false });
    expect(data.appointments).toMatchObject({ totalCount: null, isTruncated: false });
    expect(data.appointments.edges).toHaveLength(length);
  });
});

describe('Customer.appointments with conditions or a sort order', () => {
  interface Listed {
    readonly rawId: string;
    readonly status: string;
    readonly startsAt: string;
    readonly agenda: { readonly rawId: string };
    readonly member: { readonly rawId: string } | null;
  }
  const customerId = demoId('customer 1');
  const query = `query ($id: ID!, $filter: CustomerAppointmentFilterInput, $orderBy: CustomerAppointmentSortInput, $first: Int = 100, $after: String) {
    customer(id: $id) { appointments(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
      totalCount pageInfo { endCursor } nodes { rawId status startsAt agenda { rawId } member { rawId } }
    } }
  }`;
  const read = async (variables: object = {}) => {
    const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: customerId, ...variables }));
    expect([errors, calls, cost?.predictedCalls]).toEqual([undefined, ['Appointment/ListCustomerAppointments'], 1]);
    const { nodes, totalCount, pageInfo } = data.customer.appointments;
    return { nodes: nodes as Listed[], totalCount, endCursor: pageInfo.endCursor };
  };

  it('returns the upcoming ones, earliest first, page by page', async () => {
    const { nodes: all } = await read();
    const now = all[Math.floor(all.length / 2)]?.startsAt ?? '';
    const expected = all.filter(({ startsAt }) => startsAt >= now).toReversed();
    const upcoming = { filter: { startsAt: { gte: now } }, orderBy: { field: 'STARTS_AT', direction: 'ASC' } };
    const first = await read({ ...upcoming, first: 1 });
    const { nodes } = await read({ ...upcoming, after: first.endCursor });
    expect(expected.length).toBeGreaterThan(1);
    expect([first.totalCount, ...first.nodes, ...nodes]).toEqual([expected.length, ...expected]);
  });

  it.each<[string, (each: Listed) => object]>([
    ['statuses', ({ status }) => ({ statuses: [status] })],
    ['an agenda', ({ agenda }) => ({ agendaIds: [agenda.rawId] })],
    ['a member', ({ member }) => ({ memberIds: [toGlobalId('Member', member?.rawId ?? '')] })],
    ['a time and a member', ({ startsAt, member }) => ({ startsAt: { lt: startsAt }, memberIds: [member?.rawId] })],
  ])('returns those with %s, latest start first', async (_name, toFilter) => {
    const { nodes: all } = await read();
    const example = all.find(({ member }) => member !== null) as Listed;
    const filter = toFilter(example) as Partial<Record<'statuses' | 'agendaIds' | 'memberIds', string[]>> & { readonly startsAt?: object };
    const expected = all.filter(
      ({ status, agenda, member, startsAt }) =>
        (!filter.statuses || status === example.status) &&
        (!filter.agendaIds || agenda.rawId === example.agenda.rawId) &&
        (!filter.memberIds || member?.rawId === example.member?.rawId) &&
        (!filter.startsAt || startsAt < example.startsAt),
    );
    expect(expected.length).toBeLessThan(all.length);
    expect((await read({ filter })).nodes).toEqual(expected);
  });

  it.each([
    [{ memberIds: [] }, ['filter', 'memberIds'], 'TOO_SHORT'],
    [{ agendaIds: [toGlobalId('Member', 'x')] }, ['filter', 'agendaIds', '0'], 'NOT_ALLOWED'],
  ])('rejects %j without listing', async (filter, path, code) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: customerId, filter }));
    expect([errors?.[0]?.extensions.issues, calls]).toMatchObject([[{ path, code }], []]);
  });
});

describe('Agenda', () => {
  it('returns its strategy, types, and members', async () => {
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

  it('returns the slots of a day in its time zone, and their members with one more call', async () => {
    const variables = { id: demoId('agenda support'), day: '2026-11-01', type: demoId('appointment type call') };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(SLOTS, variables));
    expect(errors).toBeUndefined();
    const slots = data.agenda.availableSlots;
    // Daylight saving time ends on this day.
    expect([slots.length, slots[0].startsAt, slots.at(-1).endsAt]).toEqual([50, '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z']);
    expect(slots[0].members).toEqual([{ rawId: demoId('member planner') }, { rawId: demoId('member second planner') }]);
    expect(calls).toEqual(['Appointment/ListAvailableAppointmentSlots', 'Appointment/ListAgendaEligibleMembers']);
  });

  it('returns REJECTED for the slots of a manually routed agenda', spec('4.8.12'), async () => {
    const { data, errors } = await testGraph.execute(SLOTS, {
      id: demoId('agenda emergencies'),
      day: '2026-03-04',
      type: VISIT.appointmentTypeId,
    });
    expect([data.agenda, errors?.[0]?.extensions.code]).toEqual([{ availableSlots: null }, 'REJECTED']);
  });

  it.each(['2026-02-30', '4 March', '2026-3-4'])('rejects the day %s without an upstream call', async (day) => {
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

/** Number of days that have been filled by `addAppointments`. */
let filledDays = 0;

/** Adds appointments that start at the given minutes of a day in the past. Returns the range of that day. */
function addAppointments(prefix: string, minutes: readonly number[]): { readonly gte: string; readonly lt: string } {
  const { store } = testGraph.sandbox.world;
  const row = appointmentTable.find(store, { id: demoId('appointment 0') });
  if (!row) throw new Error('The demo has no appointment.');
  const day = Date.UTC(2001, 0, 1 + filledDays) / 1000;
  filledDays += 1;
  for (const [index, minute] of minutes.entries()) {
    const startsAt = day + minute * 60;
    appointmentTable.insert(store, { ...row, id: `${prefix} ${index}`, starts_at: startsAt, ends_at: startsAt + 60 });
  }
  return { gte: toTimestamp(day), lt: toTimestamp(day + 86_400) };
}

describe('appointments(scheduledBetween)', () => {
  it('paginates over equal starts without gaps or duplicates', spec('4.8.8'), async () => {
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

  it('sets isTruncated if more appointments start at the same time than the upstream lists', async () => {
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
    // A filter returns a complete list.
    const narrow = await testGraph.execute(LIST, { of, filter: { agendaId: demoId('agenda support') } });
    expect(narrow.data.appointments).toMatchObject({ isTruncated: false, nodes: [] });
  });

  it('paginates backward', async () => {
    const of = addAppointments('last', [1, 2, 3, 4, 5]);
    const { data, cost } = await testGraph.execute(LIST, { of, last: 2 });
    expect(data.appointments.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual(['last 3', 'last 4']);
    expect(cost?.predictedCalls).toBe(10);
  });

  it.each([
    ['whose end precedes its start', { gte: '2026-03-02T00:00:00Z', lt: '2026-03-01T00:00:00Z' }],
    ['that is empty', { gte: '2026-03-02T00:00:00Z', lt: '2026-03-02T01:00:00+01:00' }],
  ])('rejects a range %s', async (_case, of) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { of }));
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['scheduledBetween', 'lt'], code: 'OUT_OF_RANGE' }] } },
    ]);
    expect(errors?.[0]?.message).toContain('must be after `gte` (2026-03-02T00:00:00Z)');
    expect(calls).toEqual([]);
  });

  it.each([
    ['from a fraction after its start', { gte: '00:01:00.001Z', lt: '00:03:00Z' }, ['2']],
    ['from a fraction before its start', { gte: '00:00:59.999999Z', lt: '00:03:00Z' }, ['1', '2']],
    ['to a fraction after its start', { gte: '00:01:00.000Z', lt: '00:02:00.001Z' }, ['1', '2']],
    ['to a fraction before its start', { gte: '00:01:00Z', lt: '00:01:59.999Z' }, ['1']],
    ['within a second', { gte: '00:00:59.25Z', lt: '00:00:59.75Z' }, []],
    ['within the second before its start', { gte: '00:00:59.25Z', lt: '00:01:00.25Z' }, ['1']],
  ])('contains an appointment exactly if it starts in a range %s', async (name, { gte, lt }, expected) => {
    const day = addAppointments(`fraction ${name}`, [1, 2, 3]).gte.slice(0, 11);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { of: { gte: day + gte, lt: day + lt } }));
    expect(errors).toBeUndefined();
    const numbers = data.appointments.nodes.map(({ startsAt }: { startsAt: string }) => String(new Date(startsAt).getUTCMinutes()));
    expect(numbers).toEqual(expected);
    expect(calls).toHaveLength(expected.length > 0 ? 1 : 0);
  });

  it('rejects a range whose ends differ by a fraction in the wrong order and reports its bounds', async () => {
    const of = { gte: '2026-03-02T00:00:00.750Z', lt: '2026-03-02T00:00:00.5Z' };
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { of }));
    expect(errors?.[0]?.message).toContain('must be after `gte` (2026-03-02T00:00:00.75Z), but is 2026-03-02T00:00:00.5Z');
    expect(calls).toEqual([]);
  });

  it('continues with a cursor if the same range is written with other fractions', async () => {
    const { gte, lt } = addAppointments('rewritten', [1, 2]);
    const { data } = await testGraph.execute(LIST, { of: { gte, lt }, first: 1 });
    const of = { gte: gte.replace('Z', '.000Z'), lt: lt.replace('00Z', '00.000Z') };
    const next = await testGraph.execute(LIST, { of, first: 1, after: data.appointments.pageInfo.endCursor });
    expect(next.data.appointments.nodes).toMatchObject([{ rawId: 'rewritten 1' }]);
  });

  it('rejects a cursor from another range without an upstream call', async () => {
    const { data } = await testGraph.execute(LIST, { of: addAppointments('one', [1, 2]), first: 1 });
    const { endCursor: after } = data.appointments.pageInfo;
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(LIST, { of: addAppointments('another', [1, 2]), after }),
    );
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['INVALID_CURSOR', []]);
  });
});
