import { readLargestPage } from '../../loaders/listScan.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { annotateAssumed, tagSecret } from '../../schema/kit/fieldAnnotations.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { ActionRequest, ActionRequestStatus } from '../../schema/work/actionRequests.ts';
import {
  CancelActionRequest,
  CreateManualActionRequest,
  ListActionRequests,
  ResendActionRequestNotification,
} from '../../upstream/contract/generated/operations.ts';
import { defineCriteria } from '../kit/listCriteria.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { filterCreated, reconcileByValues } from '../kit/reconcile.ts';

const criteria = defineCriteria(ListActionRequests, ActionRequest, {
  status: ActionRequestStatus,
  sortedBy: rankDescendingBy('createdAt'),
  alternative: 'Filter by one status, or use the list of one customer.',
});

const actionRequests = { order: 'Newest first.', node: ActionRequest, ...criteria };

builder.queryField('actionRequests', (t) =>
  t.field(list(ListActionRequests, { ...actionRequests, description: 'Action requests of all customers.' })),
);

builder.objectField(Customer.ref, 'actionRequests', (t) =>
  t.field(list(ListActionRequests, { ...actionRequests, on: Customer, description: 'The customer’s action requests.' })),
);

mutation('actionRequestCreate', CreateManualActionRequest, {
  description:
    'Creates an action request for a customer to complete in their portal. The Workspace API doesn’t specify whether it notifies the customer. To notify them, use `actionRequestNotificationSend`.',
  input: (f) => ({
    customerId: f.customerId('Customer who completes the request.'),
    title: f.title('Title that the customer sees.'),
    description: f.description('Description that the customer sees.'),
  }),
  returns: { actionRequest: 'The new action request.' },
  affects: {
    customer: [Customer, 'The customer. Its `actionRequests` have changed.', (_response, { customerId }) => customerId],
  },
  reconcile: {
    calls: 1,
    find: async ({ request, context, startedAt }) => {
      const { customerId = '' } = request;
      const { rows: newest } = await readLargestPage(context.upstream, ListActionRequests, { customerId });
      return filterCreated(newest, request, startedAt);
    },
  },
});

mutation('actionRequestCancel', CancelActionRequest, {
  description: 'Cancels a pending action request, so that the customer can’t complete it anymore. Fails for requests that aren’t pending.',
  on: ActionRequest,
  returns: { actionRequest: 'The canceled action request.' },
  reconcile: reconcileByValues(ActionRequest, 'actionRequest', () => ({ status: 'PUBLIC_ACTION_REQUEST_STATUS_CANCELLED' })),
});

mutation('actionRequestNotificationSend', ResendActionRequestNotification, {
  description:
    'Notifies the customer of a pending action request again, by text message, email, or both. A new idempotency key sends another notification. If the response is lost, the outcome stays unknown.',
  on: ActionRequest,
  returns: { actionRequest: 'The action request.' },
  payload: {
    resolve: ({ portalUrl }) => ({ portalUrl: portalUrl || null }),
    fields: (t) => ({
      portalUrl: t.field({
        type: 'URL',
        ...tagSecret(
          annotateAssumed(
            'New link to the customer’s portal. Gives access to anyone who has it. Returned only once: null if the mutation is replayed.',
          ),
        ),
        resolve: ({ portalUrl }) => portalUrl,
      }),
    }),
  },
});
