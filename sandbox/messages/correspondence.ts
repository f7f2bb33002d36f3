import { Correspondence, CorrespondenceMessageRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/correspondence_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import { domain } from '../kernel/service.ts';
import { table } from '../kernel/table.ts';

/** Messages exchanged with customers. No operation reads them. */
const messageTable = table('correspondence_messages', CorrespondenceMessageRecordSchema, { also: { workspace_id: 'TEXT' } });

export const correspondence = domain(Correspondence, {
  tables: [messageTable],
  handlers: {
    // Doesn't send anything, because the upstream only documents that a record is added.
    addCorrespondenceMessage: {
      permission: 'boardAccess:READ_WRITE',
      run: ({ customerId, subject, body }, call) => {
        const row = {
          id: call.id(),
          workspace_id: call.workspaceId,
          customer_id: getCustomer(call, customerId).id,
          subject,
          body,
          created_at: call.now,
        };
        messageTable.insert(call.store, row);
        return { correspondenceMessage: messageTable.read(row) };
      },
    },
  },
});
