import { GetProblem } from '../upstream/contract/generated/operations.ts';
import type { ProblemRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromGet } from './loader.ts';

/** Problems by ID. A response has the comments next to the record. */
export const problemLoader = (upstream: Session): Loader<ProblemRecord> =>
  loaderFromGet(
    (id) => upstream.call(GetProblem, { id }),
    ({ problem }) => problem,
  );
