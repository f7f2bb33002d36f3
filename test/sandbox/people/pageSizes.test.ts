import { expect, it } from 'vitest';
import { memberTable } from '../../../sandbox/kernel/memberships.ts';
import { PublicMemberKind } from '../../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { spec } from '../../support/spec.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call } = opened;

/** Fills each list with more rows than the default page size. Members are inserted into the database, because no operation adds them. */
const FILLINGS: readonly (readonly [operation: string, member: string, add: (at: number) => unknown])[] = [
  ['Member/ListMembers', 'members', (at) => addMember(`member-${at}`)],
  ['Role/ListRoles', 'roles', (at) => call('Role/CreateRole', { name: `Role ${at}`, access: {} })],
  ['Team/ListTeams', 'teams', (at) => call('Team/CreateTeam', { name: `Team ${at}`, description: 'For a test.' })],
  ['Invitation/ListMemberInvitations', 'invitations', (at) => call('Invitation/EmailMemberInvitation', { email: `new.${at}@example.com` })],
];

function addMember(id: string) {
  const { store } = opened.sandbox.world;
  const owner = store.get<{ workspace_id: string }>('SELECT workspace_id FROM members WHERE id = :id', { id: demoId('member owner') });
  if (!owner) throw new Error('The demo data has no owner.');
  const member = { id, name: id, email: `${id}@example.com`, kind: PublicMemberKind.PERSON, joined_at: START };
  memberTable.insert(store, { ...owner, ...member });
}

it.each(FILLINGS)('%s returns 100 rows by default', spec('8.3'), async (operation, member, add) => {
  for (let at = 0; at < 101; at++) await add(at);
  const usual = (await call(operation, {})).body[member];
  expect(usual).toHaveLength(100);
  expect((await call(operation, { pageSize: 100 })).body[member]).toEqual(usual);
});
