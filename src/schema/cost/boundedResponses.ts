import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../../context.ts';
import { countJsonBytes } from '../kit/jsonValues.ts';
import { collectFields, createTraversal, isStreamed } from '../kit/lookahead.ts';
import { PART_BYTES, VALUE_BYTES } from './responseSize.ts';

type Field = GraphQLField<unknown, Context>;

const isList = ({ type }: Field) => isListType(getNullableType(type));

/** JSON bytes of one list item by its selection. Contains only selections that don't depend on variables. */
const sizeCache = new WeakMap<SelectionSetNode, Map<GraphQLNamedType, number>>();

/** Estimates the JSON bytes of an object without its lists, which are charged when they are resolved. */
class RowSizeCounter {
  readonly #info: GraphQLResolveInfo;
  #isConditional = false;

  constructor(info: GraphQLResolveInfo) {
    this.#info = info;
  }

  /** For an abstract type, returns the maximum of its possible types. */
  countBytes(type: GraphQLNamedType, set: SelectionSetNode): number {
    const cached = sizeCache.get(set)?.get(type);
    if (cached !== undefined) return cached;
    const types = isAbstractType(type) ? this.#info.schema.getPossibleTypes(type) : [type];
    const bytes = Math.max(0, ...types.map((each) => this.#countObjectBytes(each, set)));
    if (!this.#isConditional) sizeCache.set(set, (sizeCache.get(set) ?? new Map<GraphQLNamedType, number>()).set(type, bytes));
    return bytes;
  }

  #countObjectBytes(type: GraphQLNamedType, set: SelectionSetNode): number {
    if (!isObjectType(type)) return 0;
    const traversal = createTraversal();
    let bytes = VALUE_BYTES;
    for (const node of collectFields(set, type, this.#info, traversal)) {
      const field = type.getFields()[node.name.value];
      if (!field || !node.selectionSet) bytes += VALUE_BYTES;
      else if (!isList(field)) bytes += this.countBytes(getNamedType(field.type), node.selectionSet);
    }
    this.#isConditional ||= traversal.isConditional;
    return bytes + traversal.deferred * PART_BYTES;
  }
}

/** Charges a list of objects to the response's budget. */
function chargeRows(rows: unknown, { responseBudget }: Context, info: GraphQLResolveInfo): void {
  if (!Array.isArray(rows)) return;
  const count = new RowSizeCounter(info);
  let bytes = 0;
  for (const node of info.fieldNodes) {
    if (isStreamed(node, info)) bytes += PART_BYTES;
    if (node.selectionSet) bytes += count.countBytes(getNamedType(info.returnType), node.selectionSet);
  }
  responseBudget.consume(rows.length * bytes);
}

/** Cached, because the same records may be returned under many aliases. */
const jsonSizes = new WeakMap<object, number>();

function chargeJson(value: unknown, { responseBudget }: Context): void {
  if (typeof value !== 'object' || value === null) return;
  const bytes = jsonSizes.get(value) ?? countJsonBytes(value, responseBudget.limit);
  jsonSizes.set(value, bytes);
  responseBudget.consume(bytes);
}

type Charge = (value: unknown, context: Context, info: GraphQLResolveInfo) => void;

function getCharge(field: Field): Charge | undefined {
  const target = getNamedType(field.type);
  if (target.name === 'JSON') return chargeJson;
  return isList(field) && isCompositeType(target) ? chargeRows : undefined;
}

function boundField(field: Field, charge: Charge): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    const result: unknown = resolve(source, args, context, info);
    const chargeValue = (value: unknown) => {
      charge(value, context, info);
      return value;
    };
    return result instanceof Promise ? result.then(chargeValue) : chargeValue(result);
  };
}

/** Makes lists and JSON values fail if the response becomes too large. */
export function withBoundedResponses(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const charge = getCharge(field);
      if (charge) boundField(field, charge);
    }
  }
  return schema;
}
