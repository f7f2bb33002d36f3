import { GetProForma } from '../../upstream/contract/generated/operations.ts';
import type { ProFormaRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

const record = new RecordFields<ProFormaRecord>('ProFormaRecord');

export const ProForma: Entity<ProFormaRecord> = entity('ProForma', {
  record,
  description: 'A pro-forma document for one version of an order. Later versions of the order get their own documents.',
  operation: GetProForma,
  key: 'id',
  root: 'Looks up a pro-forma document by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    referenceNumber: record.text(t, 'referenceNumber', 'Human-readable number of the document.'),
    order: record.requiredEdge(t, 'orderId', Order, 'The order in its current state. See `orderVersion` for the version of the document.'),
    orderVersion: record.version(t, 'orderVersion', 'Version of the order that the document was created for.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'Customer that the document is for.'),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'Currency of all amounts in the document.'),
    totalOnce: record.requiredMoney(t, 'totalOnceMinor', 'One-off total of that order version, excluding VAT.'),
    totalMonthly: record.requiredMoney(t, 'totalMonthlyMinor', 'Monthly total of that order version, excluding VAT.'),
    totalYearly: record.requiredMoney(t, 'totalYearlyMinor', 'Yearly total of that order version, excluding VAT.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'When the document was created.'),
  }),
});
