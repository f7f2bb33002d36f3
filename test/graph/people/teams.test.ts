import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const FAILURES = '__typename ... on ValidationError { issues { path code } } ... on MutationError { code message }';
const TEAM = 'rawId name description color memberCount';
const CREATE = `mutation ($input: TeamCreateInput!) { teamCreate(input: $input) { ${FAILURES} ... on TeamCreatePayload { team { ${TEAM} } } } }`;
const UPDATE = `mutation ($input: TeamUpdateInput!) { teamUpdate(input: $input) { ${FAILURES} ... on TeamUpdatePayload { team { ${TEAM} } } } }`;
const changeOf = (
  name: string,
) => `mutation ($input: ${name}Input!) { change: ${name.charAt(0).toLowerCase()}${name.slice(1)}(input: $input) {
  ${FAILURES} ... on ${name}Payload { effect team { memberCount } member { teams(first: 5) { nodes { name } } } } } }`;

const create = async (fields: object = {}) =>
  (await testGraph.execute(CREATE, { input: { name: 'Night shift', ...fields } })).data.teamCreate;
const update = async (teamId: string, fields: object) =>
  (await testGraph.execute(UPDATE, { input: { teamId, ...fields } })).data.teamUpdate;

describe('a team', () => {
  it('has its members, found in one call for all teams', async () => {
    const query = '{ teams(first: 5) { nodes { name memberCount members(first: 10) { isTruncated nodes { displayName } } } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([errors, calls]).toEqual([undefined, ['Team/ListTeams', 'Member/ListMembers']]);
    for (const { memberCount, members } of data.teams.nodes) expect(members.nodes).toHaveLength(memberCount);
    const planning = data.teams.nodes.find(({ name }: { name: string }) => name === 'Planning');
    expect(planning.members).toEqual({
      isTruncated: false,
      nodes: expect.arrayContaining([{ displayName: 'Chloé Claes' }, { displayName: 'Hugo Huber' }]),
    });
  });

  it('is found by a text in its name or description', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ teams(query: "installs", first: 5) { nodes { name } } }'),
    );
    expect([data.teams.nodes, calls]).toEqual([[{ name: 'Field service' }], ['Team/SearchTeams']]);
  });
});

describe('Mutation.teamCreate', () => {
  it('makes a team without members, in a colour', async () => {
    const [answer, calls] = await testGraph.recordCalls(() => create({ description: 'After ten.', color: '#0A0B0C' }));
    expect(answer.team).toEqual({
      rawId: expect.any(String),
      name: 'Night shift',
      description: 'After ten.',
      color: '#0A0B0C',
      memberCount: 0,
    });
    expect(calls).toEqual(['Team/CreateTeam']);
  });

  it('takes no colour that is none', spec('2.7.11'), async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input: { name: 'Blue', color: 'blue' } }));
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['BAD_USER_INPUT', []]);
  });
});

describe('Mutation.teamUpdate', () => {
  it('changes what is given and keeps the rest', async () => {
    const { team } = await create({ description: 'After ten.', color: '#0A0B0C' });
    expect((await update(team.rawId, { color: '#FFFFFF' })).team).toEqual({ ...team, color: '#FFFFFF' });
    expect(testGraph.sandbox.received.findLast(({ operation }) => operation === 'Team/UpdateTeam')?.request).toEqual({
      id: team.rawId,
      color: '#FFFFFF',
    });
  });

  it('must be given something', spec('4.9.27'), async () => {
    const [answer, calls] = await testGraph.recordCalls(() => update(demoId('team planning'), {}));
    expect(answer).toMatchObject({ __typename: 'ValidationError', issues: [{ path: [], code: 'REQUIRED' }] });
    expect([answer.message, calls]).toEqual([expect.stringContaining('name, description, color'), []]);
  });

  it.each(['name', 'description', 'color'])('does not clear %s', spec('4.9.28'), async (member) => {
    const [answer, calls] = await testGraph.recordCalls(() => update(demoId('team planning'), { [member]: null }));
    expect(answer).toMatchObject({ issues: [{ path: [member], code: 'CANNOT_BE_CLEARED' }] });
    expect(calls).toEqual([]);
  });
});

describe('the members of a team', () => {
  it('are added and removed one by one, and a repeat changes nothing', async () => {
    const { team } = await create();
    const input = { teamId: team.rawId, memberId: demoId('member warehouse') };
    const add = async () => (await testGraph.execute(changeOf('TeamMemberAdd'), { input })).data.change;
    const remove = async () => (await testGraph.execute(changeOf('TeamMemberRemove'), { input })).data.change;
    const isIn = { team: { memberCount: 1 }, member: { teams: { nodes: [{ name: 'Night shift' }] } } };
    const isOut = { team: { memberCount: 0 }, member: { teams: { nodes: [] } } };
    const [added, calls] = await testGraph.recordCalls(add);
    expect([added, calls]).toMatchObject([{ ...isIn, effect: 'DONE' }, ['Team/GetTeam', 'Team/AddTeamMember']]);
    expect([await add(), await remove(), await remove()]).toMatchObject([
      { ...isIn, effect: 'UNCHANGED' },
      { ...isOut, effect: 'DONE' },
      { ...isOut, effect: 'UNCHANGED' },
    ]);
  });
});
