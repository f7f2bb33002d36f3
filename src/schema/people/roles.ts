import { ACCESS, type KnownRole, roleAccessLoader, roleLoader } from '../../loaders/roles.ts';
import { decodeDirectoryAccessGrant, decodeDirectoryWorkflowAutomationGrant } from '../../upstream/contract/generated/decoders.ts';
import { GetRole } from '../../upstream/contract/generated/operations.ts';
import type { PublicDirectoryPermissionLevelJson, PublicRoleKindJson } from '../../upstream/contract/generated/publicapi/v1/roles_pb.ts';
import type {
  DirectoryAccessGrant,
  DirectoryRoleAccess,
  DirectoryWorkflowAutomationGrant,
} from '../../upstream/contract/generated/records.ts';
import type { ObjectFields } from '../kit/builder.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const RoleKind = wireEnum<PublicRoleKindJson>()('RoleKind', {
  description: 'Who created a role: a member or the product.',
  prefix: 'PUBLIC_ROLE_KIND',
  members: {
    CUSTOM: 'Created by a member. The only kind that `roleUpdate` can change.',
    SYSTEM: 'Built in.',
    OWNER: 'The built-in role of workspace owners.',
    OTHER: 'A value that isn’t in this schema yet. See `kindText`.',
  },
});

export const PermissionLevel = wireEnum<PublicDirectoryPermissionLevelJson>()('PermissionLevel', {
  description: 'An access level of a role in one area. Each level includes the previous ones.',
  prefix: 'PUBLIC_DIRECTORY_PERMISSION_LEVEL',
  members: {
    NONE: 'No access.',
    READ_ONLY: 'Can read.',
    READ_WRITE: 'Can read and write.',
    FULL_ACCESS: 'Can do everything.',
    OTHER: 'A value that isn’t in this schema yet. See `levelText` or `delegateUpToText`.',
  },
});

type LeveledGrant = Pick<DirectoryAccessGrant, 'level' | 'delegateUpTo'>;

/** The levels of a grant. One that is left out is none. */
const levelFields = <Grant extends LeveledGrant>(t: ObjectFields<Grant>, grant: RecordFields<Grant>) => ({
  ...grant.word(t, 'level' as never, PermissionLevel, 'Access level of members with this role.', { absent: 'NONE' }),
  ...grant.word(
    t,
    'delegateUpTo' as never,
    PermissionLevel,
    'Highest access level that members can grant to others. `NONE` if they can’t grant any.',
    {
      absent: 'NONE',
    },
  ),
});

const plainGrant = new RecordFields<DirectoryAccessGrant>('DirectoryAccessGrant');

const AccessGrant = plainGrant.type('AccessGrant', {
  description: 'Permissions of a role in one area.',
  fields: (t) => levelFields(t, plainGrant),
});

const automationGrant = new RecordFields<DirectoryWorkflowAutomationGrant>('DirectoryWorkflowAutomationGrant');

const WorkflowAutomationGrant = automationGrant.type('WorkflowAutomationGrant', {
  description: 'Permissions of a role in workflow automations.',
  fields: (t) => ({
    ...levelFields(t, automationGrant),
    allowAiAgents: automationGrant.flag(t, 'allowAiAgents', 'Whether the members’ automations can use AI agents.'),
    delegateAiAgents: automationGrant.flag(t, 'delegateAiAgents', 'Whether members can grant `allowAiAgents` to others.'),
  }),
});

/** The grants of a role for areas that its record leaves out. */
const NO_ACCESS = decodeDirectoryAccessGrant({});
const NO_AUTOMATION = decodeDirectoryWorkflowAutomationGrant({});

const access = new RecordFields<DirectoryRoleAccess>('DirectoryRoleAccess');

/** The areas that roles give access to, each with the member of the contract and a description. */
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

const RoleAccess = access.type('RoleAccess', {
  description: 'Permissions of a role, per area.',
  fields: (t) => ({
    ...Object.fromEntries(
      Object.entries(ACCESS_AREAS).map(([name, [member, description]]) => [
        name,
        t.field({
          type: AccessGrant,
          nullable: false,
          ...access.mark(member, description),
          resolve: ({ [member]: grant = NO_ACCESS }) => grant,
        }),
      ]),
    ),
    workflowAutomation: t.field({
      type: WorkflowAutomationGrant,
      nullable: false,
      ...access.mark('workflowAutomationAccess', WORKFLOW_AUTOMATION),
      resolve: ({ workflowAutomationAccess: grant = NO_AUTOMATION }) => grant,
    }),
  }),
});

const record = new RecordFields<KnownRole>('RoleRecord');

export const Role: Entity<KnownRole> = entity('Role', {
  record,
  description: 'A role: the permissions of its members, and the permissions that they can delegate.',
  operation: GetRole,
  loader: roleLoader,
  key: 'id',
  root: 'Looks up a role by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'Name of the role.'),
    description: record.text(t, 'description', 'Description of the role.'),
    ...record.word(t, 'kind', RoleKind, 'Who created the role: a member or the product.'),
    isDefault: record.flag(t, 'isDefault', 'Whether new members are assigned this role.'),
    requiresTwoFactor: record.flag(t, 'requires2fa', 'Whether members with this role must use two-factor authentication.'),
    createdAt: record.dateTime(t, 'createdAt', 'When the role was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the role was last updated.'),
    access: t.field({
      type: RoleAccess,
      description: 'Permissions granted by the role. In a list of roles, costs one upstream call per role.',
      extensions: { calls: GetRole, ...NULL_ONLY_WITH_ERROR },
      resolve: async (role, _args, context) => {
        if (role[ACCESS]) return role[ACCESS];
        await context.upstream.requireScopes(GetRole);
        return context.loaders.of(roleAccessLoader).load(role.id);
      },
    }),
  }),
});
