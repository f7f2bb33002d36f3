import type { Session } from '../upstream/client.ts';
import { SearchInventoryLocations } from '../upstream/contract/generated/operations.ts';
import type { InventoryLocationRecord } from '../upstream/contract/generated/records.ts';
import { type Loader, loaderFromList } from './loader.ts';

/** Maximum number of pages that are read to find a location. Chosen: a scan doesn't suit a workspace with more than 1,000 locations. */
const MAX_PAGES = 10;

/** Locations by ID. No operation gets one, so their list is scanned page by page. */
export const locationLoader = (upstream: Session): Loader<InventoryLocationRecord> =>
  loaderFromList(
    async () => {
      const rows: InventoryLocationRecord[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const response = await upstream.call(SearchInventoryLocations, {
          query: '',
          page,
          pageSize: upstream.operation(SearchInventoryLocations).page?.maxSize ?? 0,
        });
        rows.push(...response.locations);
        if (!response.hasMore) return { rows, isTruncated: false };
      }
      return { rows, isTruncated: true };
    },
    ({ id }) => id,
  );
