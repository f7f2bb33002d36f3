import { hashKey, keyTable } from '../../sandbox/kernel/keys.ts';
import { grantTable, memberRoleTable, memberTable, roleTable } from '../../sandbox/kernel/memberships.ts';
import { ACCESSES, type Access, type Permission } from '../../sandbox/kernel/permissions.ts';
import { createUuid } from '../../sandbox/kernel/random.ts';
import type { Store } from '../../sandbox/kernel/store.ts';
import { roleViewTable, viewTable } from '../../sandbox/kernel/visibility.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { DEMO_KEYS } from '../../sandbox/workspace/workspaceDemo.ts';
import { PublicMemberKind } from '../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import {
  PublicDirectoryPermissionLevel as PermissionLevel,
  PublicRoleKind,
} from '../../src/upstream/contract/generated/publicapi/v1/roles_pb.ts';

const owner = DEMO_KEYS.find(({ key }) => key === 'demo-owner');

/** All scopes. */
export const ALL_SCOPES: readonly string[] = owner?.scopes ?? [];

const EVERYTHING = ACCESSES.map((access): Permission => `${access}:FULL_ACCESS`);

interface KeyTraits {
  readonly scopes?: readonly string[];
  /** Permissions of a new member, who has a new role. Defaults to the owner's. */
  readonly permissions?: readonly Permission[];
  /** The Customer View that a new role selects. The role has all permissions unless `permissions` is set. */
  readonly view?: { readonly customers: 'all' | 'teams'; readonly fields?: readonly string[] };
  /** A member of the demo workspace, such as `planner`. Defaults to the owner. */
  readonly member?: string;
  readonly allowedCidrs?: readonly string[];
  /** Unix seconds. */
  readonly expiresAt?: number;
}

let made = 0;

/** Adds a member to the demo workspace, with a role that grants these permissions. Returns the member's ID. */
function makeMember(store: Store, workspaceId: string, name: string, permissions: readonly Permission[]): string {
  const [id, roleId] = [`member ${name}`, `role ${name}`];
  memberTable.insert(store, {
    id,
    workspace_id: workspaceId,
    name,
    email: `${name}@example.com`,
    kind: PublicMemberKind.PERSON,
    joined_at: 0,
  });
  roleTable.insert(store, {
    id: roleId,
    workspace_id: workspaceId,
    name,
    description: '',
    kind: PublicRoleKind.CUSTOM,
    is_default: 0,
    requires_2fa: 0,
    created_at: 0,
    updated_at: 0,
  });
  for (const permission of permissions) {
    const [access, level] = permission.split(':') as [Access, keyof typeof PermissionLevel];
    const plain = { delegate_up_to: PermissionLevel.NONE, allow_ai_agents: 0, delegate_ai_agents: 0 };
    grantTable.insert(store, { ...plain, role_id: roleId, access, level: PermissionLevel[level] });
  }
  memberRoleTable.insert(store, { member_id: id, role_id: roleId });
  return id;
}

function selectView(store: Store, workspaceId: string, name: string, { customers, fields }: NonNullable<KeyTraits['view']>): void {
  const id = `view ${name}`;
  viewTable.insert(store, { id, workspace_id: workspaceId, name, customers, fields: fields ? JSON.stringify(fields) : null });
  roleViewTable.insert(store, { role_id: `role ${name}`, view_id: id });
}

/** Adds an API key to the demo workspace, with all scopes and permissions that `traits` doesn't restrict. Returns the key. */
export function makeKey(
  { store, seed }: World,
  { scopes, view, permissions = view && EVERYTHING, member = 'owner', allowedCidrs, expiresAt }: KeyTraits = {},
): string {
  made += 1;
  const key = `test-key-${made}`;
  const workspaceId = createUuid(seed, 'demo workspace');
  const memberId = permissions ? makeMember(store, workspaceId, key, permissions) : createUuid(seed, `demo member ${member}`);
  if (view) selectView(store, workspaceId, key, view);
  keyTable.insert(store, {
    id: `key ${key}`,
    hash: hashKey(key),
    name: key,
    member_id: memberId,
    scopes: JSON.stringify(scopes ?? ALL_SCOPES),
    allowed_cidrs: JSON.stringify(allowedCidrs ?? []),
    expires_at: expiresAt ?? null,
    revoked_at: null,
  });
  return key;
}
