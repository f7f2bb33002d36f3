import { ListDataFields } from '../upstream/contract/generated/operations.ts';
import type { DataFieldRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromWholeList } from './loader.ts';

/** Data fields by name: the upstream exposes no other ID. */
export const dataFieldLoader = (upstream: Session): Loader<DataFieldRecord> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListDataFields, {})).dataFields,
    ({ name }) => name,
  );
