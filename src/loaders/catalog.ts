import { ListDiscounts } from '../upstream/contract/generated/operations.ts';
import type { DiscountRecord } from '../upstream/contract/generated/records.ts';
import { getRows } from '../upstream/contract/rows.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromList } from './loader.ts';

/** Discounts. No operation gets one by ID, and their list is cut off. */
export const discountLoader = (upstream: Session): Loader<DiscountRecord> =>
  loaderFromList(
    async () => {
      const pageSize = upstream.operation(ListDiscounts).page?.maxSize ?? 0;
      const { rows, isTruncated = rows.length >= pageSize } = getRows(ListDiscounts, await upstream.call(ListDiscounts, { pageSize }));
      return { rows, isTruncated };
    },
    ({ id }) => id,
  );
