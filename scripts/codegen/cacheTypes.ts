import { type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';

/** Interfaces of the members of result unions. Caches get them from the names of payloads and failures. */
const MEMBERS = new Set(['MutationError', 'MutationPayload']);

interface CacheTypes {
  /** Object types of all other interfaces and unions. */
  readonly possibleTypes: Readonly<Record<string, readonly string[]>>;
  readonly payloadTypes: readonly string[];
  /** Object types without an ID, other than payloads and failures. */
  readonly valueTypes: readonly string[];
}

/** Finds what normalized caches need to know about the types of a schema. */
export function findCacheTypes(schema: GraphQLSchema): CacheTypes {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('_'));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const results = new Set(mutations.map(({ type }) => String(type).replace('!', '')));
  const abstract = types.filter(isAbstractType).filter(({ name }) => !MEMBERS.has(name) && !results.has(name));
  const objects = types.filter(isObjectType).filter((type) => !roots.includes(type));
  const isMember = (type: (typeof objects)[number]) => type.getInterfaces().some(({ name }) => MEMBERS.has(name));
  const getNames = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name).sort();
  return {
    possibleTypes: Object.fromEntries(abstract.map((type) => [type.name, getNames(schema.getPossibleTypes(type))])),
    payloadTypes: getNames(objects.filter((type) => type.getInterfaces().some(({ name }) => name === 'MutationPayload'))),
    valueTypes: getNames(objects.filter((type) => !('id' in type.getFields()) && !isMember(type))),
  };
}
