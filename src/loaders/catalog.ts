import type { Session } from '../upstream/client.ts';
import { ListDiscounts } from '../upstream/contract/generated/operations.ts';
import type { DiscountRecord } from '../upstream/contract/generated/records.ts';
import { type Loader, loaderFromList } from './loader.ts';

/** No operation gets one discount: the list is scanned, as far as it can be read. */
export const discountLoader = (upstream: Session): Loader<DiscountRecord> =>
  loaderFromList(
    async () => (await upstream.call(ListDiscounts, { pageSize: upstream.operation(ListDiscounts).page?.maxSize ?? 0 })).discounts,
    ({ id }) => id,
  );
