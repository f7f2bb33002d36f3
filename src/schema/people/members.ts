import { GetMember } from '../../upstream/contract/generated/operations.ts';
import type { MemberRecordJson, PublicMemberKindJson } from '../../upstream/contract/generated/publicapi/v1/members_pb.ts';
import { Actor } from '../kit/actors.ts';
import { builder } from '../kit/builder.ts';
import { follow } from '../kit/edges.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const MemberKind = wireEnum<PublicMemberKindJson>()('MemberKind', {
  description: 'Whether a member is a person or a program.',
  prefix: 'PUBLIC_MEMBER_KIND',
  members: {
    PERSON: 'A person.',
    AGENT: 'An AI agent, or an account that a program works with.',
    OTHER: 'A kind that this graph does not know: see `kindText`.',
  },
});

const record = new RecordFields<MemberRecordJson>('MemberRecord');

export const Member: Entity<MemberRecordJson> = entity('Member', {
  record,
  description:
    'A membership of the workspace. The same account has another one in another workspace. API keys may do what their member may do.',
  operation: GetMember,
  key: 'id',
  root: 'The member of this id; null when there is none.',
  fields: (t) => ({
    displayName: record.requiredText(t, 'name', 'The name that people see.'),
    email: record.text(t, 'email', 'The email address.'),
    ...record.word(t, 'kind', MemberKind, 'Whether it is a person or a program.'),
    isOwner: record.flag(t, 'isOwner', 'Whether it owns the workspace. A workspace keeps one owner at least.'),
    joinedAt: record.dateTime(t, 'joinedAt', 'The moment at which the membership began.'),
  }),
});

builder.objectField(Actor, 'member', (t) =>
  t.field({
    type: Member.ref,
    description: 'The member; null where only the name is told, and when it is no longer a member.',
    resolve: ({ memberId }, _args, context, info) => follow(Member, memberId, context, info),
  }),
);
