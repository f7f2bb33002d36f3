import type { Session } from '../upstream/client.ts';
import { ListDataFields } from '../upstream/contract/generated/operations.ts';
import type { DataFieldRecordJson } from '../upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import { type Loader, loaderFromList } from './loader.ts';

/** Data fields by name: the upstream shows no other id. */
export const dataFieldLoader = (upstream: Session): Loader<DataFieldRecordJson> =>
  loaderFromList(
    async () => (await upstream.call(ListDataFields, {})).dataFields ?? [],
    ({ name }) => name,
  );
