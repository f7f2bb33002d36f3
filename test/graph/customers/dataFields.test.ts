import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const ALL = '{ customFieldDefinitions { id rawId name label kind kindText currencyCode options } }';

describe('Query.customFieldDefinitions', () => {
  it('lists every definition with the properties of its kind in one call', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(ALL));
    const fields = new Map(data.customFieldDefinitions.map((field: { name: string }) => [field.name, field]));
    expect(fields.get('budget')).toMatchObject({
      id: toGlobalId('CustomFieldDefinition', 'budget'),
      rawId: 'budget',
      label: 'Budget',
      kind: 'MONEY',
      kindText: 'PUBLIC_DATA_FIELD_TYPE_CURRENCY',
      currencyCode: 'EUR',
      options: [],
    });
    expect(fields.get('lead_source')).toMatchObject({
      kind: 'SELECT',
      currencyCode: null,
      options: ['website', 'referral', 'fair', 'partner'],
    });
    expect(new Set(data.customFieldDefinitions.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'MONEY', 'ADDRESS', 'COMPANY']),
    );
    expect(calls).toEqual(['DataField/ListDataFields']);
  });

  it('looks up single definitions by name in one call, and resolves unknown names to null', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        '{ budget: customFieldDefinition(name: "budget") { rawId label } none: customFieldDefinition(name: "nothing") { label } }',
      ),
    );
    expect([data, errors]).toEqual([{ budget: { rawId: 'budget', label: 'Budget' }, none: null }, undefined]);
    expect(calls).toEqual(['DataField/ListDataFields']);
  });
});

describe('CustomFieldDefinition node', () => {
  it('resolves by name through one list call, and to null for an unknown name', async () => {
    const ids = ['budget', 'site_address', 'no_such_field'].map((name) => toGlobalId('CustomFieldDefinition', name));
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on CustomFieldDefinition { name kind } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { ids }));
    expect(errors).toBeUndefined();
    expect(data.nodes).toEqual([{ name: 'budget', kind: 'MONEY' }, { name: 'site_address', kind: 'ADDRESS' }, null]);
    expect(calls).toEqual(['DataField/ListDataFields']);
  });
});
