import { MemberRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { RoleRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { ACCESSES, type Access, computePermissions, type Permission } from './permissions.ts';
import type { Store } from './store.ts';
import { plainTable, type RowOf, table } from './table.ts';

/** The members of each workspace. Removing a member deletes its row and its keys. */
export const memberTable = table('members', MemberRecordSchema, {
  also: { workspace_id: 'TEXT' },
  without: ['isOwner'],
});

export const roleTable = table('roles', RoleRecordSchema, {
  also: { workspace_id: 'TEXT' },
  names: { requires2fa: 'requires_2fa' },
});

/** The grants of each role. A missing row means no access to the area. Levels are those of the contract, in ascending order. */
export const grantTable = plainTable(
  'role_grants',
  {
    role_id: 'TEXT',
    access: ACCESSES,
    level: 'INTEGER',
    delegate_up_to: 'INTEGER',
    allow_ai_agents: 'INTEGER',
    delegate_ai_agents: 'INTEGER',
  },
  { key: ['role_id', 'access'], references: { role_id: roleTable } },
);

export type GrantRow = RowOf<typeof grantTable>;

export const memberRoleTable = plainTable(
  'member_roles',
  { member_id: 'TEXT', role_id: 'TEXT' },
  { key: ['member_id', 'role_id'], references: { member_id: memberTable, role_id: roleTable }, indexes: { members_of_role: 'role_id' } },
);

/** All grants of a member's roles, for each area. */
export const listGrants = (store: Store, memberId: string): GrantRow[] =>
  store.all<GrantRow>('SELECT role_grants.* FROM member_roles JOIN role_grants USING (role_id) WHERE member_id = :memberId', { memberId });

/** A member's current permissions: for each area, the highest level of any role. */
export function getPermissions(store: Store, memberId: string): ReadonlySet<Permission> {
  const levels = store.all<{ readonly access: Access; readonly level: number }>(
    'SELECT access, max(level) AS level FROM member_roles JOIN role_grants USING (role_id) WHERE member_id = :memberId GROUP BY access',
    { memberId },
  );
  return computePermissions(new Map(levels.map(({ access, level }) => [access, level])));
}
