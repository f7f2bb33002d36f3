import { PublicActionRequestStatus as Status } from '../../src/upstream/contract/generated/publicapi/v1/action_requests_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { actionRequestTable } from './actionRequests.ts';

const DAY_SECONDS = 86_400;

/** Every customer whose index is divisible by this has one action request. The first customer has one of each status. */
const EVERY = 6;

const REQUESTS = [
  {
    title: 'Send a photo of the meter cupboard',
    description: 'With the door open, so that the fuses can be seen.',
    status: Status.PENDING,
  },
  { title: 'Confirm the address of the visit', description: 'The number is missing in your order.', status: Status.COMPLETED },
  { title: 'Sign the maintenance contract', description: '', status: Status.PENDING },
  { title: 'Choose the color of the panels', description: 'Black or blue.', status: Status.CANCELLED },
] as const;

/** Creates `action request 0` to `3` of `customer 0`, the first of which is pending, and one for every sixth other customer. */
function seedActionRequests(plan: Plan): void {
  const owners = Array.from({ length: Math.floor((plan.sizes.customers - 1) / EVERY) }, (_, index) => (index + 1) * EVERY);
  for (const [index, owner] of [...REQUESTS.map(() => 0), ...owners].entries()) {
    const request = REQUESTS[index % REQUESTS.length] ?? REQUESTS[0];
    const created_at = plan.now - (index + 1) * DAY_SECONDS;
    actionRequestTable.insert(plan.store, {
      ...request,
      id: plan.id(`action request ${index}`),
      workspace_id: plan.workspaceId,
      customer_id: plan.id(`customer ${owner}`),
      created_at,
      updated_at: request.status === Status.PENDING ? created_at : created_at + DAY_SECONDS / 2,
    });
  }
}

export const actionRequestsDemo = demoData({ seed: seedActionRequests });
