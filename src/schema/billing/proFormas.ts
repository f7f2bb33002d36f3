import { GetProForma } from '../../upstream/contract/generated/operations.ts';
import type { ProFormaRecordJson } from '../../upstream/contract/generated/publicapi/v1/pro_formas_pb.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

const record = new RecordFields<ProFormaRecordJson>('ProFormaRecord');

export const ProForma: Entity<ProFormaRecordJson> = entity('ProForma', {
  record,
  description: 'A pro-forma document of one version of an order. A later version of the order gets one of its own.',
  operation: GetProForma,
  key: 'id',
  root: 'The pro-forma document of this id; null when there is none.',
  fields: (t) => ({
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    order: record.requiredEdge(t, 'orderId', Order, 'The order, as it is now.'),
    orderVersion: record.version(t, 'orderVersion', 'The version of the order that the document was made of.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer.'),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'The currency of its amounts.'),
    totalOnce: record.requiredMoney(t, 'totalOnceMinor', 'The one-off total of that version, without VAT.'),
    totalMonthly: record.requiredMoney(t, 'totalMonthlyMinor', 'The monthly total of that version, without VAT.'),
    totalYearly: record.requiredMoney(t, 'totalYearlyMinor', 'The yearly total of that version, without VAT.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'The moment of creation.'),
  }),
});
