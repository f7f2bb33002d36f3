// Takes a problem of a portfolio from report to resolution, with a work order and a visit: `node examples/client/round.ts C-001401`.
import '../../scripts/help.ts';
import { MutationFailure } from '../../client/src/index.ts';
import { graphUrl } from '../graphUrl.ts';
import { describeErrors, describeFailure } from './advice.ts';
import { type Graph, GraphError } from './client.ts';
import {
  bookVisit,
  completeWork,
  createWorkOrder,
  findFirstSlot,
  findPortfolio,
  recordVisit,
  reportProblem,
  resolveProblem,
} from './visits.ts';

const graph: Graph = {
  url: graphUrl(process.env).href,
  key: process.env.API_KEY ?? 'demo-owner',
};

const TITLE = 'No hot water';
const TASKS = ['Check the pressure of the boiler', 'Replace the pump'];

/** Returns whether everything succeeded. */
async function run(referenceNumber: string): Promise<boolean> {
  const portfolio = await findPortfolio(graph, referenceNumber);
  const location = portfolio?.workOrderLocations[0];
  if (!portfolio || !location) {
    console.error(
      `Portfolio ${referenceNumber} with a work order location not found. Specify the reference number of one that the key can read.`,
    );
    return false;
  }
  const { rawId: customerId, title } = portfolio;
  const problemId = await reportProblem(graph, customerId, TITLE);
  console.log(`Reported a problem of ${referenceNumber}, ${title ?? ''}: ${TITLE}.`);

  const workOrder = await createWorkOrder(graph, { customerId, locationId: location.id, title: `Repair: ${TITLE}`, tasks: TASKS });
  console.log(`Created a work order with ${workOrder.taskIds.length} tasks at ${location.label}.`);

  const time = await findFirstSlot(graph, new Date());
  if (!time) {
    console.error('No member is available within two weeks, so the work order remains open.');
    return false;
  }
  const visit = await bookVisit(graph, time, { customerId, workOrderId: workOrder.id });
  console.log(`Booked ${visit.memberName} for ${visit.startsAt}.`);
  console.log(`The visit: ${visit.success.name}, and ${await recordVisit(graph, visit.id, visit.success.id)}.`);
  console.log(`The work order: ${await completeWork(graph, workOrder.id, workOrder.taskIds)}.`);
  console.log(`The problem: ${await resolveProblem(graph, problemId)}.`);
  return true;
}

const done = await run(process.argv[2] ?? 'C-001401').catch((error: unknown) => {
  if (error instanceof MutationFailure) console.log(describeFailure(error));
  else if (error instanceof GraphError) console.error(describeErrors(error.errors));
  else throw error;
  return false;
});
process.exitCode = done ? 0 : 1;
