import { SearchInventoryLocations } from '../upstream/contract/generated/operations.ts';
import type { Session } from '../upstream/session.ts';
import { loaderFromScan } from './listScan.ts';

/** Locations by ID. No operation gets one. */
export const locationLoader = (upstream: Session) => loaderFromScan(upstream, SearchInventoryLocations, { query: '' });
