import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MemberRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { PublicRoleKind } from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { type TeamRecord, TeamRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/teams_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { memberTable } from '../kernel/memberships.ts';
import type { Store } from '../kernel/store.ts';
import { plainTable, type RowOf, table } from '../kernel/table.ts';

export const teamTable = table('teams', TeamRecordSchema, { also: { workspace_id: 'TEXT' } });

export const teamMemberTable = plainTable(
  'team_members',
  { team_id: 'TEXT', member_id: 'TEXT' },
  { key: ['team_id', 'member_id'], references: { team_id: teamTable, member_id: memberTable }, indexes: { teams_of_member: 'member_id' } },
);

export type MemberRow = RowOf<typeof memberTable>;
export type TeamRow = RowOf<typeof teamTable>;

/** Looks up a member by ID. Throws if the workspace doesn't contain it. */
export const getMember = (call: CallContext, id: string): MemberRow => memberTable.getOrThrow(call, id, 'member');

/** Looks up a team by ID. Throws if the workspace doesn't contain it. */
export const getTeam = (call: CallContext, id: string): TeamRow => teamTable.getOrThrow(call, id, 'team');

/** The roles of a member, in the order of assignment. */
export const listMemberRoles = (store: Store, memberId: string): { readonly id: string; readonly kind: PublicRoleKind }[] =>
  store.all('SELECT id, kind FROM member_roles JOIN roles ON roles.id = role_id WHERE member_id = :memberId ORDER BY member_roles.rowid', {
    memberId,
  });

/** Whether one of these roles is an owner role. */
export const includesOwnerRole = (roles: readonly { readonly kind: PublicRoleKind }[]): boolean =>
  roles.some(({ kind }) => kind === PublicRoleKind.OWNER);

export function toMember(store: Store, row: MemberRow): MessageInitShape<typeof MemberRecordSchema> {
  const roles = listMemberRoles(store, row.id);
  return {
    ...memberTable.read(row),
    roleIds: roles.map(({ id }) => id),
    teamIds: teamMemberTable.list(store, { member_id: row.id }, 'rowid').map(({ team_id }) => team_id),
    isOwner: includesOwnerRole(roles),
  };
}

export const toTeam = (store: Store, row: TeamRow): Omit<TeamRecord, '$typeName'> => ({
  ...teamTable.read(row),
  memberIds: teamMemberTable.list(store, { team_id: row.id }, 'rowid').map(({ member_id }) => member_id),
});
