import { applyTagFilterOnSubgraphs, composeServices } from '@theguild/federation-composition';
import { buildSchema, type GraphQLObjectType, type GraphQLSchema, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { DEFAULT_SUBGRAPH } from '../../../src/subgraph/options.ts';

const { schema, sdl } = createGraph({ ...DEFAULT_SUBGRAPH, hasRawRecords: true });

const AREAS = ['catalog', 'customers', 'inventory', 'sales', 'workspace'];

/** The schema of a contract that leaves tags out, as The Guild's filter cuts it. */
function without(tags: readonly string[]): GraphQLSchema {
  const filter = { include: new Set<string>(), exclude: new Set(tags) };
  const [cut] = applyTagFilterOnSubgraphs([{ name: 'workspace', url: 'http://127.0.0.1', typeDefs: parse(sdl) }], filter);
  if (!cut) throw new Error('Nothing is left.');
  const { publicSdl, errors } = composeServices([cut]);
  expect(errors).toBeUndefined();
  return buildSchema(publicSdl ?? '', { assumeValidSDL: true });
}

const fieldsOf = (cut: GraphQLSchema, type: string) => Object.keys((cut.getType(type) as GraphQLObjectType | undefined)?.getFields() ?? {});
const objectsOf = (cut: GraphQLSchema) => Object.values(cut.getTypeMap()).filter(isObjectType);

describe('a contract', () => {
  it.each(AREAS)('can be cut without %s', (area) => {
    const before = objectsOf(schema).length;
    expect(objectsOf(without([area])).length).toBeLessThan(before);
  });

  it('without an area has neither its types, nor its root fields, nor the edges that lead there', () => {
    const cut = without(['inventory']);
    expect(Object.keys(cut.getTypeMap()).filter((name) => /^Inventory|Reservation/.test(name))).toEqual([]);
    expect(fieldsOf(cut, 'Query').filter((name) => /^inventory|^productByIdentifier/.test(name))).toEqual([]);
    expect(fieldsOf(cut, 'Product')).toEqual(expect.arrayContaining(['id', 'name', 'priceOnce']));
    expect(fieldsOf(cut, 'Product').filter((name) => /inventory/i.test(name))).toEqual([]);
    expect(fieldsOf(cut, 'Order')).toEqual(expect.arrayContaining(['customer', 'lines']));
    expect(fieldsOf(cut, 'Money')).not.toEqual([]);
  });

  it.each(AREAS)('can be cut to %s alone', (area) => {
    const cut = without(AREAS.filter((each) => each !== area));
    const roots = fieldsOf(cut, 'Query');
    expect(roots.length).toBeGreaterThan(1);
    expect(roots).toContain('idempotentOperation');
  });

  it.each([
    ['raw records', 'raw', /upstreamRecord: JSON/],
    ['secrets', 'secret', /CustomerFileUpload\.(url|headers)|CustomerFile\.downloadUrl/],
  ])('can be cut without %s', (_name, tag, pattern) => {
    const coordinates = (from: GraphQLSchema) =>
      objectsOf(from).flatMap((type) => Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`));
    expect(coordinates(schema).filter((each) => pattern.test(each)).length).toBeGreaterThan(2);
    expect(coordinates(without([tag])).filter((each) => pattern.test(each))).toEqual([]);
  });

  it('can be cut without all that is assumed', () => {
    expect(fieldsOf(without(['assumed']), 'Contact')).toEqual(['id', 'rawId', 'upstreamRecord']);
    expect(objectsOf(without(['assumed', 'raw', 'secret'])).length).toBeGreaterThan(50);
  });
});
