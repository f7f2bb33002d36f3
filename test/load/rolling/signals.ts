import { setTimeout as pause } from 'node:timers/promises';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { postDocument } from '../../support/faults/sendMutation.ts';
import { watchAfterFirst } from '../../support/subscribe.ts';
import type { Server, Workspace } from '../soak/load.ts';

/** How long to wait for a signal, in milliseconds. Chosen: a signal takes some milliseconds, more on a busy machine. */
const MAX_SIGNAL_MS = 10_000;

const CHANGE = `mutation ($id: ID!, $title: String!) {
  customerUpdate(input: { customerId: $id, title: $title }) {
    ... on CustomerUpdatePayload { customer { id } }
    ... on MutationError { code message }
  }
}`;

/** Changes a customer through each graph. Returns how many subscriptions of the graphs don't signal a change. Throws if a change fails. */
export async function countLostSignals(graphs: readonly Server[], workspaces: readonly Workspace[]): Promise<number> {
  let lost = 0;
  for (const { owner, testWorkspace } of workspaces) {
    const id = toGlobalId('Customer', testWorkspace.customerId);
    const subscriptions = await Promise.all(graphs.map(({ url }) => watchAfterFirst(url, owner, ['CUSTOMER'], [id])));
    for (const { url } of graphs) {
      const { data } = await postDocument(url, { query: CHANGE, variables: { id, title: `Changed through ${url}` } }, { key: owner });
      if (!data.customerUpdate.customer) throw new Error(`${url} failed to change a customer: ${JSON.stringify(data)}`);
      const overdue = pause(MAX_SIGNAL_MS, null, { ref: false });
      const signals = await Promise.all(subscriptions.map((subscription) => Promise.race([subscription.next(), overdue])));
      lost += signals.filter((signal) => signal?.data.recordsChanged.ids[0] !== id).length;
    }
    for (const subscription of subscriptions) subscription.close();
  }
  return lost;
}
