import { GetActionRequest } from '../../upstream/contract/generated/operations.ts';
import type {
  ActionRequestRecordJson,
  PublicActionRequestStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/action_requests_pb.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

export const ActionRequestStatus = wireEnum<PublicActionRequestStatusJson>()('ActionRequestStatus', {
  description: 'The stage of an action request.',
  prefix: 'PUBLIC_ACTION_REQUEST_STATUS',
  members: {
    PENDING: 'To be done by the customer.',
    COMPLETED: 'Done by the customer.',
    CANCELLED: 'Called off: the customer can no longer complete it.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const record = new RecordFields<ActionRequestRecordJson>('ActionRequestRecord');

export const ActionRequest: Entity<ActionRequestRecordJson> = entity('ActionRequest', {
  record,
  description: 'A request to a customer to do something themselves, in their portal.',
  operation: GetActionRequest,
  key: 'id',
  root: 'The action request of this id; null when there is none.',
  // Every step is for a pending one.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('PENDING', ActionRequestStatus, status) },
  fields: (t) => ({
    ...record.word(t, 'status', ActionRequestStatus, 'The stage of the request.'),
    title: record.requiredText(t, 'title', 'A title, as the customer sees it.'),
    description: record.text(t, 'description', 'A description, as the customer sees it.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer who is asked.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
