import { describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** Returns the operations received while `action` runs, including `Me`. */
async function recordOperations<Result>(action: () => Promise<Result>) {
  const before = testGraph.sandbox.received.length;
  const result = await action();
  return [result, testGraph.sandbox.received.slice(before).map(({ operation }) => operation)] as const;
}

describe('Query.viewer', () => {
  const VIEWER = `{ viewer {
    workspace { rawId name timeZone currencyCode countryCode }
    apiKey { rawId name creator { displayName } expiresAt allowedCidrs }
    scopes
  } }`;

  it('returns the workspace, the key, and its scopes', spec('4.1.1'), async () => {
    const { data } = await testGraph.executeAs('demo-sales', VIEWER);
    const { workspace, apiKey, scopes } = data.viewer;
    expect(workspace).toEqual({
      rawId: demoId('workspace'),
      name: 'Demo Works',
      timeZone: 'Europe/Amsterdam',
      currencyCode: 'EUR',
      countryCode: 'NL',
    });
    expect(apiKey).toEqual({
      rawId: demoId('key demo-sales'),
      name: 'demo-sales',
      creator: { displayName: 'Finn Fischer' },
      expiresAt: null,
      allowedCidrs: [],
    });
    expect(scopes).toEqual(expect.arrayContaining(['me:read', 'customer:read']));
    expect(scopes).not.toContain('catalog:write');
  });

  it('returns when a key expires and which networks can use it', async () => {
    const key = makeKey(testGraph.sandbox.world, { expiresAt: testGraph.sandbox.now + 60, allowedCidrs: ['127.0.0.0/8', '::1/128'] });
    const { data } = await testGraph.executeAs(key, VIEWER);
    expect(data.viewer.apiKey).toMatchObject({ expiresAt: '2026-03-02T09:01:00Z', allowedCidrs: ['127.0.0.0/8', '::1/128'] });
  });

  it('returns FORBIDDEN with reason UNDETERMINED without me:read', async () => {
    const { data, errors } = await testGraph.executeAs('demo-creator', VIEWER);
    expect(data).toEqual({ viewer: null });
    expect(errors).toMatchObject([
      { path: ['viewer'], extensions: { code: 'FORBIDDEN', reason: 'UNDETERMINED', requiredScopes: ['me:read'] } },
    ]);
  });

  it.each(['demo-expired', 'demo-revoked', 'no-such-key'])('returns UNAUTHENTICATED for %s', async (key) => {
    const { data, errors } = await testGraph.executeAs(key, VIEWER);
    expect(data).toEqual({ viewer: null });
    expect(errors).toMatchObject([{ path: ['viewer'], extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('sends no upstream call without an API key', async () => {
    const [{ errors }, calls] = await recordOperations(() => testGraph.executeAs(null, VIEWER));
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' }, message: expect.stringContaining('Authorization: Bearer') }]);
    expect(calls).toEqual([]);
  });
});

describe('Query.companyProfile', () => {
  const PROFILE = `{ companyProfile {
    legalName registrationNumber vatNumber email phone websiteUrl street houseNumber postalCode city countryCode portalUrl } }`;

  it('returns the public company profile in one call', spec('4.1.2'), async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(PROFILE));
    expect(data.companyProfile).toMatchObject({
      legalName: 'Demo Works B.V.',
      registrationNumber: '00112233',
      vatNumber: 'NL001122334B01',
      email: 'hello@example.com',
      phone: '+31205550100',
      websiteUrl: 'https://www.example.com',
      street: 'Havenkade',
      houseNumber: '12',
      postalCode: '1011 AB',
      city: 'Amsterdam',
      countryCode: 'NL',
      portalUrl: 'https://portal.example.com',
    });
    expect(calls).toEqual(['Workspace/GetCompanyProfile']);
  });

  it('leaves the permission check to the upstream, because the scope isn’t documented', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['customer:read'] });
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, PROFILE));
    expect(data).toEqual({ companyProfile: null });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'UNDETERMINED', requiredScopes: [], missingScopes: [] } }]);
    expect(calls).toEqual(['Workspace/GetCompanyProfile']);
  });

  it('returns null for empty fields', async () => {
    testGraph.sandbox.world.store.run("UPDATE workspaces SET website_url = '', vat_number = '' WHERE id = :id", {
      id: demoId('workspace'),
    });
    const { data } = await testGraph.execute('{ companyProfile { websiteUrl vatNumber } }');
    expect(data.companyProfile).toEqual({ websiteUrl: null, vatNumber: null });
  });
});
