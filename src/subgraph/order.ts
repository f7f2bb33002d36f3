import { type DefinitionNode, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { RAW_RECORD_FIELD } from '../schema/kit/rawRecords.ts';
import { type Areas, SHARED } from './areas.ts';

/** Names that come first, in this order; all others follow as they are declared. */
const FIRST_FIELDS = ['id', 'rawId'];
/** Names that come last, in this order. */
const LAST_FIELDS = [RAW_RECORD_FIELD];

/** Where a name stands among others: below 0 at the front, above 0 at the back. */
const placeOf = (name: string, first: readonly string[], last: readonly string[]): number =>
  first.includes(name) ? first.indexOf(name) - first.length : last.indexOf(name) + 1;

/** Puts the fields of a type in another order. */
function rearrange<Value>(fields: Record<string, Value>, compare: (one: [string, Value], other: [string, Value]) => number): void {
  const sorted = Object.entries(fields).sort(compare);
  for (const [name] of sorted) delete fields[name];
  Object.assign(fields, Object.fromEntries(sorted));
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Areas by their names, with what they share behind them. */
const compareAreas = (one = '', other = ''): number => Number(one === SHARED) - Number(other === SHARED) || compareText(one, other);

/** Puts fields in the order that readers meet them in: as declared, ids first, and root fields by their areas. */
export function withReadingOrder(schema: GraphQLSchema, areas: Areas): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    const fields = type.getFields();
    if (roots.some((root) => root === type)) {
      rearrange(fields, ([, one], [, other]) => compareAreas(areas.ofField(type, one), areas.ofField(type, other)));
    } else {
      rearrange(fields, ([one], [other]) => placeOf(one, FIRST_FIELDS, LAST_FIELDS) - placeOf(other, FIRST_FIELDS, LAST_FIELDS));
    }
  }
  return schema;
}

const ROOTS = ['Query', 'Mutation'];

/** The definitions of a schema as they are read: the roots, then area by area, by name within each, then what areas share. */
export function inReadingOrder(definitions: readonly DefinitionNode[], schema: GraphQLSchema, areas: Areas): DefinitionNode[] {
  const nameOf = (definition: DefinitionNode) => ('name' in definition && definition.name?.value) || '';
  const areaOf = (name: string) => {
    const type = schema.getType(name);
    return type && areas.ofType(type);
  };
  return definitions.toSorted((a, b) => {
    const [one, other] = [nameOf(a), nameOf(b)];
    return (
      placeOf(one, ['', ...ROOTS], []) - placeOf(other, ['', ...ROOTS], []) ||
      compareAreas(areaOf(one), areaOf(other)) ||
      compareText(one, other)
    );
  });
}
