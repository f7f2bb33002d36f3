import { ProForma, ProFormaRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/pro_formas_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import type { World } from '../kernel/world.ts';
import { getOrder, type OrderRow } from '../sales/orderTables.ts';
import { createRevisionColumns, requireNotCancelled, requireRevision } from './revisions.ts';

/** A version of an order has up to one pro-forma, which never changes. */
const proFormaTable = table('pro_formas', ProFormaRecordSchema, {
  also: { workspace_id: 'TEXT' },
  constraints: ['UNIQUE (order_id, order_version)'],
  indexes: { pro_formas_by_customer: 'workspace_id, customer_id, created_at' },
});

type ProFormaRow = RowOf<typeof proFormaTable>;

/** Creates the pro-forma of an order's current version. `at` is in Unix seconds. */
export function insertProForma(world: World, order: OrderRow, id: string, at: number): ProFormaRow {
  const row: ProFormaRow = {
    ...createRevisionColumns(order),
    id,
    reference_number: `PF-${String(world.next(`pro-forma ${order.workspace_id}`)).padStart(5, '0')}`,
    created_at: at,
  };
  proFormaTable.insert(world.store, row);
  return row;
}

export const proFormas = domain(ProForma, {
  tables: [proFormaTable],
  handlers: {
    createProForma: {
      permission: 'billingAccess:READ_WRITE',
      run: ({ orderId, expectedOrderVersion }, call) => {
        const order = requireRevision(call, orderId, expectedOrderVersion);
        const made = proFormaTable.find(call.store, { order_id: orderId, order_version: order.version });
        if (made) return { proForma: proFormaTable.read(made) };
        requireNotCancelled(order);
        return { proForma: proFormaTable.read(insertProForma(call.world, order, call.id(), call.now)) };
      },
    },

    getProForma: {
      permission: 'billingAccess:READ_ONLY',
      run: ({ id }, call) => ({ proForma: proFormaTable.read(proFormaTable.getOrThrow(call, id, 'pro-forma')) }),
    },

    listProFormas: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => {
        const { customerId, orderId } = request;
        getCustomer(call, customerId);
        if (orderId) getOrder(call, orderId);
        const { rows, ...page } = proFormaTable.page(call, request, { customer_id: customerId, order_id: orderId });
        return { proFormas: rows.map(proFormaTable.read), ...page };
      },
    },
  },
});
