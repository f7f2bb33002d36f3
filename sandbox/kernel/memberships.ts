import { MemberRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { RoleRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { ACCESSES, type Access, type Permission, permissionsFrom } from './permissions.ts';
import type { Store } from './store.ts';
import { plainTable, type RowOf, table } from './table.ts';

/** The members of each workspace. A removed one has no row any more, and no keys. */
export const memberTable = table('members', MemberRecordSchema, {
  also: { workspace_id: 'TEXT' },
  without: ['isOwner'],
});

export const roleTable = table('roles', RoleRecordSchema, {
  also: { workspace_id: 'TEXT' },
  names: { requires2fa: 'requires_2fa' },
});

/** The grants of each role. An area without a row is not granted. Levels are those of the contract, which rise. */
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

/** All grants of a member's roles, area by area. */
export const grantsOf = (store: Store, memberId: string): GrantRow[] =>
  store.all<GrantRow>('SELECT role_grants.* FROM member_roles JOIN role_grants USING (role_id) WHERE member_id = :memberId', { memberId });

/** The permissions of a member at this moment: in each area, the highest level of the roles. */
export function permissionsOf(store: Store, memberId: string): ReadonlySet<Permission> {
  const levels = store.all<{ readonly access: Access; readonly level: number }>(
    'SELECT access, max(level) AS level FROM member_roles JOIN role_grants USING (role_id) WHERE member_id = :memberId GROUP BY access',
    { memberId },
  );
  return permissionsFrom(new Map(levels.map(({ access, level }) => [access, level])));
}
