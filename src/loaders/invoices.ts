import { invalidInput } from '../failures/failures.ts';
import { GetInvoice } from '../upstream/contract/generated/operations.ts';
import type { InvoiceRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromGet } from './loader.ts';

/** Decodes the ID of an invoice: its order, its connection, and the version of the order. */
type DecodeId = (id: string) => readonly string[];

/** Invoices by their composite ID. */
export const invoiceLoader =
  (decodeId: DecodeId) =>
  (upstream: Session): Loader<InvoiceRecord> =>
    loaderFromGet(
      async (id) => {
        const [orderId, integrationId, orderVersion, ...more] = decodeId(id);
        if (!orderId || !integrationId || !orderVersion || more.length > 0)
          throw invalidInput(['id'], 'INVALID_FORMAT', 'must be the `id` of an Invoice.');
        return upstream.call(GetInvoice, { orderId, integrationId, orderVersion });
      },
      ({ invoice }) => invoice,
    );
