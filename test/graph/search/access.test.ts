import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { CATALOG, executeSearch, getError, QUERY, SEARCHES, type SearchTraits } from './searches.ts';

const testGraph = useTestGraph();

const ANALYTICS = 'analytics:read';
const READ_SCOPES: Readonly<Record<string, string>> = {
  Order: 'order:read',
  Quote: 'quote:read',
  Payment: 'payment:read',
  WorkOrder: 'work_order:read',
  Problem: 'problem:read',
  Appointment: 'appointment:read',
  Customer: 'customer:read',
};

const SELECTIONS = ['nodes { id }', 'totalCount', '__typename'];

const withScopes = (scopes: readonly string[]) => makeKey(testGraph.sandbox.world, { scopes });

async function expectMissing(traits: SearchTraits, key: string, missingScopes: readonly string[]) {
  for (const selection of SELECTIONS) {
    const [{ result, errors }, calls] = await testGraph.recordCalls(() => executeSearch(testGraph, traits.name, {}, selection, key));
    expect([result ?? null, calls]).toEqual([null, []]);
    expect(getError(errors)).toMatchObject({ code: 'FORBIDDEN', path: ['result'], missingScopes });
  }
}

describe.each(SEARCHES)('$name', (traits) => {
  const scope = READ_SCOPES[traits.type] ?? '';

  it('rejects keys without one of its scopes before any call, whatever is selected', async () => {
    await expectMissing(traits, withScopes(ALL_SCOPES.filter((each) => each !== ANALYTICS)), [ANALYTICS]);
    await expectMissing(traits, withScopes(ALL_SCOPES.filter((each) => each !== scope)), [scope]);
    await expectMissing(traits, withScopes(ALL_SCOPES.filter((each) => each !== scope && each !== ANALYTICS)), [ANALYTICS, scope]);
    await expectMissing(traits, withScopes(['me:read']), [ANALYTICS, scope]);
  });

  it('accepts keys with both scopes and no others', async () => {
    const { result, errors } = await executeSearch(
      testGraph,
      traits.name,
      {},
      'totalCount nodes { id createdAt }',
      withScopes(['me:read', ANALYTICS, scope]),
    );
    expect(errors).toBeUndefined();
    expect(result.nodes.length).toBeGreaterThan(0);
  });

  it.each(['demo-restricted', 'demo-regional', 'demo-subcontractor'])(
    'rejects %s, whose member can’t see everything, after one query',
    async (key) => {
      const { result, errors, calls } = await executeSearch(testGraph, traits.name, {}, 'nodes { id }', key);
      expect([result, calls.filter((call) => call !== CATALOG)]).toEqual([null, [QUERY]]);
      expect(getError(errors)).toMatchObject({ code: 'FORBIDDEN', path: ['result'] });
    },
  );

  it('returns records of the key’s workspace only', async () => {
    const ids = async (key: string) => {
      const { result, errors } = await executeSearch(testGraph, traits.name, { first: 100 }, 'nodes { rawId }', key);
      expect(errors).toBeUndefined();
      return result.nodes.map(({ rawId }: { rawId: string }) => rawId);
    };
    const [own, others] = [await ids('demo-owner'), await ids('demo-neighbour')];
    expect(others.length).toBeGreaterThan(0);
    expect(own.filter((id: string) => others.includes(id))).toEqual([]);
  });
});

it.each(['*', 'analytics:*'])('requires the analytics scope by name, not by %s', async (wildcard) => {
  for (const traits of SEARCHES)
    await expectMissing(traits, withScopes(['me:read', wildcard, READ_SCOPES[traits.type] ?? '']), [ANALYTICS]);
});

it.each(['*', 'order:*'])('lets the upstream decide whether %s includes the scope of the records', async (wildcard) => {
  const key = withScopes(['me:read', ANALYTICS, wildcard]);
  const { errors, calls } = await executeSearch(testGraph, 'orderSearch', { first: 1 }, 'nodes { paid { minorUnits } }', key);
  expect(calls).toEqual([QUERY, 'Order/GetOrder']);
  expect(getError(errors)).toMatchObject({ code: 'FORBIDDEN', reason: 'UNDETERMINED', requiredScopes: ['order:read'] });
});

it('fails with FORBIDDEN for both fields of a count that a restricted member can’t read', async () => {
  const { result, errors } = await executeSearch(testGraph, 'orderSearch', {}, 'totalCount facets { byStatus { count } }', 'demo-regional');
  expect(result).toEqual({ totalCount: null, facets: null });
  expect(errors?.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`).toSorted()).toEqual([
    'result.facets FORBIDDEN',
    'result.totalCount FORBIDDEN',
  ]);
});
