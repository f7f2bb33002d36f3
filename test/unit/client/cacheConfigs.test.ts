import { readFileSync } from 'node:fs';
import { buildSchema, isAbstractType, isObjectType } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { cacheConfig } from '../../../client/src/apollo/index.ts';
import { graphcacheConfig } from '../../../client/src/urql/index.ts';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const abstract = types.filter(isAbstractType);

const sortMembers = (possibleTypes: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(possibleTypes).map(([name, members]) => [name, [...members].sort()]));

describe('graphcacheConfig', () => {
  it('has a key for each object type without an ID', () => {
    const roots = ['Query', 'Mutation', 'Subscription'];
    const values = types.filter(isObjectType).filter((type) => !roots.includes(type.name) && !('id' in type.getFields()));
    expect(Object.keys(graphcacheConfig().keys).sort()).toEqual([...values.map(({ name }) => name), 'UnknownError'].sort());
  });

  it('has a resolver for each connection', () => {
    const resolver = () => null;
    const { resolvers } = graphcacheConfig(resolver);
    expect([resolvers.Customer?.quotes, resolvers.Query?.customers]).toEqual([resolver, resolver]);
  });

  it('logs all warnings except missing fields', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const debug = vi.spyOn(console, 'debug').mockReturnValue();
    const { logger } = graphcacheConfig();
    logger('warn', 'Invalid undefined: The field at `code` is `undefined`.');
    logger('debug', 'No value for field "customer".');
    logger('warn', 'Invalid key.');
    expect([warn.mock.calls, debug.mock.calls]).toEqual([[['Invalid key.']], []]);
    vi.restoreAllMocks();
  });
});

describe('possible types', () => {
  const expected = Object.fromEntries(abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]));
  const results = new Set(Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ type }) => String(type)));

  it.each([
    ['urql', graphcacheConfig().possibleTypes, 'UnknownError'],
    ['Apollo Client', cacheConfig.possibleTypes, '.+Error'],
  ])('contain the types of the schema and newer failures in %s', (_, possibleTypes, newer) => {
    const { MutationError, ...others } = sortMembers(possibleTypes);
    expect(MutationError).toEqual([...(expected.MutationError ?? []), newer].sort());
    for (const [name, members] of Object.entries(others))
      if (results.has(name)) expect(members).toEqual(expect.arrayContaining([...(expected[name] ?? []), newer]));
      else expect([name, members]).toEqual([name, expected[name]?.toSorted()]);
    expect(Object.keys(possibleTypes).sort()).toEqual(Object.keys(expected).sort());
  });
});
