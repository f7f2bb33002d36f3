import type { Session } from '../upstream/client.ts';
import { ListJourneyConfig } from '../upstream/generated/operations.ts';
import type { JourneyStatusRecordJson } from '../upstream/generated/publicapi/v1/journey_pb.ts';
import { fromList, type Loader } from './loader.ts';

export const journeyStatusLoader = (upstream: Session): Loader<JourneyStatusRecordJson> =>
  fromList(
    async () => ((await upstream.call(ListJourneyConfig, {})).stages ?? []).flatMap(({ statuses = [] }) => statuses),
    ({ id }) => id,
  );
