import { ListDiscounts } from '../upstream/contract/generated/operations.ts';
import type { DiscountRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { readLargestPage } from './listScan.ts';
import { type Loader, loaderFromList } from './loader.ts';

/** Discounts. No operation gets one by ID, and their list is cut off. */
export const discountLoader = (upstream: Session): Loader<DiscountRecord> =>
  loaderFromList(
    () => readLargestPage(upstream, ListDiscounts, {}),
    ({ id }) => id,
  );
