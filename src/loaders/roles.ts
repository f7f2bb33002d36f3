import { decodeDirectoryRoleAccess } from '../upstream/contract/generated/decoders.ts';
import { GetRole } from '../upstream/contract/generated/operations.ts';
import type { DirectoryRoleAccess, GetRoleResponse, RoleRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromGet } from './loader.ts';

/** The grants of a role, if the response with the role had them. A symbol, because they aren't part of the record. */
export const ACCESS = Symbol('access');

/** A role, with its grants if they are known. Lists omit them. */
export interface KnownRole extends RoleRecord {
  readonly [ACCESS]?: DirectoryRoleAccess;
}

const NO_ACCESS = decodeDirectoryRoleAccess({});

/** Returns the role of a response with its grants. A response without grants means that the role has none. */
export const toKnownRole = ({ role, access = NO_ACCESS }: GetRoleResponse): KnownRole | undefined => role && { ...role, [ACCESS]: access };

/** Roles by ID, with their grants. A response has both, as separate records. */
export const roleLoader = (upstream: Session): Loader<KnownRole> => loaderFromGet((id) => upstream.call(GetRole, { id }), toKnownRole);

/** Grants of roles that come from lists. Separate from the roles' loader, which is primed with the rows of lists. Loading both takes one call. */
export const roleAccessLoader = (upstream: Session): Loader<DirectoryRoleAccess> =>
  loaderFromGet(
    (id) => upstream.call(GetRole, { id }),
    (response) => toKnownRole(response)?.[ACCESS],
  );
