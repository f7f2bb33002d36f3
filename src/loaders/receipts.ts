import type { Session } from '../upstream/client.ts';
import { GetInventoryReceipt } from '../upstream/generated/operations.ts';
import type { InventoryReceiptRecordJson } from '../upstream/generated/publicapi/v1/receipts_pb.ts';
import { byId, type Loader } from './loader.ts';

/** Receipts without their lines: the smallest page there is. */
export const receiptLoader = (upstream: Session): Loader<InventoryReceiptRecordJson> =>
  byId(async (receiptId) => (await upstream.call(GetInventoryReceipt, { receiptId, page: 1, pageSize: 1 })).receipt);
