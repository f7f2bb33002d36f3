import type { Session } from '../upstream/client.ts';
import { GetContact } from '../upstream/contract/generated/operations.ts';
import type { ContactRecordJson } from '../upstream/contract/generated/publicapi/v1/contacts_pb.ts';
import { byId, type Loader } from './loader.ts';

export const contactLoader = (upstream: Session): Loader<ContactRecordJson> =>
  byId(
    (id) => upstream.call(GetContact, { id }),
    ({ contact }) => contact,
  );
