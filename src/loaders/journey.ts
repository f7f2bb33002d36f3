import { ListJourneyConfig } from '../upstream/contract/generated/operations.ts';
import type { JourneyStageRecord, JourneyStatusRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromWholeList } from './loader.ts';

/** The stage that a status belongs to. A symbol, because the upstream doesn't return it with the status. */
export const STAGE = Symbol('stage');

export interface StatusWithStage extends JourneyStatusRecord {
  readonly [STAGE]: JourneyStageRecord;
}

/** Returns the statuses of a stage, each with its stage. */
export const getStatuses = (stage: JourneyStageRecord): StatusWithStage[] =>
  stage.statuses.map((status) => ({ ...status, [STAGE]: stage }));

export const journeyStatusLoader = (upstream: Session): Loader<StatusWithStage> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListJourneyConfig, {})).stages.flatMap(getStatuses),
    ({ id }) => id,
  );
