import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { INVALID, MISSING, summarizeError } from '../errors.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const { call } = useSandbox();

async function createTeam(request: object = {}) {
  const { status, body } = await call('Team/CreateTeam', { name: 'Made', description: 'For a test.', color: '#A1b2C3', ...request });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.team;
}

const get = async (id: string) => (await call('Team/GetTeam', { id })).body.team;

describe('team', () => {
  it('has no members when it’s created', spec('2.7.11', '4.9.26'), async () => {
    const team = await createTeam();
    expect(team).toMatchObject({ name: 'Made', description: 'For a test.', color: '#A1b2C3' });
    expect(team.memberIds ?? []).toEqual([]);
    expect((await createTeam({ color: undefined })).color).toMatch(/^#[0-9A-F]{6}$/);
  });

  it.each([{ name: 'Renamed' }, { description: 'Changed.' }, { color: '#000000' }, { name: 'Renamed', color: '#000000' }])(
    'preserves its other fields when %j is updated',
    spec('4.9.25', '4.9.29'),
    async (change) => {
      const team = await createTeam();
      await call('Team/AddTeamMember', { teamId: team.id, memberId: demoId('member sales') });
      const expected = { ...team, memberIds: [demoId('member sales')], ...change };
      expect((await call('Team/UpdateTeam', { id: team.id, ...change })).body.team).toEqual(expected);
      expect(await get(team.id)).toEqual(expected);
    },
  );

  it.each([
    ['nothing', {}],
    ['a blank name', { name: ' ' }],
    ['a name of 51 characters', { name: 'x'.repeat(51) }],
    ['an empty description', { description: '' }],
    ['a description of 1,001 characters', { description: 'x'.repeat(1_001) }],
    ['a color of three digits', { color: '#FFF' }],
    ['a color without #', { color: 'FFFFFF' }],
    ['an invalid color', { color: '#GGGGGG' }],
  ])('rejects an update with %s', spec('4.9.27', '4.9.28', '8.8'), async (_case, change) => {
    const team = await createTeam();
    expect(summarizeError(await call('Team/UpdateTeam', { id: team.id, ...change }))).toEqual(INVALID);
    expect(await get(team.id)).toEqual(team);
  });

  it('adds and removes a member, even if repeated, without affecting other teams and roles', spec('4.9.31'), async () => {
    const team = await createTeam();
    const memberId = demoId('member planner');
    const ids = { teamId: team.id, memberId };
    const { member: before } = (await call('Member/GetMember', { id: memberId })).body;
    for (const _time of ['once', 'twice']) {
      const { body } = await call('Team/AddTeamMember', ids);
      expect(body).toMatchObject({ team: { memberIds: [memberId] }, member: { ...before, teamIds: [...before.teamIds, team.id] } });
    }
    for (const _time of ['once', 'twice']) {
      const { body } = await call('Team/RemoveTeamMember', ids);
      expect(body.member).toEqual(before);
      expect(body.team.memberIds ?? []).toEqual([]);
    }
  });

  it.each(['Team/AddTeamMember', 'Team/RemoveTeamMember'])('returns not found for an unknown team or member: %s', async (operation) => {
    const ids = { teamId: demoId('team sales'), memberId: demoId('member planner') };
    expect(summarizeError(await call(operation, { ...ids, teamId: 'nothing' }))).toEqual(MISSING);
    expect(summarizeError(await call(operation, { ...ids, memberId: 'absent' }))).toEqual(MISSING);
  });

  it('can be listed by name, and searched by name and description', spec('4.9.30'), async () => {
    await createTeam({ name: 'Zebra', description: 'Striped.' });
    const names = (body: { teams?: { name: string }[] }) => (body.teams ?? []).map(({ name }) => name);
    const all = names((await call('Team/ListTeams', {})).body);
    expect(all).toEqual(all.toSorted());
    expect(names((await call('Team/ListTeams', { pageSize: 2 })).body)).toEqual(all.slice(0, 2));
    for (const query of ['zEB', 'striped']) expect(names((await call('Team/SearchTeams', { query })).body)).toEqual(['Zebra']);
  });
});
