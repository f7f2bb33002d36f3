import { GetProForma } from '../../upstream/contract/generated/operations.ts';
import type { ProFormaRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const ProForma: Entity<ProFormaRecord> = defineEntity('ProForma', {
  record: 'ProFormaRecord',
  description: 'A pro-forma document for one version of an order. Later versions of the order get their own documents.',
  operation: GetProForma,
  key: 'id',
  root: 'Looks up a pro-forma document by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    referenceNumber: f.string('referenceNumber', 'Human-readable number of the document.'),
    order: f.requiredEdge('orderId', Order, 'The order in its current state. See `orderVersion` for the version of the document.'),
    orderVersion: f.version('orderVersion', 'Version of the order that the document was created for.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer that the document is for.'),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of all amounts in the document.'),
    totalOnce: f.requiredMoney('totalOnceMinor', 'One-off total of that order version, excluding VAT.'),
    totalMonthly: f.requiredMoney('totalMonthlyMinor', 'Monthly total of that order version, excluding VAT.'),
    totalYearly: f.requiredMoney('totalYearlyMinor', 'Yearly total of that order version, excluding VAT.'),
    createdAt: f.requiredDateTime('createdAt', 'When the document was created.'),
  }),
});
