import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { getFieldWeight } from '../../schema/cost/cost.ts';
import { ASSUMED } from '../../schema/kit/fieldAnnotations.ts';
import { getCoordinateRequirements } from '../../schema/scopeRequirements.ts';
import { getDeclaredTags } from '../../subgraph/directives.ts';

const formatScopes = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope}\``).join(', ');

function describeField(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string {
  const { scopes = [], conditional = [], isUnknown = false } = getCoordinateRequirements(schema, `${type.name}.${field.name}`) ?? {};
  const calls = getFieldWeight(type, field);
  return [
    scopes.length > 0 ? `Requires ${formatScopes(scopes)}.` : '',
    ...conditional.map(({ scope, field: given }) => `Also requires ${formatScopes([scope])} if \`${given}\` is set.`),
    isUnknown ? 'The required scope isn’t documented upstream.' : '',
    calls > 0 ? `Costs ${calls} upstream ${calls === 1 ? 'call' : 'calls'}.` : '',
    getDeclaredTags(field).includes(ASSUMED) ? 'Its shape isn’t documented upstream.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Markdown lines with the scopes, the upstream calls and the provenance of fields, by coordinate. Fields without any are absent. */
export function collectFieldFacts(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('_'),
  ) as GraphQLObjectType[];
  const facts = types.flatMap((type) =>
    Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, describeField(schema, type, field)] as const),
  );
  return Object.fromEntries(facts.filter(([, fact]) => fact !== ''));
}
