import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AccountingConnectionRecordSchema,
  PublicAccountingCapability,
} from '../../src/upstream/contract/generated/publicapi/v1/invoices_pb.ts';
import type { CustomerRow } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { type RowOf, table } from '../kernel/table.ts';

/** The accounting systems that a workspace is connected to. `sends` is 1 if the system can send invoices. */
export const connectionTable = table('accounting_connections', AccountingConnectionRecordSchema, {
  also: { workspace_id: 'TEXT', sends: 'INTEGER' },
});

type ConnectionRow = RowOf<typeof connectionTable>;

const { CREATE_INVOICE, SEND_INVOICE } = PublicAccountingCapability;

/** Looks up a connection by ID. Throws if the workspace doesn't contain it. */
export const getConnection = (call: CallContext, id: string): ConnectionRow =>
  connectionTable.getOrThrow(call, id, 'accounting connection');

/** Chosen: every system creates invoices for every customer, and systems that send invoices send them to customers with an email address. */
const listCapabilities = ({ sends }: ConnectionRow, { email }: CustomerRow): PublicAccountingCapability[] =>
  sends === 1 && email !== '' ? [CREATE_INVOICE, SEND_INVOICE] : [CREATE_INVOICE];

/** Throws if the system can't send invoices to the customer. */
export function requireSending(connection: ConnectionRow, customer: CustomerRow): void {
  if (listCapabilities(connection, customer).includes(SEND_INVOICE)) return;
  throw failedPrecondition(
    connection.sends === 1
      ? `Customer ${customer.reference_number} has no email address to send the invoice to.`
      : `The accounting connection ${connection.name} doesn’t send invoices.`,
  );
}

/** The workspace's connections, with the capabilities of each for a customer. */
export const listConnections = (call: CallContext, customer: CustomerRow): MessageInitShape<typeof AccountingConnectionRecordSchema>[] =>
  connectionTable
    .list(call.store, { workspace_id: call.workspaceId }, 'name, id')
    .map((row) => ({ ...connectionTable.read(row), capabilities: listCapabilities(row, customer) }));
