import type { Session } from '../upstream/client.ts';
import { GetQuote } from '../upstream/contract/generated/operations.ts';
import type { QuoteRecordJson } from '../upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { byId, type Loader } from './loader.ts';

export const quoteLoader = (upstream: Session): Loader<QuoteRecordJson> =>
  byId(
    (id) => upstream.call(GetQuote, { id }),
    ({ quote }) => quote,
  );
