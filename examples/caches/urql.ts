import { readFileSync } from 'node:fs';
import { CombinedError, type Exchange, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { buildSchema, GraphQLError, type IntrospectionQuery, introspectionFromSchema } from 'graphql';

const { __schema }: IntrospectionQuery = introspectionFromSchema(buildSchema(readFileSync('schema.graphql', 'utf8'))); // for browsers, run this at build time
const objects = __schema.types.filter((type) => type.kind === 'OBJECT');
const values = objects.filter(({ fields }) => !fields.some(({ name }) => name === 'id'));

const graphcache = cacheExchange({
  schema: { __schema },
  keys: Object.fromEntries(values.map(({ name }) => [name, () => null])),
  resolvers: { Customer: { quotes: relayPagination({ mergeMode: 'outwards' }) } },
});

const names = new Set(objects.map(({ name }) => name));
const isNewer = (member: unknown): member is { readonly __typename: string; readonly message: string } =>
  typeof member === 'object' && member !== null && '__typename' in member && !names.has(String(member.__typename));

/** Converts error types added after this program was built to GraphQL errors. Without this, Graphcache never returns a result that contains an unknown type. */
const newerFailures = mapExchange({
  onResult(result) {
    const data: Record<string, unknown> = { ...result.data };
    const newer: GraphQLError[] = [];
    for (const [name, member] of Object.entries(data)) {
      if (!isNewer(member)) continue;
      const { message, ...extensions } = member;
      newer.push(new GraphQLError(message, { path: [name], extensions }));
      data[name] = null;
    }
    if (newer.length === 0) return result;
    return { ...result, data, error: new CombinedError({ graphQLErrors: [...(result.error?.graphQLErrors ?? []), ...newer] }) };
  },
});

export const cacheExchanges: Exchange[] = [graphcache, newerFailures]; // before fetchExchange
