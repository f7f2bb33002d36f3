import type { Session } from '../upstream/client.ts';
import { decodeDirectoryRoleAccess } from '../upstream/contract/generated/decoders.ts';
import { GetRole } from '../upstream/contract/generated/operations.ts';
import type { DirectoryRoleAccess, GetRoleResponse, RoleRecord } from '../upstream/contract/generated/records.ts';
import { type Loader, loaderFromGet } from './loader.ts';

/** The grants of a role, where the answer that told the role had them. A symbol, since they are not part of its record. */
export const ACCESS = Symbol('access');

/** A role, with its grants where they are known: lists leave them out. */
export interface KnownRole extends RoleRecord {
  readonly [ACCESS]?: DirectoryRoleAccess;
}

const NO_ACCESS = decodeDirectoryRoleAccess({});

/** The role of an answer with its grants. An answer without any is one of a role that has none. */
export const roleIn = ({ role, access = NO_ACCESS }: GetRoleResponse): KnownRole | undefined => role && { ...role, [ACCESS]: access };

/** Roles with their grants: an answer holds both, each as a record of its own. */
export const roleLoader = (upstream: Session): Loader<KnownRole> => loaderFromGet((id) => upstream.call(GetRole, { id }), roleIn);

/** The grants of roles that lists told. Another loader than that of roles, which takes over the rows of lists; who asks both makes one call. */
export const roleAccessLoader = (upstream: Session): Loader<DirectoryRoleAccess> =>
  loaderFromGet(
    (id) => upstream.call(GetRole, { id }),
    (answer) => roleIn(answer)?.[ACCESS],
  );
