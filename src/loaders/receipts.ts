import type { Session } from '../upstream/client.ts';
import { GetInventoryReceipt } from '../upstream/contract/generated/operations.ts';
import type { InventoryReceiptRecord } from '../upstream/contract/generated/records.ts';
import { type Loader, loaderFromGet } from './loader.ts';

/** The lines that come with a receipt. As many as a list has by default: the same question is asked once, so its lines cost no call. */
const LINES = 25;

export const receiptLoader = (upstream: Session): Loader<InventoryReceiptRecord> =>
  loaderFromGet(
    (receiptId) => upstream.call(GetInventoryReceipt, { receiptId, page: 1, pageSize: LINES }),
    ({ receipt }) => receipt ?? null,
  );
