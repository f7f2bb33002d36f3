import { ACCESS, type KnownRole, roleAccessLoader, roleLoader } from '../../loaders/roles.ts';
import { GetRole } from '../../upstream/contract/generated/operations.ts';
import type {
  DirectoryAccessGrantJson,
  DirectoryRoleAccessJson,
  DirectoryWorkflowAutomationGrantJson,
  PublicDirectoryPermissionLevelJson,
  PublicRoleKindJson,
} from '../../upstream/contract/generated/publicapi/v1/roles_pb.ts';
import type { ObjectFields } from '../kit/builder.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const RoleKind = wireEnum<PublicRoleKindJson>()('RoleKind', {
  description: 'The origin of a role.',
  prefix: 'PUBLIC_ROLE_KIND',
  members: {
    CUSTOM: 'Made by a member. The only kind that `roleUpdate` changes.',
    SYSTEM: 'Comes with the product.',
    OWNER: 'The role of owners.',
    OTHER: 'A kind that this graph does not know: see `kindText`.',
  },
});

export const PermissionLevel = wireEnum<PublicDirectoryPermissionLevelJson>()('PermissionLevel', {
  description: 'How far a role goes in one area. Each level includes those before it.',
  prefix: 'PUBLIC_DIRECTORY_PERMISSION_LEVEL',
  members: {
    NONE: 'No access.',
    READ_ONLY: 'Reads.',
    READ_WRITE: 'Reads and changes.',
    FULL_ACCESS: 'Does everything.',
    OTHER: 'A level that this graph does not know: see the text beside it.',
  },
});

type LeveledGrant = Pick<DirectoryAccessGrantJson, 'level' | 'delegateUpTo'>;

/** The levels of a grant. One that is left out is none. */
const levelFields = <Grant extends LeveledGrant>(t: ObjectFields<Grant>, grant: RecordFields<Grant>) => ({
  ...grant.word(t, 'level' as never, PermissionLevel, 'How far the members of the role go.', { absent: 'NONE' }),
  ...grant.word(
    t,
    'delegateUpTo' as never,
    PermissionLevel,
    'The highest level that they may grant to others; NONE when they may grant none.',
    {
      absent: 'NONE',
    },
  ),
});

const plainGrant = new RecordFields<DirectoryAccessGrantJson>('DirectoryAccessGrant');

const AccessGrant = plainGrant.type('AccessGrant', {
  description: 'How far a role goes in one area.',
  fields: (t) => levelFields(t, plainGrant),
});

const automationGrant = new RecordFields<DirectoryWorkflowAutomationGrantJson>('DirectoryWorkflowAutomationGrant');

const WorkflowAutomationGrant = automationGrant.type('WorkflowAutomationGrant', {
  description: 'How far a role goes in workflow automations.',
  fields: (t) => ({
    ...levelFields(t, automationGrant),
    allowAiAgents: automationGrant.flag(t, 'allowAiAgents', 'Whether automations of its members may use AI agents.'),
    delegateAiAgents: automationGrant.flag(t, 'delegateAiAgents', 'Whether its members may allow that to others.'),
  }),
});

const access = new RecordFields<DirectoryRoleAccessJson>('DirectoryRoleAccess');

/** The areas that roles give access to, each with the member of the contract and a description. */
export const ACCESS_AREAS = {
  team: ['teamAccess', 'Teams.'],
  board: ['boardAccess', 'The boards. FULL_ACCESS allows all work with customers, orders and the rest of daily business.'],
  member: ['memberAccess', 'Members and invitations.'],
  role: ['roleAccess', 'Roles.'],
  settings: ['settingsAccess', 'The settings of the workspace.'],
  security: ['securityAccess', 'The settings of security.'],
  audit: ['auditAccess', 'The record of what was done.'],
  billing: ['billingAccess', 'Billing.'],
  development: ['developmentAccess', 'API keys and what programs need.'],
  inventory: ['inventoryAccess', 'Stock and its locations.'],
  planning: ['planningAccess', 'Planning.'],
  agentChat: ['agentChatAccess', 'The chat with AI agents. READ_WRITE opens private chats, and gives no access to records or tools.'],
} as const;

export const WORKFLOW_AUTOMATION = 'Workflow automations.';

const RoleAccess = access.type('RoleAccess', {
  description: 'The grants of a role: one for each area.',
  fields: (t) => ({
    ...Object.fromEntries(
      Object.entries(ACCESS_AREAS).map(([name, [member, description]]) => [
        name,
        t.field({
          type: AccessGrant,
          nullable: false,
          ...access.mark(member, description),
          resolve: ({ [member]: grant = {} }) => grant,
        }),
      ]),
    ),
    workflowAutomation: t.field({
      type: WorkflowAutomationGrant,
      nullable: false,
      ...access.mark('workflowAutomationAccess', WORKFLOW_AUTOMATION),
      resolve: ({ workflowAutomationAccess: grant = {} }) => grant,
    }),
  }),
});

const record = new RecordFields<KnownRole>('RoleRecord');

export const Role: Entity<KnownRole> = entity('Role', {
  record,
  description: 'A role: what its members may do, and what they may let others do.',
  operation: GetRole,
  loader: roleLoader,
  key: 'id',
  root: 'The role of this id; null when there is none.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'The name of the role.'),
    description: record.text(t, 'description', 'A description of the role.'),
    ...record.word(t, 'kind', RoleKind, 'The origin of the role.'),
    isDefault: record.flag(t, 'isDefault', 'Whether new members get it.'),
    requiresTwoFactor: record.flag(t, 'requires2fa', 'Whether its members must sign in with a second factor.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    access: t.field({
      type: RoleAccess,
      description: 'Its grants. In lists of roles they take a call for each role.',
      extensions: { calls: GetRole, ...NULL_ONLY_WITH_ERROR },
      resolve: async (role, _args, context) => {
        if (role[ACCESS]) return role[ACCESS];
        await context.upstream.requireScopes(GetRole);
        return context.loaders.of(roleAccessLoader).load(role.id ?? '');
      },
    }),
  }),
});
