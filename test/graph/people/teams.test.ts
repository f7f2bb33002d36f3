import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const FAILURES = '__typename ... on ValidationError { issues { path code } } ... on MutationError { code message }';
const TEAM = 'rawId name description color memberCount';
const CREATE = `mutation ($input: TeamCreateInput!) { teamCreate(input: $input) { ${FAILURES} ... on TeamCreatePayload { team { ${TEAM} } } } }`;
const UPDATE = `mutation ($input: TeamUpdateInput!) { teamUpdate(input: $input) { ${FAILURES} ... on TeamUpdatePayload { team { ${TEAM} } } } }`;
const printMutation = (
  name: string,
) => `mutation ($input: ${name}Input!) { change: ${name.charAt(0).toLowerCase()}${name.slice(1)}(input: $input) {
  ${FAILURES} ... on ${name}Payload { effect team { memberCount } member { teams(first: 5) { nodes { name } } } } } }`;

const create = async (fields: object = {}) =>
  (await testGraph.execute(CREATE, { input: { name: 'Night shift', ...fields } })).data.teamCreate;
const update = async (teamId: string, fields: object) =>
  (await testGraph.execute(UPDATE, { input: { teamId, ...fields } })).data.teamUpdate;

describe('Team', () => {
  it('lists the members of all teams with one call', async () => {
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

  it('matches a search for its name or description', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ teams(query: "installs", first: 5) { nodes { name } } }'),
    );
    expect([data.teams.nodes, calls]).toEqual([[{ name: 'Field service' }], ['Team/SearchTeams']]);
  });
});

describe('Mutation.teamCreate', () => {
  it('creates a team without members, with a color', async () => {
    const [result, calls] = await testGraph.recordCalls(() => create({ description: 'After ten.', color: '#0A0B0C' }));
    expect(result.team).toEqual({
      rawId: expect.any(String),
      name: 'Night shift',
      description: 'After ten.',
      color: '#0A0B0C',
      memberCount: 0,
    });
    expect(calls).toEqual(['Team/CreateTeam']);
  });

  it('rejects an invalid color', spec('2.7.11'), async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input: { name: 'Blue', color: 'blue' } }));
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['BAD_USER_INPUT', []]);
  });
});

describe('Mutation.teamUpdate', () => {
  it('updates specified fields and preserves the rest', async () => {
    const { team } = await create({ description: 'After ten.', color: '#0A0B0C' });
    expect((await update(team.rawId, { color: '#FFFFFF' })).team).toEqual({ ...team, color: '#FFFFFF' });
    expect(testGraph.sandbox.received.findLast(({ operation }) => operation === 'Team/UpdateTeam')?.request).toEqual({
      id: team.rawId,
      color: '#FFFFFF',
    });
  });

  it('requires at least one field', spec('4.9.27'), async () => {
    const [result, calls] = await testGraph.recordCalls(() => update(demoId('team planning'), {}));
    expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path: [], code: 'REQUIRED' }] });
    expect([result.message, calls]).toEqual([expect.stringContaining('name, description, color'), []]);
  });

  it.each(['name', 'description', 'color'])('rejects null for %s', spec('4.9.28'), async (member) => {
    const [result, calls] = await testGraph.recordCalls(() => update(demoId('team planning'), { [member]: null }));
    expect(result).toMatchObject({ issues: [{ path: [member], code: 'CANNOT_BE_CLEARED' }] });
    expect(calls).toEqual([]);
  });
});

describe('team members', () => {
  it('adds and removes members individually and reports UNCHANGED for repeats', async () => {
    const { team } = await create();
    const input = { teamId: team.rawId, memberId: demoId('member warehouse') };
    const add = async () => (await testGraph.execute(printMutation('TeamMemberAdd'), { input })).data.change;
    const remove = async () => (await testGraph.execute(printMutation('TeamMemberRemove'), { input })).data.change;
    const withMember = { team: { memberCount: 1 }, member: { teams: { nodes: [{ name: 'Night shift' }] } } };
    const withoutMember = { team: { memberCount: 0 }, member: { teams: { nodes: [] } } };
    const [added, calls] = await testGraph.recordCalls(add);
    expect([added, calls]).toMatchObject([{ ...withMember, effect: 'DONE' }, ['Team/GetTeam', 'Team/AddTeamMember']]);
    expect([await add(), await remove(), await remove()]).toMatchObject([
      { ...withMember, effect: 'UNCHANGED' },
      { ...withoutMember, effect: 'DONE' },
      { ...withoutMember, effect: 'UNCHANGED' },
    ]);
  });
});
