import { randomUUID } from 'node:crypto';
import { type Graph, GraphError, type MutationAnswer, mutate, query } from './client.ts';
import { graphql } from './gql/gql.ts';
import { unwrap } from './unwrap.ts';

const FindPortfolio = graphql(`
  query FindPortfolio($referenceNumber: String!) {
    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {
      rawId
      title
      contact {
        id
      }
      workOrderLocations {
        id
        label
      }
    }
  }
`);

const ReportProblem = graphql(`
  mutation ReportProblem($input: ProblemCreateInput!) {
    problemCreate(input: $input) {
      __typename
      ... on ProblemCreatePayload {
        problem {
          id
        }
      }
      ...Failure
    }
  }
`);

const OrderWork = graphql(`
  mutation OrderWork($input: WorkOrderCreateInput!) {
    workOrderCreate(input: $input) {
      __typename
      ... on WorkOrderCreatePayload {
        workOrder {
          id
          tasks(first: 100) {
            nodes {
              id
            }
          }
        }
      }
      ...Failure
    }
  }
`);

const Agendas = graphql(`
  query Agendas {
    agendas {
      id
      name
      strategy
      isBookable
      allowedTypes {
        id
        name
      }
    }
  }
`);

const SlotsOfDay = graphql(`
  query SlotsOfDay($agendaId: ID!, $appointmentTypeId: ID!, $day: Date!) {
    agenda(id: $agendaId) {
      availableSlots(day: $day, appointmentTypeId: $appointmentTypeId) {
        startsAt
      }
    }
  }
`);

const BookVisit = graphql(`
  mutation BookVisit($input: AppointmentCreateInput!) {
    appointmentCreate(input: $input) {
      __typename
      ... on AppointmentCreatePayload {
        appointment {
          id
          startsAt
          member {
            displayName
          }
          resultCodes {
            id
            name
            isSuccess
          }
        }
      }
      ...Failure
    }
  }
`);

const RecordVisit = graphql(`
  mutation RecordVisit($input: AppointmentResultRecordInput!) {
    appointmentResultRecord(input: $input) {
      __typename
      ... on AppointmentResultRecordPayload {
        appointment {
          status
        }
      }
      ...Failure
    }
  }
`);

const CompleteTasks = graphql(`
  mutation CompleteTasks($input: WorkOrderUpdateInput!) {
    workOrderUpdate(input: $input) {
      __typename
      ... on WorkOrderUpdatePayload {
        workOrder {
          id
        }
      }
      ...Failure
    }
  }
`);

const CompleteWork = graphql(`
  mutation CompleteWork($input: WorkOrderCompleteInput!) {
    workOrderComplete(input: $input) {
      __typename
      ... on WorkOrderCompletePayload {
        workOrder {
          status
        }
      }
      ...Failure
    }
  }
`);

const SolveProblem = graphql(`
  mutation SolveProblem($input: ProblemResolveInput!) {
    problemResolve(input: $input) {
      __typename
      ... on ProblemResolvePayload {
        problem {
          status
        }
      }
      ...Failure
    }
  }
`);

/** A key for one act. A program that is to go on after it was cut off keeps its keys. */
const newKey = () => ({ idempotencyKey: randomUUID() });

/** A value of a payload that the next step cannot do without. */
function told<Value>(value: Value | null | undefined, { errors }: Pick<MutationAnswer<unknown>, 'errors'>): Value {
  if (value === null || value === undefined) throw new GraphError(errors);
  return value;
}

/** The portfolio that carries a reference number, with the places where work can be done; undefined when the key sees none. */
export async function findPortfolio(graph: Graph, referenceNumber: string) {
  const { customersByIdentifier } = await query(graph, FindPortfolio, { referenceNumber });
  return customersByIdentifier.find(({ contact }) => contact);
}

/** Answers the id of a new problem of a portfolio. */
export async function reportProblem(graph: Graph, portfolioId: string, title: string): Promise<string> {
  const answer = await mutate(graph, ReportProblem, { input: { portfolioId, customerId: portfolioId, title, ...newKey() } });
  return told(unwrap(answer.data.problemCreate).problem?.id, answer);
}

interface Work {
  readonly customerId: string;
  readonly locationId: string;
  readonly title: string;
  readonly tasks: readonly string[];
}

/** Answers the ids of a new work order and its tasks. */
export async function orderWork(graph: Graph, { tasks, ...work }: Work) {
  const input = { ...work, tasks: tasks.map((body) => ({ body })), ...newKey() };
  const answer = await mutate(graph, OrderWork, { input });
  const workOrder = told(unwrap(answer.data.workOrderCreate).workOrder, answer);
  const ids = told(workOrder.tasks?.nodes, answer).map((task) => told(task?.id, answer));
  return { id: told(workOrder.id, answer), taskIds: ids };
}

const DAY_MS = 86_400_000;
/** How far ahead a visit is looked for, in days. */
const DAYS_AHEAD = 14;

/** The first time that is free from the next day on, in an agenda that picks its members in turn; undefined when there is none within two weeks. */
export async function firstFreeTime(graph: Graph, now: Date) {
  const { agendas } = await query(graph, Agendas, {});
  const agenda = agendas?.find(({ isBookable, strategy, allowedTypes }) => isBookable && strategy === 'ROUND_ROBIN' && allowedTypes?.[0]);
  const type = agenda?.allowedTypes?.[0];
  if (!agenda || !type) return undefined;
  for (let ahead = 1; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
    const { agenda: found } = await query(graph, SlotsOfDay, { agendaId: agenda.id, appointmentTypeId: type.id, day });
    const [slot] = found?.availableSlots ?? [];
    if (slot) return { agendaId: agenda.id, appointmentTypeId: type.id, startsAt: slot.startsAt };
  }
  return undefined;
}

type FreeTime = NonNullable<Awaited<ReturnType<typeof firstFreeTime>>>;

/** Books a visit for a work order. Answers its id, when it begins, who goes, and the result that tells of success. */
export async function bookVisit(graph: Graph, time: FreeTime, work: { readonly customerId: string; readonly workOrderId: string }) {
  const answer = await mutate(graph, BookVisit, { input: { ...time, ...work, ...newKey() } });
  const appointment = told(unwrap(answer.data.appointmentCreate).appointment, answer);
  const success = told(appointment.resultCodes, answer).find((code) => code?.isSuccess);
  return {
    id: told(appointment.id, answer),
    startsAt: told(appointment.startsAt, answer),
    memberName: appointment.member?.displayName ?? 'Somebody',
    success: { id: told(success?.id, answer), name: told(success?.name, answer) },
  };
}

/** Records the result of a visit, which completes it. Answers its status. */
export async function recordVisit(graph: Graph, appointmentId: string, resultCodeId: string) {
  const answer = await mutate(graph, RecordVisit, { input: { appointmentId, resultCodeId, ...newKey() } });
  return told(unwrap(answer.data.appointmentResultRecord).appointment?.status, answer);
}

/** Completes the tasks of a work order, and then the work order. Answers its status. */
export async function completeWork(graph: Graph, workOrderId: string, taskIds: readonly string[]) {
  const tasks = taskIds.map((taskId) => ({ taskId, isCompleted: true }));
  unwrap((await mutate(graph, CompleteTasks, { input: { workOrderId, tasks, ...newKey() } })).data.workOrderUpdate);
  const answer = await mutate(graph, CompleteWork, { input: { workOrderId, ...newKey() } });
  return told(unwrap(answer.data.workOrderComplete).workOrder?.status, answer);
}

/** Marks a problem as solved. Answers its status. */
export async function solveProblem(graph: Graph, problemId: string) {
  const answer = await mutate(graph, SolveProblem, { input: { problemId, ...newKey() } });
  return told(unwrap(answer.data.problemResolve).problem?.status, answer);
}
