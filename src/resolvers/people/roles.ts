import { toKnownRole } from '../../loaders/roles.ts';
import { builder } from '../../schema/kit/builder.ts';
import { type Binder, defineInput } from '../../schema/kit/inputs.ts';
import { Member } from '../../schema/people/members.ts';
import { ACCESS_AREAS, PermissionLevel, Role, WORKFLOW_AUTOMATION } from '../../schema/people/roles.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import { CreateRole, ListMembers, ListRoles, SearchRoles, UpdateRole } from '../../upstream/contract/generated/operations.ts';
import { listOfParts, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('roles', (t) =>
  t.field(
    searchableList(ListRoles, SearchRoles, {
      description: 'Roles of the workspace. Limited to the first 100.',
      node: Role,
      query: 'Text to search for in names and descriptions.',
    }),
  ),
);

builder.objectField(Role.ref, 'members', (t) =>
  t.field(
    listOfParts(ListMembers, {
      description:
        'Members with this role. Searches only the first 100 members of the workspace; if there are more, `isTruncated` is true.',
      node: Member,
      parts: (member, { id }: { readonly id: string }) => (member.roleIds.includes(id) ? [member] : []),
      parentKey: ({ id }) => ({ roleId: id }),
      isServedByKey: true,
    }),
  ),
);

const bindLevelFields = (f: Binder<typeof messages.DirectoryAccessGrant | typeof messages.DirectoryWorkflowAutomationGrant>) => ({
  level: f.level('Access level of members with this role.', PermissionLevel),
  delegateUpTo: f.delegateUpTo(
    'Highest access level that members can grant to others. Can’t exceed `level` or what you can delegate. Defaults to `NONE`.',
    PermissionLevel,
  ),
});

const AccessGrantInput = defineInput(
  messages.DirectoryAccessGrant,
  'Permissions of a role in one area.',
  bindLevelFields,
  'AccessGrantInput',
);

const WorkflowAutomationGrantInput = defineInput(
  messages.DirectoryWorkflowAutomationGrant,
  'Permissions of a role in workflow automations.',
  (f) => ({
    ...bindLevelFields(f),
    allowAiAgents: f.allowAiAgents('Whether the members’ automations can use AI agents. Requires `level` to be `READ_WRITE` or higher.'),
    delegateAiAgents: f.delegateAiAgents(
      'Whether members can grant `allowAiAgents` to others. Requires `allowAiAgents` and `delegateUpTo` to be `READ_WRITE` or higher.',
    ),
  }),
  'WorkflowAutomationGrantInput',
);

const RoleAccessInput = defineInput(
  messages.DirectoryRoleAccess,
  'All permissions of a role. Omitted areas get no access.',
  (f) => ({
    ...Object.fromEntries(
      Object.entries(ACCESS_AREAS).map(([name, [member, description]]) => [name, f[member](description, AccessGrantInput)]),
    ),
    workflowAutomation: f.workflowAutomationAccess(WORKFLOW_AUTOMATION, WorkflowAutomationGrantInput),
  }),
  'RoleAccessInput',
);

mutation('roleCreate', CreateRole, {
  description: 'Creates a role without members. You can only grant permissions that you can delegate.',
  input: (f) => ({
    name: f.name('Name of the role.'),
    description: f.description('Description of the role.'),
    access: f.access('Permissions granted by the role. Defaults to none.', RoleAccessInput),
    isDefault: f.isDefault('Whether new members are assigned this role.'),
    requiresTwoFactor: f.requires2fa('Whether members with this role must use two-factor authentication.'),
  }),
  returns: { role: 'The new role.' },
  payload: { resolve: (response) => ({ role: toKnownRole(response) }) },
});

mutation('roleUpdate', UpdateRole, {
  description:
    'Replaces the name, permissions and flags of a role. Roles aren’t versioned, so the last write wins. You must be able to delegate both the old and the new permissions. Built-in roles can’t be changed.',
  on: Role,
  input: (f) => ({
    name: f.name('Name of the role.'),
    description: f.description('Description of the role. Unchanged if omitted or empty.'),
    access: f.access('All permissions of the role, replacing the current ones. `{}` revokes all of them.', RoleAccessInput),
    isDefault: f.isDefault('Whether new members are assigned this role.', { required: true }),
    requiresTwoFactor: f.requires2fa('Whether members with this role must use two-factor authentication.', { required: true }),
  }),
  returns: { role: 'The updated role.' },
  payload: { resolve: (response) => ({ role: toKnownRole(response) }) },
});
