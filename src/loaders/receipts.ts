import { GetInventoryReceipt } from '../upstream/contract/generated/operations.ts';
import type { InventoryReceiptRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromGet } from './loader.ts';

/** Number of lines that are fetched with a receipt. Same as the default of the lines' list, so that both are one request and the lines cost no call. */
const LINES = 25;

export const receiptLoader = (upstream: Session): Loader<InventoryReceiptRecord> =>
  loaderFromGet(
    (receiptId) => upstream.call(GetInventoryReceipt, { receiptId, page: 1, pageSize: LINES }),
    ({ receipt }) => receipt ?? null,
  );
