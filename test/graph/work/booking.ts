import { expect } from 'vitest';
import { demoId, START } from '../../sandbox/sandbox.ts';
import type { useTestGraph } from '../../support/testGraph.ts';

const FAILURES =
  '__typename ... on ValidationError { issues { path code } } ... on TransitionBlockedError { fromText blockers { code } current { ... on Appointment { rawId } } } ... on MutationError { code }';

/** Prints a mutation whose result has the name `done`. */
export const printMutation = (name: string, payload: string) =>
  `mutation ($input: ${name}Input!) { done: ${name.charAt(0).toLowerCase()}${name.slice(1)}(input: $input) { ${FAILURES} ... on ${name}Payload { effect ${payload} } } }`;

export const APPOINTMENT = 'appointment { rawId status startsAt endsAt member { rawId } description }';
export const CREATE = printMutation('AppointmentCreate', APPOINTMENT);

export const VISIT = {
  agendaId: demoId('agenda visits'),
  appointmentTypeId: demoId('appointment type survey'),
  customerId: demoId('customer 7'),
};

export const SLOTS = `query ($id: ID!, $day: Date!, $type: ID!) {
  agenda(id: $id) { availableSlots(day: $day, appointmentTypeId: $type) { startsAt endsAt members { rawId } } }
}`;

/** Formats Unix seconds as the graph does. */
export const toTimestamp = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z');

/** Books visits through a test graph, each on a day of its own. */
export const createBooking = (testGraph: ReturnType<typeof useTestGraph>) => {
  /** Offset in days of the last day that a visit was booked on. */
  let lastDay = 40;

  const executeMutation = async (query: string, input: object) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { input }));
    expect(errors).toBeUndefined();
    return { done: data.done, calls };
  };

  const findFreeTime = async (): Promise<string> => {
    for (;;) {
      lastDay += 1;
      const day = new Date((START + lastDay * 86_400) * 1000).toISOString().slice(0, 10);
      const { data } = await testGraph.execute(SLOTS, { id: VISIT.agendaId, day, type: VISIT.appointmentTypeId });
      const [slot] = data.agenda.availableSlots;
      if (slot) return slot.startsAt;
    }
  };

  const book = async (fields: object = {}) => {
    const { done } = await executeMutation(CREATE, { ...VISIT, startsAt: await findFreeTime(), ...fields });
    expect(done).toMatchObject({ effect: 'DONE' });
    return done.appointment;
  };

  return { executeMutation, findFreeTime, book };
};
