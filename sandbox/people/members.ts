import { Member } from '../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { PublicRoleKind } from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { memberRoleTable, memberTable, roleTable } from '../kernel/memberships.ts';
import { domain } from '../kernel/service.ts';
import { requireDelegableRoles } from './delegation.ts';
import { getMember, includesOwnerRole, listMemberRoles, type MemberRow, toMember } from './memberRecords.ts';
import { requireRoles } from './roles.ts';

/** Throws if the member is the only owner. */
function requireAnotherOwner(call: CallContext, member: MemberRow): void {
  const other = call.store.get(
    `SELECT 1 FROM member_roles JOIN roles ON roles.id = role_id
     WHERE workspace_id = :workspaceId AND kind = :owner AND member_id <> :memberId LIMIT 1`,
    { workspaceId: call.workspaceId, owner: PublicRoleKind.OWNER, memberId: member.id },
  );
  if (!other) throw failedPrecondition(`${member.name} is the last owner of the workspace. Make another member an owner first.`);
}

const isOwnerRole = (call: CallContext, id: string) => roleTable.getOrThrow(call, id, 'role').kind === PublicRoleKind.OWNER;

function replaceRoles(call: CallContext, member: MemberRow, wanted: readonly string[]): void {
  const held = listMemberRoles(call.store, member.id);
  requireDelegableRoles(call, new Set([...held.map(({ id }) => id), ...wanted]));
  if (includesOwnerRole(held) && !wanted.some((id) => isOwnerRole(call, id))) requireAnotherOwner(call, member);
  call.store.run('DELETE FROM member_roles WHERE member_id = :id', { id: member.id });
  for (const roleId of wanted) memberRoleTable.insert(call.store, { member_id: member.id, role_id: roleId });
}

/** Removes a member together with its API keys. */
function remove(call: CallContext, { id }: MemberRow): void {
  for (const table of ['api_keys', 'member_roles', 'team_members']) call.store.run(`DELETE FROM ${table} WHERE member_id = :id`, { id });
  call.store.run('DELETE FROM members WHERE id = :id', { id });
}

export const members = domain(Member, {
  tables: [memberTable],
  handlers: {
    getMember: {
      permission: 'memberAccess:READ_ONLY',
      run: ({ id }, call) => ({ member: toMember(call.store, getMember(call, id)) }),
    },

    listMembers: {
      permission: 'memberAccess:READ_ONLY',
      run: (request, call) => {
        const { rows } = memberTable.page(call, request, {}, 'name, id');
        return { members: rows.map((row) => toMember(call.store, row)) };
      },
    },

    searchMembers: {
      permission: 'memberAccess:READ_ONLY',
      run: (request, call) => {
        const { rows } = call.page<MemberRow>(
          request,
          `SELECT * FROM members
           WHERE workspace_id = :workspaceId AND (${createContainsSql('name')} OR ${createContainsSql('email')}) ORDER BY name, id`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { members: rows.map((row) => toMember(call.store, row)) };
      },
    },

    replaceMemberRoles: {
      permission: 'memberAccess:READ_WRITE',
      run: ({ memberId, roleIds }, call) => {
        const member = getMember(call, memberId);
        replaceRoles(call, member, requireRoles(call, roleIds));
        return { member: toMember(call.store, member) };
      },
    },

    removeMember: {
      permission: 'memberAccess:READ_WRITE',
      run: ({ memberId }, call) => {
        const member = getMember(call, memberId);
        if (member.id === call.principal.memberId)
          throw failedPrecondition('Members can’t remove themselves, and the key belongs to this member.');
        const was = toMember(call.store, member);
        if (was.isOwner) requireAnotherOwner(call, member);
        remove(call, member);
        return { member: was };
      },
    },
  },
});
