import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { assumed, secret } from '../../schema/kit/marks.ts';
import { ActionRequest, ActionRequestStatus } from '../../schema/work/actionRequests.ts';
import {
  CancelActionRequest,
  CreateManualActionRequest,
  ListActionRequests,
  ResendActionRequestNotification,
} from '../../upstream/contract/generated/operations.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { findCreated, reconcileByValues } from '../kit/reconcile.ts';

const ActionRequestFilter = filterOf(ListActionRequests, ActionRequest, (f) => ({
  status: f.status('Only those in this state.', ActionRequestStatus),
}));

const actionRequests = { order: 'Newest first.', node: ActionRequest, filter: ActionRequestFilter };

builder.queryField('actionRequests', (t) =>
  t.field(list(ListActionRequests, { ...actionRequests, description: 'The action requests to all customers.' })),
);

builder.objectField(Customer.ref, 'actionRequests', (t) =>
  t.field(list(ListActionRequests, { ...actionRequests, on: Customer, description: 'The action requests to this customer.' })),
);

mutation('actionRequestCreate', CreateManualActionRequest, {
  description:
    'Asks a customer to do something in their portal. The Workspace API does not tell whether it lets them know: `actionRequestNotificationSend` does.',
  input: (f) => ({
    customerId: f.customerId('The customer.'),
    title: f.title('A title, for the customer.'),
    description: f.description('A description, for the customer.'),
  }),
  returns: { actionRequest: 'The new action request.' },
  leadsTo: {
    customer: [Customer, 'The customer. Its `actionRequests` have changed.', (_response, { customerId }) => customerId],
  },
  reconcile: async ({ request, startedAt, context }) => {
    const { customerId = '' } = request;
    const pageSize = context.upstream.operation(ListActionRequests).page?.maxSize ?? 1;
    const { actionRequests: newest } = await context.upstream.call(ListActionRequests, { customerId, page: 1, pageSize });
    const actionRequest = findCreated(newest, request, startedAt);
    return actionRequest && { actionRequest };
  },
});

mutation('actionRequestCancel', CancelActionRequest, {
  description: 'Calls a pending action request off: the customer can no longer complete it. Others are refused.',
  on: ActionRequest,
  returns: { actionRequest: 'The action request as it is now.' },
  reconcile: reconcileByValues(ActionRequest, 'actionRequest', () => ({ status: 'PUBLIC_ACTION_REQUEST_STATUS_CANCELLED' })),
});

mutation('actionRequestNotificationSend', ResendActionRequestNotification, {
  description:
    'Tells the customer of a pending action request once more, by text message, email or both. Another key sends again. When the answer is lost, reading cannot tell whether it was sent: the outcome stays unknown.',
  on: ActionRequest,
  returns: { actionRequest: 'The action request.' },
  answer: ({ portalUrl }) => ({ portalUrl: portalUrl || null }),
  payload: (t) => ({
    portalUrl: t.field({
      type: 'URL',
      ...secret(
        assumed(
          'A new link to the portal of the customer, which lets in anybody who has it. Told once: null when the mutation is replayed.',
        ),
      ),
      resolve: ({ portalUrl }) => portalUrl,
    }),
  }),
});
