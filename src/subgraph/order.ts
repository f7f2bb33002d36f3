import { type DefinitionNode, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { type Areas, SHARED } from './areas.ts';

/** Names that come first, in this order. All others follow in declaration order. */
const FIRST_FIELDS = ['id', 'rawId'];
/** Sort rank of a name: negative for the first names, 0 for others. */
const getSortRank = (name: string, first: readonly string[]): number => (first.includes(name) ? first.indexOf(name) - first.length : 0);

/** Sorts the fields of a type in place. */
function sortEntries<Value>(fields: Record<string, Value>, compare: (one: [string, Value], other: [string, Value]) => number): void {
  const sorted = Object.entries(fields).sort(compare);
  for (const [name] of sorted) delete fields[name];
  Object.assign(fields, Object.fromEntries(sorted));
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Compares areas by name. The shared area comes last. */
const compareAreas = (one = '', other = ''): number => Number(one === SHARED) - Number(other === SHARED) || compareText(one, other);

/** Types that introspection lists last, in this order. */
const LAST_TYPES = ['Query', '_Entity', '_Any', '_Service'];

/** Sorts a schema in place, for readers: fields in declaration order with IDs first, root fields by area, and types that belong to no area last. */
export function sortSchema(schema: GraphQLSchema, areas: Areas): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  sortEntries(schema.getTypeMap(), ([one], [other]) => LAST_TYPES.indexOf(one) - LAST_TYPES.indexOf(other));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    const fields = type.getFields();
    if (roots.some((root) => root === type)) {
      sortEntries(fields, ([, one], [, other]) => compareAreas(areas.getFieldArea(type, one), areas.getFieldArea(type, other)));
    } else {
      sortEntries(fields, ([one], [other]) => getSortRank(one, FIRST_FIELDS) - getSortRank(other, FIRST_FIELDS));
    }
  }
}

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Sorts the definitions of a schema for readers: root types, then by area, by name within each area, then shared types. */
export function sortDefinitions(definitions: readonly DefinitionNode[], schema: GraphQLSchema, areas: Areas): DefinitionNode[] {
  const getName = (definition: DefinitionNode) => ('name' in definition && definition.name?.value) || '';
  const getArea = (name: string) => {
    const type = schema.getType(name);
    return type && areas.getTypeArea(type);
  };
  return definitions.toSorted((a, b) => {
    const [one, other] = [getName(a), getName(b)];
    return (
      getSortRank(one, ['', ...ROOTS]) - getSortRank(other, ['', ...ROOTS]) ||
      compareAreas(getArea(one), getArea(other)) ||
      compareText(one, other)
    );
  });
}
