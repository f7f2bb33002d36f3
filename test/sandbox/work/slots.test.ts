import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { BLOCKED, INVALID, MISSING, summarizeError } from '../errors.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call } = opened;

const VISITS = demoId('agenda visits');
const SUPPORT = demoId('agenda support');
const SURVEY = demoId('appointment type survey');
const CALL = demoId('appointment type call');

interface Slot {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly memberIds: readonly string[];
}

async function listSlots(agendaId: string, date: string, appointmentTypeId: string): Promise<Slot[]> {
  const { status, body } = await call('Appointment/ListAvailableAppointmentSlots', { agendaId, date, appointmentTypeId });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.slots ?? [];
}

/** Local times of the slots. */
const toLocalTimes = (found: readonly Slot[], timeZone: string) =>
  found.map(({ startsAt }) => new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' }).format(Number(startsAt) * 1000));

const getRejection = async (request: object) =>
  summarizeError(
    await call('Appointment/ListAvailableAppointmentSlots', {
      agendaId: VISITS,
      date: '2026-03-04',
      appointmentTypeId: SURVEY,
      ...request,
    }),
  );

describe('slots of a day', () => {
  it('lie within the agenda’s hours, with available members and room for the duration', spec('4.8.10'), async () => {
    // On Wednesday, one technician has a survey at 09:00, and the other an installation from 13:00 to 17:00.
    const found = await listSlots(VISITS, '2026-03-04', SURVEY);
    const actual = toLocalTimes(found, 'Europe/Amsterdam');
    expect([actual[0], actual.at(-1), actual.length]).toEqual(['08:00', '16:00', 17]);
    const [first, second] = [demoId('member technician'), demoId('member second technician')];
    const getMembersAt = (time: string) => found[actual.indexOf(time)]?.memberIds;
    expect([getMembersAt('08:00'), getMembersAt('08:30'), getMembersAt('10:00')]).toEqual([[first, second], [second], [first, second]]);
    expect([getMembersAt('12:00'), getMembersAt('12:30'), getMembersAt('16:00')]).toEqual([[first, second], [first], [first]]);
    for (const { startsAt, endsAt } of found) expect(Number(endsAt) - Number(startsAt)).toBe(3_600);
    const installations = await listSlots(VISITS, '2026-03-04', demoId('appointment type installation'));
    expect(toLocalTimes(installations, 'Europe/Amsterdam')).toEqual([
      '08:00',
      '08:30',
      '09:00',
      '10:00',
      '10:30',
      '11:00',
      '11:30',
      '12:00',
      '12:30',
      '13:00',
    ]);
  });

  it('exclude past times and days off', async () => {
    // The clock is at 10:00 in Amsterdam.
    expect(toLocalTimes(await listSlots(VISITS, '2026-03-02', SURVEY), 'Europe/Amsterdam')[0]).toBe('10:00');
    expect(await listSlots(VISITS, '2026-03-01', SURVEY)).toEqual([]);
    expect(await listSlots(VISITS, '2026-03-07', SURVEY)).toEqual([]);
    expect(await listSlots(VISITS, '2020-03-04', SURVEY)).toEqual([]);
  });

  it.each([
    ['2026-03-07', 48],
    ['2026-03-08', 46],
    ['2026-11-01', 50],
  ])('use the agenda’s time zone: on %s in New York there are %d', spec('4.8.11'), async (date, count) => {
    const found = await listSlots(SUPPORT, date, CALL);
    expect(found).toHaveLength(count);
    const actual = toLocalTimes(found, 'America/New_York');
    expect(new Set(actual).size).toBe(Math.min(count, 48));
    expect(actual.includes('02:30')).toBe(count >= 48);
    expect(found.map(({ startsAt }) => Number(startsAt))).toEqual(found.map((_slot, index) => Number(found[0]?.startsAt) + index * 1_800));
  });

  it('can’t be listed for agendas that can’t be booked, and for types that they don’t offer', spec('4.8.10', '4.8.12'), async () => {
    expect(await getRejection({ agendaId: demoId('agenda emergencies') })).toEqual(BLOCKED);
    expect(await getRejection({ agendaId: demoId('agenda showroom') })).toEqual(BLOCKED);
    expect(await getRejection({ appointmentTypeId: CALL })).toEqual(INVALID);
    expect(await getRejection({ date: '2026-02-30' })).toEqual(INVALID);
    expect(await getRejection({ date: 'tomorrow' })).toEqual(INVALID);
    expect(await getRejection({ agendaId: 'none' })).toEqual(MISSING);
    expect(await getRejection({ appointmentTypeId: 'none' })).toEqual(MISSING);
  });
});

describe('agenda', spec('4.8.15'), () => {
  it('returns its strategy, time zone and types, and its members by name', spec('4.8.13', '4.8.14'), async () => {
    opened.requiresDemoData();
    const { agendas } = (await call('Appointment/ListAgendas', {})).body;
    expect(agendas.map(({ name, strategy, timeZone }: Record<string, string>) => [name, strategy?.slice(23), timeZone])).toEqual([
      ['Emergencies', 'MANUAL_ROUTING', 'Europe/Amsterdam'],
      ['Remote support', 'CHOOSE_USER', 'America/New_York'],
      ['Showroom', 'ROUND_ROBIN', 'Europe/Amsterdam'],
      ['Visits', 'ROUND_ROBIN', 'Europe/Amsterdam'],
    ]);
    expect(agendas[3]).toMatchObject({
      slotMinutes: 30,
      isActive: true,
      appointmentTypeIds: [SURVEY, demoId('appointment type installation')],
    });
    const { members } = (await call('Appointment/ListAgendaEligibleMembers', { agendaId: VISITS })).body;
    expect(members.map(({ name }: { name: string }) => name)).toEqual(['Daan de Vries', 'Elif Engel']);
    expect(summarizeError(await call('Appointment/ListAgendaEligibleMembers', { agendaId: 'none' }))).toEqual(MISSING);
    const { appointmentTypes } = (await call('Appointment/ListAppointmentTypes', {})).body;
    expect(appointmentTypes.map(({ name }: { name: string }) => name)).toEqual(['Installation', 'Site survey', 'Video call']);
    expect(appointmentTypes[1]).toMatchObject({ defaultDurationMinutes: 60, allowedDurationMinutes: [30, 60, 90] });
  });

  it('excludes removed members', async () => {
    await call('Member/RemoveMember', { memberId: demoId('member second planner') });
    const { members } = (await call('Appointment/ListAgendaEligibleMembers', { agendaId: SUPPORT })).body;
    expect(members.map(({ id }: { id: string }) => id)).toEqual([demoId('member planner')]);
    for (const { memberIds } of await listSlots(SUPPORT, '2026-03-07', CALL)) expect(memberIds).toEqual([demoId('member planner')]);
  });
});
