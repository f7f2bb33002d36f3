import { GetActionRequest } from '../../upstream/contract/generated/operations.ts';
import type { ActionRequestRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum, hasOtherStatus } from '../kit/enums.ts';
import type { Entity } from '../kit/registry.ts';

export const ActionRequestStatus = defineWireEnum('ActionRequestStatus', 'PublicActionRequestStatus', {
  description: 'The status of an action request.',
  members: {
    PENDING: 'The customer hasn’t completed it yet.',
    COMPLETED: 'The customer has completed it.',
    CANCELLED: 'Canceled. The customer can’t complete it anymore.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const ActionRequest: Entity<ActionRequestRecord> = defineEntity('ActionRequest', {
  record: 'ActionRequestRecord',
  description: 'A task for a customer to complete in their portal.',
  operation: GetActionRequest,
  key: 'id',
  root: 'Looks up an action request by ID. Null if it doesn’t exist.',
  // All transitions start from a pending request.
  state: { getStatus: ({ status }) => status, isTerminal: ({ status }) => hasOtherStatus('PENDING', ActionRequestStatus, status) },
  fields: (f) => ({
    ...f.enumWithText('status', ActionRequestStatus, 'Status of the request: pending, completed or canceled.'),
    title: f.requiredString('title', 'Title that the customer sees.'),
    description: f.string('description', 'Description that the customer sees.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer who completes the request.'),
    createdAt: f.requiredDateTime('createdAt', 'When the action request was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the action request was last updated.'),
  }),
});
