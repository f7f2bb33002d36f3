import { GetActionRequest } from '../../upstream/contract/generated/operations.ts';
import type { PublicActionRequestStatusJson } from '../../upstream/contract/generated/publicapi/v1/action_requests_pb.ts';
import type { ActionRequestRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

export const ActionRequestStatus = wireEnum<PublicActionRequestStatusJson>()('ActionRequestStatus', {
  description: 'The status of an action request.',
  prefix: 'PUBLIC_ACTION_REQUEST_STATUS',
  members: {
    PENDING: 'The customer hasn’t completed it yet.',
    COMPLETED: 'The customer has completed it.',
    CANCELLED: 'Canceled. The customer can’t complete it anymore.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const record = new RecordFields<ActionRequestRecord>('ActionRequestRecord');

export const ActionRequest: Entity<ActionRequestRecord> = entity('ActionRequest', {
  record,
  description: 'A task for a customer to complete in their portal.',
  operation: GetActionRequest,
  key: 'id',
  root: 'Looks up an action request by ID. Null if it doesn’t exist.',
  // Every step is for a pending one.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('PENDING', ActionRequestStatus, status) },
  fields: (t) => ({
    ...record.word(t, 'status', ActionRequestStatus, 'Status of the request: pending, completed or canceled.'),
    title: record.requiredText(t, 'title', 'Title that the customer sees.'),
    description: record.text(t, 'description', 'Description that the customer sees.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'Customer who completes the request.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'When the action request was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the action request was last updated.'),
  }),
});
