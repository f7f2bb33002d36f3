import { customerTables } from './customerRecords.ts';
import { idempotencyTables } from './idempotency.ts';
import { keyTables } from './keys.ts';
import type { Endpoint } from './service.ts';
import { backorderTables } from './services/backorders.ts';
import { catalog, productTables } from './services/catalog.ts';
import { commentTables } from './services/comments.ts';
import { contacts, contactTables } from './services/contacts.ts';
import { customers } from './services/customers.ts';
import { dataFields, dataFieldTables } from './services/dataFields.ts';
import { discountTables } from './services/discounts.ts';
import { fileTables } from './services/files.ts';
import { identifierTables } from './services/identifiers.ts';
import { inventory } from './services/inventory.ts';
import { journey, journeyTables } from './services/journey.ts';
import { orders, orderTables } from './services/orders.ts';
import { portfolios } from './services/portfolios.ts';
import { quotes, quoteTables } from './services/quotes.ts';
import { receiptTables } from './services/receipts.ts';
import { reservationTables } from './services/reservations.ts';
import { timelineTables } from './services/timeline.ts';
import { transferTables } from './services/transfers.ts';
import { workspace, workspaceTables } from './services/workspace.ts';
import { stockTables } from './stock.ts';
import type { Store } from './store.ts';

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
    keyTables,
    idempotencyTables,
    workspaceTables,
    contactTables,
    dataFieldTables,
    journeyTables,
    customerTables,
    timelineTables,
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
    store.exec(tables);
}
