import { catalog, productTables } from './catalog/catalog.ts';
import { discountTables } from './catalog/discounts.ts';
import { commentTables } from './customers/comments.ts';
import { contacts, contactTables } from './customers/contacts.ts';
import { customerTables } from './customers/customerRecords.ts';
import { customers } from './customers/customers.ts';
import { dataFields, dataFieldTables } from './customers/dataFields.ts';
import { fileTables } from './customers/files.ts';
import { journey, journeyTables } from './customers/journey.ts';
import { portfolios } from './customers/portfolios.ts';
import { backorderTables } from './inventory/backorders.ts';
import { identifierTables } from './inventory/identifiers.ts';
import { inventory } from './inventory/inventory.ts';
import { receiptTables } from './inventory/receipts.ts';
import { reservationTables } from './inventory/reservations.ts';
import { stockTables } from './inventory/stock.ts';
import { transferTables } from './inventory/transfers.ts';
import { idempotencyTable } from './kernel/idempotency.ts';
import { actorTable, keyTable } from './kernel/keys.ts';
import type { Endpoint } from './kernel/service.ts';
import type { Store } from './kernel/store.ts';
import { timelineTable } from './kernel/timeline.ts';
import { orders, orderTables } from './sales/orders.ts';
import { quotes, quoteTables } from './sales/quotes.ts';
import { workspace, workspaceTables } from './workspace/workspace.ts';

/** Every operation that the sandbox serves. */
export const endpoints: readonly Endpoint[] = [
  ...workspace,
  ...dataFields,
  ...journey,
  ...customers,
  ...portfolios,
  ...contacts,
  ...catalog,
  ...quotes,
  ...orders,
  ...inventory,
];

/** Makes the tables that are not there yet. */
export function createTables(store: Store): void {
  for (const tables of [
    [actorTable, keyTable, idempotencyTable, timelineTable],
    workspaceTables,
    contactTables,
    dataFieldTables,
    journeyTables,
    customerTables,
    commentTables,
    fileTables,
    productTables,
    discountTables,
    quoteTables,
    orderTables,
    stockTables,
    receiptTables,
    backorderTables,
    transferTables,
    reservationTables,
    identifierTables,
  ])
    for (const ddl of typeof tables === 'string' ? [tables] : tables.map((table) => table.ddl)) store.exec(ddl);
}
