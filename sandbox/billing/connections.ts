import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AccountingConnectionRecordSchema,
  PublicAccountingCapability,
} from '../../src/upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import type { CustomerRow } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { blocked } from '../kernel/errors.ts';
import { type RowOf, table } from '../kernel/table.ts';

/** The accounting systems that a workspace is connected to. `sends` is 1 for those that send invoices themselves. */
export const connectionTable = table('accounting_connections', AccountingConnectionRecordSchema, {
  also: { workspace_id: 'TEXT', sends: 'INTEGER' },
});

type ConnectionRow = RowOf<typeof connectionTable>;

const { CREATE_INVOICE, SEND_INVOICE } = PublicAccountingCapability;

/** The connection, or a refusal when the workspace has none of that id. */
export const connectionOf = (call: CallContext, id: string): ConnectionRow => connectionTable.one(call, id, 'accounting connection');

/** Ours: every system makes invoices for everybody, and sends them to customers with a mail address when it sends any. */
const capabilitiesOf = ({ sends }: ConnectionRow, { email }: CustomerRow): PublicAccountingCapability[] =>
  sends === 1 && email !== '' ? [CREATE_INVOICE, SEND_INVOICE] : [CREATE_INVOICE];

/** Refuses to send to a customer whom the system cannot send to. */
export function requireSending(connection: ConnectionRow, customer: CustomerRow): void {
  if (capabilitiesOf(connection, customer).includes(SEND_INVOICE)) return;
  throw blocked(
    connection.sends === 1
      ? `Customer ${customer.reference_number} has no email address to send the invoice to.`
      : `The accounting connection ${connection.name} doesn’t send invoices.`,
  );
}

/** The connections of the workspace, with what each can do for a customer. */
export const connectionsFor = (call: CallContext, customer: CustomerRow): MessageInitShape<typeof AccountingConnectionRecordSchema>[] =>
  connectionTable
    .list(call.store, { workspace_id: call.workspaceId }, 'name, id')
    .map((row) => ({ ...connectionTable.read(row), capabilities: capabilitiesOf(row, customer) }));
