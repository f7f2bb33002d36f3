import { GetMember } from '../../upstream/contract/generated/operations.ts';
import type { MemberRecord } from '../../upstream/contract/generated/records.ts';
import { Actor } from '../kit/actors.ts';
import { builder } from '../kit/builder.ts';
import { followIfExists } from '../kit/edges.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import type { Entity } from '../kit/registry.ts';
import { Role } from './roles.ts';
import { Team } from './teams.ts';

const MemberKind = defineWireEnum('MemberKind', 'PublicMemberKind', {
  description: 'Whether a member is a person or a program.',
  members: {
    PERSON: 'A human member.',
    AGENT: 'An AI agent, or an account used by a program.',
    OTHER: 'A value that isn’t in this schema yet. See `kindText`.',
  },
});

export const Member: Entity<MemberRecord> = defineEntity('Member', {
  record: 'MemberRecord',
  description:
    'A member of the workspace. An account has a separate membership in each workspace. An API key has the permissions of its member.',
  operation: GetMember,
  key: 'id',
  root: 'Looks up a member by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    displayName: f.requiredString('name', 'Human-readable name of the member.'),
    email: f.string('email', 'Email address of the member.'),
    ...f.enumWithText('kind', MemberKind, 'Whether the member is a person or a program.'),
    isOwner: f.boolean('isOwner', 'Whether the member owns the workspace. A workspace always has at least one owner.'),
    roleIds: f.targetIds('roleIds', Role, 'Global IDs of all roles of the member. `memberRolesSet` replaces them.'),
    teamIds: f.targetIds('teamIds', Team, 'Global IDs of all teams of the member.'),
    joinedAt: f.dateTime('joinedAt', 'When the member joined the workspace.'),
  }),
});

builder.objectField(Actor, 'member', (t) =>
  t.field({
    type: Member.ref,
    description: 'Member behind the name. Null if only the name is known, or if they are no longer a member.',
    resolve: ({ memberId }, _args, context, info) => followIfExists(Member, memberId, context, info),
  }),
);
