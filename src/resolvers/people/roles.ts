import { roleIn } from '../../loaders/roles.ts';
import { builder } from '../../schema/kit/builder.ts';
import { type Binder, inputOf } from '../../schema/kit/inputs.ts';
import { Member } from '../../schema/people/members.ts';
import { ACCESS_AREAS, PermissionLevel, Role, WORKFLOW_AUTOMATION } from '../../schema/people/roles.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import { CreateRole, ListMembers, ListRoles, SearchRoles, UpdateRole } from '../../upstream/contract/generated/operations.ts';
import { listOfParts, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('roles', (t) =>
  t.field(
    searchableList(ListRoles, SearchRoles, {
      description: 'The roles of the workspace, at most the first 100.',
      node: Role,
      query: 'Text to find in names and descriptions.',
    }),
  ),
);

builder.objectField(Role.ref, 'members', (t) =>
  t.field(
    listOfParts(ListMembers, {
      description: 'The members who have this role. Found among the first 100 members: when there are more, the list `isTruncated`.',
      node: Member,
      parts: (member, { id = '' }: { readonly id?: string }) => (member.roleIds?.includes(id) ? [member] : []),
      of: ({ id }) => ({ roleId: id }),
      isServedByKey: true,
    }),
  ),
);

const levels = (f: Binder<typeof messages.DirectoryAccessGrant | typeof messages.DirectoryWorkflowAutomationGrant>) => ({
  level: f.level('How far the members of the role go.', PermissionLevel),
  delegateUpTo: f.delegateUpTo(
    'The highest level that they may grant to others: at most `level`, and at most what the caller may delegate. None when absent.',
    PermissionLevel,
  ),
});

const AccessGrantInput = inputOf(messages.DirectoryAccessGrant, 'How far a role is to go in one area.', levels, 'AccessGrantInput');

const WorkflowAutomationGrantInput = inputOf(
  messages.DirectoryWorkflowAutomationGrant,
  'How far a role is to go in workflow automations.',
  (f) => ({
    ...levels(f),
    allowAiAgents: f.allowAiAgents('Whether automations of its members may use AI agents: takes READ_WRITE as `level`.'),
    delegateAiAgents: f.delegateAiAgents(
      'Whether its members may allow that to others: takes `allowAiAgents`, and READ_WRITE as `delegateUpTo`.',
    ),
  }),
  'WorkflowAutomationGrantInput',
);

const RoleAccessInput = inputOf(
  messages.DirectoryRoleAccess,
  'All grants of a role. An area that is left out gets none.',
  (f) => ({
    ...Object.fromEntries(
      Object.entries(ACCESS_AREAS).map(([name, [member, description]]) => [name, f[member](description, AccessGrantInput)]),
    ),
    workflowAutomation: f.workflowAutomationAccess(WORKFLOW_AUTOMATION, WorkflowAutomationGrantInput),
  }),
  'RoleAccessInput',
);

mutation('roleCreate', CreateRole, {
  description: 'Makes a role, and gives it to nobody. Grants must lie within what the caller may delegate.',
  input: (f) => ({
    name: f.name('The name of the role.'),
    description: f.description('A description of the role.'),
    access: f.access('Its grants; none when absent.', RoleAccessInput),
    isDefault: f.isDefault('Whether new members get it.'),
    requiresTwoFactor: f.requires2fa('Whether its members must sign in with a second factor.'),
  }),
  returns: { role: 'The new role.' },
  answer: (response) => ({ role: roleIn(response) }),
});

mutation('roleUpdate', UpdateRole, {
  description:
    'Replaces the name, all grants and both flags of a role: the last writer wins, since roles have no version. Grants before and after must lie within what the caller may delegate. Roles of the product and that of owners cannot be changed.',
  on: Role,
  input: (f) => ({
    name: f.name('The name of the role.'),
    description: f.description('A description of the role. The earlier one stays when it is absent or empty.'),
    access: f.access('All grants from now on: `{}` takes all of them away.', RoleAccessInput),
    isDefault: f.isDefault('Whether new members get it.', { required: true }),
    requiresTwoFactor: f.requires2fa('Whether its members must sign in with a second factor.', { required: true }),
  }),
  returns: { role: 'The role as it is now.' },
  answer: (response) => ({ role: roleIn(response) }),
});
