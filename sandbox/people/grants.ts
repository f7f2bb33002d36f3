import { create } from '@bufbuild/protobuf';
import {
  type DirectoryRoleAccess,
  DirectoryRoleAccessSchema,
  PublicDirectoryPermissionLevel as PermissionLevel,
} from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { invalidArgument } from '../kernel/errors.ts';
import { type GrantRow, grantTable } from '../kernel/memberships.ts';
import { ACCESSES, type Access } from '../kernel/permissions.ts';
import type { Store } from '../kernel/store.ts';

/** A role's level of access in one area. */
export type Grant = Omit<GrantRow, 'role_id'>;

function checkGrant({ access, level, delegate_up_to, allow_ai_agents, delegate_ai_agents }: Grant): void {
  if (delegate_up_to > level) throw invalidArgument(`access.${access}.delegateUpTo must not exceed the level of the grant.`);
  if (allow_ai_agents && level < PermissionLevel.READ_WRITE)
    throw invalidArgument(`access.${access}.allowAiAgents requires a level of READ_WRITE or higher.`);
  if (delegate_ai_agents && !(allow_ai_agents && delegate_up_to >= PermissionLevel.READ_WRITE)) {
    throw invalidArgument(`access.${access}.delegateAiAgents requires allowAiAgents, and delegateUpTo READ_WRITE or higher.`);
  }
}

function parseGrant(access: Access, request: DirectoryRoleAccess): Grant | undefined {
  const given = request[access];
  if (!given) return undefined;
  const flags = 'allowAiAgents' in given ? given : undefined;
  const grant = {
    access,
    level: given.level,
    delegate_up_to: given.delegateUpTo || PermissionLevel.NONE,
    allow_ai_agents: Number(flags?.allowAiAgents ?? false),
    delegate_ai_agents: Number(flags?.delegateAiAgents ?? false),
  };
  checkGrant(grant);
  return grant;
}

/** The requested grants. Throws if they are contradictory. NONE is equivalent to no grant. */
export const parseGrants = (request: DirectoryRoleAccess | undefined): Grant[] =>
  ACCESSES.flatMap((access) => (request && parseGrant(access, request)) ?? []).filter(({ level }) => level > PermissionLevel.NONE);

export const listRoleGrants = (store: Store, roleId: string): Grant[] => grantTable.list(store, { role_id: roleId }, 'rowid');

/** Replaces all grants of a role. */
export function replaceGrants(store: Store, roleId: string, grants: readonly Grant[]): void {
  store.run('DELETE FROM role_grants WHERE role_id = :roleId', { roleId });
  for (const grant of grants) grantTable.insert(store, { ...grant, role_id: roleId });
}

/** The access of a role, as returned by operations. */
export function getAccess(store: Store, roleId: string): DirectoryRoleAccess {
  const grants = listRoleGrants(store, roleId).map(({ access, level, delegate_up_to, allow_ai_agents, delegate_ai_agents }) => {
    const plain = { level, delegateUpTo: delegate_up_to };
    const flags = { allowAiAgents: allow_ai_agents === 1, delegateAiAgents: delegate_ai_agents === 1 };
    return [access, access === 'workflowAutomationAccess' ? { ...plain, ...flags } : plain];
  });
  return create(DirectoryRoleAccessSchema, Object.fromEntries(grants));
}
