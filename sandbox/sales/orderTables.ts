import { OrderLineRecordSchema, OrderRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { stale } from '../kernel/errors.ts';
import { type RowOf, type Scope, table } from '../kernel/table.ts';

/** The money of an order is in the money book, and has no columns here. */
export const orderTable = table('orders', OrderRecordSchema, {
  also: { workspace_id: 'TEXT' },
  without: ['paidMinor', 'refundedMinor'],
  constraints: ['UNIQUE (quote_id)'],
  indexes: { orders_by_customer: 'workspace_id, customer_id, created_at' },
});
export const orderLineTable = table('order_lines', OrderLineRecordSchema, {
  also: { order_id: 'TEXT', position: 'INTEGER' },
  references: { order_id: orderTable },
  indexes: { order_lines_by_order: 'order_id, position' },
});

export type OrderRow = RowOf<typeof orderTable>;

/** The order, or a refusal when the workspace has none of that id. */
export const orderOf = (scope: Scope, id: string): OrderRow => orderTable.one(scope, id, 'order');

/** Refuses an order that is at another version than the caller expects. */
export function requireVersion({ version }: OrderRow, expected: bigint): void {
  if (expected !== BigInt(version)) throw stale(expected, version);
}
