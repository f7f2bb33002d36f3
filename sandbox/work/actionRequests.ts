import { randomBytes } from 'node:crypto';
import {
  ActionRequest,
  ActionRequestRecordSchema,
  PublicActionRequestStatus as Status,
} from '../../src/upstream/contract/generated/publicapi/v1/action_requests_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { sendMessage } from '../kernel/outbox.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { getWorkspace } from '../workspace/workspace.ts';

/** Length of a portal link's secret in bytes. Chosen: the same as for an API key of that strength. */
const SECRET_BYTES = 32;

export const actionRequestTable = table('action_requests', ActionRequestRecordSchema, {
  also: { workspace_id: 'TEXT' },
  indexes: {
    action_requests_by_age: 'workspace_id, created_at',
    action_requests_of_customer: 'workspace_id, customer_id, created_at',
  },
});

type ActionRequestRow = RowOf<typeof actionRequestTable>;

const toActionRequest = actionRequestTable.read;

const getActionRequest = (call: CallContext, id: string): ActionRequestRow => actionRequestTable.getOrThrow(call, id, 'action request');

/** Throws if the action request isn't pending. */
function requirePending({ title, status }: ActionRequestRow): void {
  if (status !== Status.PENDING) throw failedPrecondition(`The action request "${title}" must be pending, but was completed or canceled.`);
}

/** Sends a message to each contact address of the customer. Throws if there are none. Chosen: the upstream doesn't document this case. */
function notify(call: CallContext, request: ActionRequestRow): void {
  const { email, phone } = getCustomer(call, request.customer_id);
  if (!email && !phone) throw failedPrecondition('The customer must have an email address or a phone number for notifications.');
  const subject = { type: 'action_request', id: request.id };
  if (email) sendMessage(call, { kind: 'action_request_mail', recipient: email, subject });
  if (phone) sendMessage(call, { kind: 'action_request_sms', recipient: phone, subject });
}

/** A portal link with a new secret. The secret isn't stored, because the sandbox has no portal. */
const createPortalUrl = (call: CallContext): string =>
  `${getWorkspace(call).portal_url}/actions/${randomBytes(SECRET_BYTES).toString('base64url')}`;

export const actionRequests = domain(ActionRequest, {
  tables: [actionRequestTable],
  handlers: {
    createManualActionRequest: {
      permission: 'boardAccess:READ_WRITE',
      run: ({ customerId, title, description }, call) => {
        const row: ActionRequestRow = {
          id: call.id(),
          workspace_id: call.workspaceId,
          customer_id: getCustomer(call, customerId).id,
          status: Status.PENDING,
          title,
          description,
          created_at: call.now,
          updated_at: call.now,
        };
        actionRequestTable.insert(call.store, row);
        return { actionRequest: toActionRequest(row) };
      },
    },

    getActionRequest: {
      permission: 'boardAccess:READ_ONLY',
      run: ({ id }, call) => ({ actionRequest: toActionRequest(getActionRequest(call, id)) }),
    },

    listActionRequests: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { customerId, status } = request;
        if (customerId) getCustomer(call, customerId);
        const { rows, ...page } = actionRequestTable.page(call, request, { customer_id: customerId, status });
        return { actionRequests: rows.map(toActionRequest), ...page };
      },
    },

    cancelActionRequest: {
      permission: 'boardAccess:READ_WRITE',
      run: ({ id }, call) => {
        const row = getActionRequest(call, id);
        requirePending(row);
        const changes = { status: Status.CANCELLED, updated_at: call.now };
        actionRequestTable.update(call.store, id, changes);
        return { actionRequest: toActionRequest({ ...row, ...changes }) };
      },
    },

    resendActionRequestNotification: {
      permission: 'boardAccess:READ_WRITE',
      run: ({ id }, call) => {
        const row = getActionRequest(call, id);
        requirePending(row);
        notify(call, row);
        return { actionRequest: toActionRequest(row), portalUrl: createPortalUrl(call) };
      },
    },
  },
});
