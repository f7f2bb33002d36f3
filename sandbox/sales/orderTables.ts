import { OrderLineRecordSchema, OrderRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { versionConflict } from '../kernel/errors.ts';
import { type RowOf, type Scope, table } from '../kernel/table.ts';

/** Orders, without their payments and refunds, which have tables of their own. */
export const orderTable = table('orders', OrderRecordSchema, {
  also: { workspace_id: 'TEXT' },
  without: ['paidMinor', 'refundedMinor'],
  constraints: ['UNIQUE (quote_id)'],
  indexes: {
    orders_by_age: 'workspace_id, created_at, id',
    orders_by_update: 'workspace_id, updated_at',
    orders_by_customer: 'workspace_id, customer_id, created_at',
  },
});
export const orderLineTable = table('order_lines', OrderLineRecordSchema, {
  also: { order_id: 'TEXT', position: 'INTEGER' },
  references: { order_id: orderTable },
  indexes: { order_lines_by_order: 'order_id, position' },
});

export type OrderRow = RowOf<typeof orderTable>;

/** Looks up an order by ID. Throws if the workspace doesn't contain it. */
export const getOrder = (scope: Scope, id: string): OrderRow => orderTable.getOrThrow(scope, id, 'order');

/** Throws if the order doesn't have the expected version. */
export function requireVersion({ version }: OrderRow, expected: bigint): void {
  if (expected !== BigInt(version)) throw versionConflict(expected, version);
}
