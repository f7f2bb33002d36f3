import type { Session } from '../upstream/client.ts';
import { GetProblem } from '../upstream/contract/generated/operations.ts';
import type { ProblemRecordJson } from '../upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { type Loader, loaderFromGet } from './loader.ts';

/** Problems: an answer holds the comments beside the record. */
export const problemLoader = (upstream: Session): Loader<ProblemRecordJson> =>
  loaderFromGet(
    (id) => upstream.call(GetProblem, { id }),
    ({ problem }) => problem,
  );
