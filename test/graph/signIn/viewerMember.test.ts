import { afterAll, describe, expect, it } from 'vitest';
import { type Claims, startIdentityProvider } from '../../support/identityProvider.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const provider = await startIdentityProvider();
afterAll(() => provider.close());
const assignments = new AssignmentFile({ alice: { key: 'demo-owner' }, bob: { key: 'demo-owner', scopes: ['me:read'] } });
const testGraph = useTestGraph({}, undefined, { env: createSignInSettings(provider, assignments) });

const QUERY = '{ viewer { member { id displayName email } } }';
const SEARCH = 'Member/SearchMembers';

async function signIn(claims: Claims, subject = 'alice', query = QUERY) {
  const token = await provider.issue(subject, { claims });
  const [result, calls] = await testGraph.recordCalls(() => testGraph.executeAs(token, query));
  return { result, searches: calls.filter((call) => call === SEARCH) };
}

const getMembers = async () => (await testGraph.execute('{ members(first: 50) { nodes { id rawId email } } }')).data.members.nodes;

describe('Viewer.member', () => {
  it('returns the member with the verified email address of the account, in any case', async () => {
    const [, { id, email }] = await getMembers();
    const { result, searches } = await signIn({ email: email.toUpperCase(), email_verified: true });
    expect(result.data.viewer.member).toMatchObject({ id, email });
    expect(searches).toEqual([SEARCH]);
  });

  it.each<[string, Claims]>([
    ['isn’t verified', { email_verified: false }],
    ['is verified according to a text', { email_verified: 'true' }],
    ['isn’t said to be verified', {}],
  ])('returns null without a call if the address %s', async (_, claims) => {
    const [{ email }] = await getMembers();
    const { result, searches } = await signIn({ email, ...claims });
    expect([result.errors, result.data.viewer.member, searches]).toEqual([undefined, null, []]);
  });

  it('returns null for an API key, without a call', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(QUERY));
    expect([errors, data.viewer.member, calls.includes(SEARCH)]).toEqual([undefined, null, false]);
  });

  it.each(['nobody@example.com', 'example.com', '@'])('returns null if no member has the address: %s', async (email) => {
    const { result } = await signIn({ email, email_verified: true });
    expect([result.errors, result.data.viewer.member]).toEqual([undefined, null]);
  });

  it('returns null if several members have the address', async () => {
    const [{ email }, other] = await getMembers();
    const setEmail = (to: string) =>
      testGraph.sandbox.world.store.run('UPDATE members SET email = :to WHERE id = :id', { to, id: other.rawId });
    setEmail(email.toUpperCase());
    const { result } = await signIn({ email, email_verified: true });
    setEmail(other.email);
    expect([result.errors, result.data.viewer.member]).toEqual([undefined, null]);
  });

  it('requires `member:read`, and nothing else of `viewer` does', async () => {
    const { result, searches } = await signIn(
      { email: 'a@example.com', email_verified: true },
      'bob',
      '{ viewer { scopes member { id } } }',
    );
    expect(result.data.viewer).toEqual({ scopes: ['me:read'], member: null });
    expect([result.errors?.[0]?.extensions.missingScopes, searches]).toEqual([['member:read'], []]);
  });
});
