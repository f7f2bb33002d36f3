import type { Session } from '../upstream/client.ts';
import { ListJourneyConfig } from '../upstream/contract/generated/operations.ts';
import type { JourneyStageRecordJson, JourneyStatusRecordJson } from '../upstream/contract/generated/publicapi/v1/journey_pb.ts';
import { type Loader, loaderFromList } from './loader.ts';

/** The stage that a status is part of. A symbol, since the upstream does not answer it for the status. */
export const STAGE = Symbol('stage');

export interface PlacedStatus extends JourneyStatusRecordJson {
  readonly [STAGE]: JourneyStageRecordJson;
}

/** The statuses of a stage, each with its stage. */
export const statusesOf = (stage: JourneyStageRecordJson): PlacedStatus[] =>
  (stage.statuses ?? []).map((status) => ({ ...status, [STAGE]: stage }));

export const journeyStatusLoader = (upstream: Session): Loader<PlacedStatus> =>
  loaderFromList(
    async () => ((await upstream.call(ListJourneyConfig, {})).stages ?? []).flatMap(statusesOf),
    ({ id }) => id,
  );
