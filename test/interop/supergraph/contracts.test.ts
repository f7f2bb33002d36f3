import { applyTagFilterOnSubgraphs, composeServices } from '@theguild/federation-composition';
import { buildSchema, type GraphQLObjectType, type GraphQLSchema, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { DEFAULT_SUBGRAPH } from '../../../src/subgraph/options.ts';

const { schema, sdl } = createGraph(DEFAULT_SUBGRAPH);

const AREAS = ['catalog', 'customers', 'inventory', 'sales', 'workspace'];

/** The schema of a contract that excludes tags, as filtered by The Guild's library. */
function excludeTags(tags: readonly string[]): GraphQLSchema {
  const filter = { include: new Set<string>(), exclude: new Set(tags) };
  const [cut] = applyTagFilterOnSubgraphs([{ name: 'workspace', url: 'http://127.0.0.1', typeDefs: parse(sdl) }], filter);
  if (!cut) throw new Error('Nothing is left.');
  const { publicSdl, errors } = composeServices([cut]);
  expect(errors).toBeUndefined();
  return buildSchema(publicSdl ?? '', { assumeValidSDL: true });
}

const listFields = (cut: GraphQLSchema, type: string) =>
  Object.keys((cut.getType(type) as GraphQLObjectType | undefined)?.getFields() ?? {});
const listObjectTypes = (cut: GraphQLSchema) => Object.values(cut.getTypeMap()).filter(isObjectType);

describe('schema contract', () => {
  it.each(AREAS)('can exclude %s', (area) => {
    const before = listObjectTypes(schema).length;
    expect(listObjectTypes(excludeTags([area])).length).toBeLessThan(before);
  });

  it('excludes the types, root fields, and edges of an excluded area', () => {
    const cut = excludeTags(['inventory']);
    expect(Object.keys(cut.getTypeMap()).filter((name) => /^Inventory|Reservation/.test(name))).toEqual([]);
    expect(listFields(cut, 'Query').filter((name) => /^inventory|^productByIdentifier/.test(name))).toEqual([]);
    expect(listFields(cut, 'Product')).toEqual(expect.arrayContaining(['id', 'name', 'priceOnce']));
    expect(listFields(cut, 'Product').filter((name) => /inventory/i.test(name))).toEqual([]);
    expect(listFields(cut, 'Order')).toEqual(expect.arrayContaining(['customer', 'lines']));
    expect(listFields(cut, 'Money')).not.toEqual([]);
  });

  it.each(AREAS)('can include only %s', (area) => {
    const cut = excludeTags(AREAS.filter((each) => each !== area));
    const roots = listFields(cut, 'Query');
    expect(roots.length).toBeGreaterThan(1);
    expect(roots).toContain('idempotentOperation');
  });

  it('can exclude secrets', () => {
    const pattern = /CustomerFileUpload\.(url|headers)|CustomerFile\.downloadUrl/;
    const coordinates = (from: GraphQLSchema) =>
      listObjectTypes(from).flatMap((type) => Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`));
    expect(coordinates(schema).filter((each) => pattern.test(each)).length).toBeGreaterThan(2);
    expect(coordinates(excludeTags(['secret'])).filter((each) => pattern.test(each))).toEqual([]);
  });

  it('can exclude everything that is assumed', () => {
    expect(listFields(excludeTags(['assumed']), 'Contact')).toEqual(['id', 'rawId']);
    expect(listObjectTypes(excludeTags(['assumed', 'secret'])).length).toBeGreaterThan(50);
  });
});
