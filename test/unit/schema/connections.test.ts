import { getNamedType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { getGraph } from '../../support/getGraph.ts';

const connections = Object.values(getGraph().schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => name.endsWith('Connection'))
  .map((type) => {
    const { nodes, edges, ...fields } = type.getFields();
    const others = Object.values(fields).map((field) => `${field.name}: ${field.type}`);
    return { name: type.name, node: getNamedType(nodes?.type ?? type).name, edge: getNamedType(edges?.type ?? type).name, others };
  });

const FIELDS = ['pageInfo: PageInfo!', 'totalCount: Int', 'isTruncated: Boolean!'];

describe('connection types', () => {
  it('share the edge type of their node', () => {
    expect(connections.length).toBeGreaterThan(40);
    for (const { name, node, edge } of connections) expect([name, edge]).toEqual([name, `${node}Edge`]);
  });

  it('expose the same fields, and facets only in a search', () => {
    for (const { name, node, others } of connections) {
      const isSearch = name === `${node}SearchConnection`;
      expect([name, others.sort()]).toEqual([name, [...FIELDS, ...(isSearch ? [`facets: ${node}SearchFacets`] : [])].sort()]);
    }
  });

  it('serve all lists of their node, except for a search with facets', () => {
    for (const { name, node } of connections) expect([`${node}Connection`, `${node}SearchConnection`]).toContain(name);
  });
});
