import { ACCESS, type KnownRole, roleAccessLoader, roleLoader } from '../../loaders/roles.ts';
import { decodeDirectoryAccessGrant, decodeDirectoryWorkflowAutomationGrant } from '../../upstream/contract/generated/decoders.ts';
import { GetRole } from '../../upstream/contract/generated/operations.ts';
import type {
  DirectoryAccessGrant,
  DirectoryRoleAccess,
  DirectoryWorkflowAutomationGrant,
} from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import type { KeysOf } from '../kit/recordMembers.ts';
import type { RecordFields } from '../kit/records.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';

const RoleKind = defineWireEnum('RoleKind', 'PublicRoleKind', {
  description: 'Who created a role: a member or the product.',
  members: {
    CUSTOM: 'Created by a member. The only kind that `roleUpdate` can change.',
    SYSTEM: 'Built in.',
    OWNER: 'The built-in role of workspace owners.',
    OTHER: 'A value that isn’t in this schema yet. See `kindText`.',
  },
});

export const PermissionLevel = defineWireEnum('PermissionLevel', 'PublicDirectoryPermissionLevel', {
  description: 'An access level of a role in one area. Each level includes the previous ones.',
  members: {
    NONE: 'No access.',
    READ_ONLY: 'Can read.',
    READ_WRITE: 'Can read and write.',
    FULL_ACCESS: 'Can do everything.',
    OTHER: 'A value that isn’t in this schema yet. See `levelText` or `delegateUpToText`.',
  },
});

type LeveledGrant = Pick<DirectoryAccessGrant, 'level' | 'delegateUpTo'>;

/** Defines the access levels of a grant. A missing level is `NONE`. */
const defineLevelFields = <Grant extends LeveledGrant>(f: RecordFields<Grant>) => ({
  ...f.enumWithText('level' as KeysOf<Grant, string>, PermissionLevel, 'Access level of members with this role.', { absent: 'NONE' }),
  ...f.enumWithText(
    'delegateUpTo' as KeysOf<Grant, string>,
    PermissionLevel,
    'Highest access level that members can grant to others. `NONE` if they can’t grant any.',
    { absent: 'NONE' },
  ),
});

const AccessGrant = defineRecordType<DirectoryAccessGrant>('AccessGrant', {
  record: 'DirectoryAccessGrant',
  description: 'Permissions of a role in one area.',
  fields: defineLevelFields,
});

const WorkflowAutomationGrant = defineRecordType<DirectoryWorkflowAutomationGrant>('WorkflowAutomationGrant', {
  record: 'DirectoryWorkflowAutomationGrant',
  description: 'Permissions of a role in workflow automations.',
  fields: (f) => ({
    ...defineLevelFields(f),
    allowAiAgents: f.boolean('allowAiAgents', 'Whether the members’ automations can use AI agents.'),
    delegateAiAgents: f.boolean('delegateAiAgents', 'Whether members can grant `allowAiAgents` to others.'),
  }),
});

/** Default grants, for areas that a role's record omits. */
const NO_ACCESS = decodeDirectoryAccessGrant({});
const NO_AUTOMATION = decodeDirectoryWorkflowAutomationGrant({});

/** Areas that roles grant access to, each with the member in the contract and a description. */
export const ACCESS_AREAS = {
  team: ['teamAccess', 'Access to teams.'],
  board: ['boardAccess', 'Access to boards. `FULL_ACCESS` covers customers, orders and other day-to-day work.'],
  member: ['memberAccess', 'Access to members and invitations.'],
  role: ['roleAccess', 'Access to roles.'],
  settings: ['settingsAccess', 'Access to workspace settings.'],
  security: ['securityAccess', 'Access to security settings.'],
  audit: ['auditAccess', 'Access to the audit log.'],
  billing: ['billingAccess', 'Access to billing.'],
  development: ['developmentAccess', 'Access to API keys and other developer settings.'],
  inventory: ['inventoryAccess', 'Access to stock and its locations.'],
  planning: ['planningAccess', 'Access to planning.'],
  agentChat: ['agentChatAccess', 'Access to AI agent chat. `READ_WRITE` allows private chats, but no access to records or tools.'],
} as const;

export const WORKFLOW_AUTOMATION = 'Access to workflow automations.';

const RoleAccess = defineRecordType<DirectoryRoleAccess>('RoleAccess', {
  record: 'DirectoryRoleAccess',
  description: 'Permissions of a role, per area.',
  fields: (f, t) => ({
    ...Object.fromEntries(
      Object.entries(ACCESS_AREAS).map(([name, [member, description]]) => [
        name,
        t.field({
          type: AccessGrant,
          nullable: false,
          ...f.annotate(member, description),
          resolve: ({ [member]: grant = NO_ACCESS }) => grant,
        }),
      ]),
    ),
    workflowAutomation: t.field({
      type: WorkflowAutomationGrant,
      nullable: false,
      ...f.annotate('workflowAutomationAccess', WORKFLOW_AUTOMATION),
      resolve: ({ workflowAutomationAccess: grant = NO_AUTOMATION }) => grant,
    }),
  }),
});

export const Role: Entity<KnownRole> = defineEntity('Role', {
  record: 'RoleRecord',
  description: 'A role: the permissions of its members, and the permissions that they can delegate.',
  operation: GetRole,
  loader: roleLoader,
  key: 'id',
  root: 'Looks up a role by ID. Null if it doesn’t exist.',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Name of the role.'),
    description: f.string('description', 'Description of the role.'),
    ...f.enumWithText('kind', RoleKind, 'Who created the role: a member or the product.'),
    isDefault: f.boolean('isDefault', 'Whether new members are assigned this role.'),
    requiresTwoFactor: f.boolean('requires2fa', 'Whether members with this role must use two-factor authentication.'),
    createdAt: f.dateTime('createdAt', 'When the role was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the role was last updated.'),
    access: t.field({
      type: RoleAccess,
      description: 'Permissions granted by the role. In a list of roles, costs one upstream call per role.',
      extensions: { calls: GetRole, ...NULL_ONLY_WITH_ERROR },
      resolve: async (role, _args, context) => {
        if (role[ACCESS]) return role[ACCESS];
        await context.upstream.requireScopes(GetRole);
        return context.loaders.get(roleAccessLoader).load(role.id);
      },
    }),
  }),
});
