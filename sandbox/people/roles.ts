import { PublicRoleKind, Role } from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { grantTable, memberRoleTable, roleTable } from '../kernel/memberships.ts';
import { domain } from '../kernel/service.ts';
import type { RowOf } from '../kernel/table.ts';
import { requireDelegable } from './delegation.ts';
import { getAccess, listRoleGrants, parseGrants, replaceGrants } from './grants.ts';

type RoleRow = RowOf<typeof roleTable>;

/** Looks up a role by ID. Throws if the workspace doesn't contain it. */
const getRole = (call: CallContext, id: string): RoleRow => roleTable.getOrThrow(call, id, 'role');

/** The distinct IDs. Throws if the workspace doesn't contain one of the roles. */
export const requireRoles = (call: CallContext, ids: readonly string[]): string[] => [...new Set(ids)].map((id) => getRole(call, id).id);

const PROTECTED: Readonly<Partial<Record<PublicRoleKind, string>>> = {
  [PublicRoleKind.SYSTEM]: 'a system role',
  [PublicRoleKind.OWNER]: 'the owner role',
};

function requireCustom({ kind, name }: RoleRow): void {
  const reason = PROTECTED[kind];
  if (reason) throw failedPrecondition(`${name} is ${reason} and can’t be updated.`);
}

const readRole = (call: CallContext, id: string) => ({ role: roleTable.read(getRole(call, id)), access: getAccess(call.store, id) });

export const roles = domain(Role, {
  tables: [roleTable, grantTable, memberRoleTable],
  handlers: {
    getRole: {
      permission: 'roleAccess:READ_ONLY',
      run: ({ id }, call) => readRole(call, id),
    },

    createRole: {
      permission: 'roleAccess:READ_WRITE',
      run: ({ name, description, access, isDefault, requires2fa }, call) => {
        const grants = parseGrants(access);
        requireDelegable(call, grants);
        const id = call.id();
        roleTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          name,
          description,
          kind: PublicRoleKind.CUSTOM,
          is_default: Number(isDefault),
          requires_2fa: Number(requires2fa),
          created_at: call.now,
          updated_at: call.now,
        });
        replaceGrants(call.store, id, grants);
        return readRole(call, id);
      },
    },

    updateRole: {
      permission: 'roleAccess:READ_WRITE',
      run: ({ id, name, description, access, isDefault, requires2fa }, call) => {
        const grants = parseGrants(access);
        const role = getRole(call, id);
        requireCustom(role);
        requireDelegable(call, [...listRoleGrants(call.store, id), ...grants]);
        roleTable.update(call.store, id, {
          name,
          description: description || role.description,
          is_default: Number(isDefault),
          requires_2fa: Number(requires2fa),
          updated_at: call.now,
        });
        replaceGrants(call.store, id, grants);
        return readRole(call, id);
      },
    },

    listRoles: {
      permission: 'roleAccess:READ_ONLY',
      run: (request, call) => ({ roles: roleTable.page(call, request, {}, 'name, id').rows.map(roleTable.read) }),
    },

    searchRoles: {
      permission: 'roleAccess:READ_ONLY',
      run: (request, call) => {
        const { rows } = call.page<RoleRow>(
          request,
          `SELECT * FROM roles
           WHERE workspace_id = :workspaceId AND (${createContainsSql('name')} OR ${createContainsSql('description')}) ORDER BY name, id`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { roles: rows.map(roleTable.read) };
      },
    },
  },
});
