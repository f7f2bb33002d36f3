import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../src/schema/globalIds.ts';
import { useWorld } from './world.ts';

const world = useWorld();

const ALL = '{ dataFields { id rawId name label type currency options attributes } }';

describe('Query.dataFields', () => {
  it('answers every field of the workspace with what its kind has, in one call', async () => {
    const [{ data }, calls] = await world.calls(() => world.graph(ALL));
    const fields = new Map(data.dataFields.map((field: { name: string }) => [field.name, field]));
    expect(fields.get('budget')).toMatchObject({
      id: toGlobalId('DataField', 'budget'),
      rawId: 'budget',
      label: 'Budget',
      type: 'CURRENCY',
      currency: 'EUR',
      options: [],
      attributes: { name: 'budget' },
    });
    expect(fields.get('lead_source')).toMatchObject({
      type: 'SELECT',
      currency: null,
      options: ['website', 'referral', 'fair', 'partner'],
    });
    expect(new Set(data.dataFields.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'CURRENCY', 'LOCATION', 'COMPANY']),
    );
    expect(calls).toEqual(['DataField/ListDataFields']);
  });

  it('takes datafield:read', async () => {
    const [{ data, errors }, calls] = await world.calls(() => world.graphAs('demo-warehouse', ALL));
    expect(data).toEqual({ dataFields: null });
    expect(errors).toMatchObject([{ path: ['dataFields'], extensions: { code: 'FORBIDDEN', missingScopes: ['datafield:read'] } }]);
    expect(calls).toEqual([]);
  });
});

describe('DataField as a node', () => {
  it('is found by its name through the list, and is null when there is none: one call for all', async () => {
    const ids = ['budget', 'site_address', 'no_such_field'].map((name) => toGlobalId('DataField', name));
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on DataField { name type } } }';
    const [{ data, errors }, calls] = await world.calls(() => world.graph(query, { ids }));
    expect(errors).toBeUndefined();
    expect(data.nodes).toEqual([{ name: 'budget', type: 'CURRENCY' }, { name: 'site_address', type: 'LOCATION' }, null]);
    expect(calls).toEqual(['DataField/ListDataFields']);
  });
});
