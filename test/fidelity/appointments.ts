import type { Sentence } from './sentence.ts';

const SANDBOX = 'test/sandbox/work/appointments.test.ts';
const SLOTS = 'test/sandbox/work/slots.test.ts';
const GRAPH = 'test/graph/work/appointments.test.ts';

const services = ['Appointment'];

/** Of appointments and agendas (part 3, 4.8, part 7). */
export const APPOINTMENTS: readonly Sentence[] = [
  {
    line: 169,
    says: 'Only a scheduled appointment is updated',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > an update > refuses what is over, what another calendar has, and what is routed by hand, each with its reason`],
  },
  {
    line: 169,
    says: 'Only one that was made locally is updated',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > an update > refuses what is over, what another calendar has, and what is routed by hand, each with its reason`,
      `${GRAPH} > Mutation.appointmentUpdate > tells its three reasons apart, and a time that is taken`,
    ],
  },
  {
    line: 169,
    says: 'Only one in an agenda with direct scheduling is updated',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > an update > refuses what is over, what another calendar has, and what is routed by hand, each with its reason`,
      `${GRAPH} > Mutation.appointmentUpdate > tells its three reasons apart, and a time that is taken`,
    ],
  },
  {
    line: 169,
    says: 'An update moves the appointment or edits it, and it stays scheduled',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > an update > moves an appointment, which gives its own time up, and keeps its member and length`,
      `${SANDBOX} > an update > changes the length, the member or the description alone`,
    ],
  },
  {
    line: 170,
    says: 'Only direct appointments that were made locally are cancelled',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > a cancellation > is refused for what is completed, what another calendar has, and what is routed by hand`],
  },
  {
    line: 170,
    says: 'A cancellation opens the work order again',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a cancellation > opens the work order again, once: a repeat leaves alone what was completed since`,
      `${SANDBOX} > a cancellation > of many at once opens the work order once`,
    ],
  },
  {
    line: 170,
    says: 'A completed work order is opened again too',
    services,
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > a cancellation > opens the work order again, once: a repeat leaves alone what was completed since`],
  },
  {
    line: 170,
    says: 'Cancelling what is cancelled succeeds',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a cancellation > opens the work order again, once: a repeat leaves alone what was completed since`,
      `${GRAPH} > Mutation.appointmentCancel > cancels once: a repeat changes nothing, and says so`,
    ],
  },
  {
    line: 170,
    says: 'A repeated cancellation does not open what was completed since',
    services,
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > a cancellation > opens the work order again, once: a repeat leaves alone what was completed since`,
      `${GRAPH} > Mutation.appointmentCancel > opens its work order again, and a late repeat leaves alone what was closed since`,
    ],
  },
  {
    line: 171,
    says: 'A recorded result completes the appointment',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > a result > completes the appointment, and is answered again to a repeat`],
  },
  {
    line: 171,
    says: 'A repeat under the same request id records nothing',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a result > completes the appointment, and is answered again to a repeat`,
      `${SANDBOX} > a result > is recorded once of many that come at once`,
    ],
  },
  {
    line: 171,
    says: 'A completed appointment takes no second result',
    services,
    verdict: 'held by assumption',
    tests: [`${SANDBOX} > a result > completes the appointment, and is answered again to a repeat`],
  },
  {
    line: 285,
    says: 'Agendas are booked that pick members in turn, or let one be chosen',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a booking > picks members in turn where the agenda does, and passes over one who is busy`,
      `${SANDBOX} > a booking > is the member’s who is chosen, where one is`,
      `${SANDBOX} > a booking > is not made %s`,
    ],
  },
  {
    line: 285,
    says: 'A repeated creation makes another appointment',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > a booking > picks members in turn where the agenda does, and passes over one who is busy`],
  },
  {
    line: 285,
    says: 'One time is given to each member once',
    services,
    verdict: 'held by assumption',
    tests: [
      `${SANDBOX} > a booking > of one time that many ask for at once is made once for each member who is free`,
      `${SANDBOX} > a booking > counts what a member has to do in another agenda`,
    ],
  },
  {
    line: 286,
    says: 'What lies outside the visibility of the caller is not found',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > what a member may not see > is not found, listed, changed or told of: %s`],
  },
  {
    line: 287,
    says: 'A list by time needs both ends of the window',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > a list by time > is refused with %j`],
  },
  {
    line: 287,
    says: 'The window is one of scheduled starts',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a list by time > shows what starts within it, earliest first, up to the page size, and says whether there is more`,
    ],
  },
  {
    line: 287,
    says: 'A list by time is narrowed down by agenda, member, customer and status',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > a list by time > is narrowed down to %s`],
  },
  {
    line: 287,
    says: 'A list by time stops at the page size, and tells of more',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > a list by time > shows what starts within it, earliest first, up to the page size, and says whether there is more`,
      `${GRAPH} > a list by time > is read on by later windows, with equal starts where pages are cut`,
    ],
  },
  {
    line: 288,
    says: 'The list of a customer has all that are visible, latest start first',
    services,
    verdict: 'held',
    tests: [
      `${SANDBOX} > what a member may not see > is listed of a customer from the latest start on, whatever became of it`,
      `${SANDBOX} > what a member may not see > is not found, listed, changed or told of: %s`,
    ],
  },
  {
    line: 289,
    says: 'Slots are of one agenda that is active, one day and one type',
    services,
    verdict: 'held',
    tests: [
      `${SLOTS} > the slots of a day > lie within the hours of the agenda, with those who are free, and leave room for the type`,
      `${SLOTS} > the slots of a day > are refused for agendas that cannot be booked, and for types that they do not take`,
    ],
  },
  {
    line: 289,
    says: 'The day is one of the agenda’s time zone',
    services,
    verdict: 'held by assumption',
    tests: [`${SLOTS} > the slots of a day > are those of the agenda’s zone: on %s in New York there are %d`],
  },
  {
    line: 289,
    says: 'Agendas that are routed by hand have no slots to book',
    services,
    verdict: 'held',
    tests: [
      `${SLOTS} > the slots of a day > are refused for agendas that cannot be booked, and for types that they do not take`,
      `${GRAPH} > an agenda > that is routed by hand refuses to tell slots`,
    ],
  },
  {
    line: 290,
    says: 'Agendas tell their strategy, their zone, the length of slots and their types',
    services,
    verdict: 'held',
    tests: [`${SLOTS} > an agenda > tells its strategy, zone and types, and its members by name`],
  },
  {
    line: 291,
    says: 'Types tell their default and their allowed durations',
    services,
    verdict: 'held',
    tests: [`${SLOTS} > an agenda > tells its strategy, zone and types, and its members by name`],
  },
  {
    line: 292,
    says: 'The members who can be booked are those of one agenda',
    services,
    verdict: 'held',
    tests: [
      `${SLOTS} > an agenda > tells its strategy, zone and types, and its members by name`,
      `${SLOTS} > an agenda > has no place for one who has left`,
    ],
  },
  {
    line: 293,
    says: 'The codes of results are those of one appointment that are active',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > a result > has an active code of the appointment`],
  },
  {
    line: 508,
    says: 'A request id that comes with another result is refused as a conflict',
    services,
    verdict: 'held',
    tests: [`${SANDBOX} > a result > completes the appointment, and is answered again to a repeat`],
  },
];
