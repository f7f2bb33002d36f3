import type { Session } from '../upstream/client.ts';
import { GetQuote } from '../upstream/generated/operations.ts';
import type { QuoteRecordJson } from '../upstream/generated/publicapi/v1/quotes_pb.ts';
import { byId, type Loader } from './loader.ts';

export const quoteLoader = (upstream: Session): Loader<QuoteRecordJson> =>
  byId(
    (id) => upstream.call(GetQuote, { id }),
    ({ quote }) => quote,
  );
