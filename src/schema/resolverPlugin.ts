// The steps around each resolver, from the outside in:
// 1. `recordErrors`: the error of a mutation's result union is recorded for the outcome of the operation.
// 2. `chargeValue`: a list of objects or a JSON value is charged to the response's budget before its items are resolved.
// 3. `requireMember`: a field fails if its partial record lacks it.
// 4. The steps of the plugins that the builder lists: errors become members of the result union, then scopes are checked.
// A field that needs none of them and has no resolver of its own stays without one, so that graphql-jit compiles it.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes, unwrapOutputFieldType } from '@pothos/core';
import { errorTypeMap } from '@pothos/plugin-errors';
import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../context.ts';
import type { ApiError } from '../failures/failures.ts';
import { PART_BYTES, VALUE_BYTES } from './cost/responseSize.ts';
import { getLoadFailure } from './kit/edges.ts';
import { countJsonBytes } from './kit/jsonValues.ts';
import { collectFields, createTraversal, isStreamed, KEY_FIELDS, type KeyServedExtensions } from './kit/lookahead.ts';
import { getEntityByName } from './kit/registry.ts';

type Resolver = GraphQLFieldResolver<unknown, Context, object>;
type Charge = (value: unknown, context: Context, info: GraphQLResolveInfo) => void;

class ResolverPlugin extends BasePlugin<SchemaTypes> {
  override wrapResolve(resolve: Resolver, field: PothosOutputFieldConfig<SchemaTypes>): GraphQLFieldResolver<unknown, object, object> {
    const guarded = this.#guard(resolve, field);
    const charge = this.#getCharge(field);
    const charged = charge ? chargeValue(guarded, charge) : guarded;
    // Plugins aren't typed with the context of a schema.
    return (field.kind === 'Mutation' ? recordErrors(charged) : charged) as GraphQLFieldResolver<unknown, object, object>;
  }

  #guard(resolve: Resolver, { parentType, name, type, extensions }: PothosOutputFieldConfig<SchemaTypes>): Resolver {
    const knownFields = getEntityByName(parentType)?.knownFields ?? {};
    const isAlwaysAvailable = KEY_FIELDS.has(name) || (extensions as KeyServedExtensions | undefined)?.isServedByKey === true;
    if (isAlwaysAvailable || Object.keys(knownFields).length === 0) return resolve;
    if (!type.nullable)
      throw new Error(`${parentType}.${name} must be nullable, because mutations return ${parentType} in part and may not include it.`);
    return requireMember(resolve, knownFields[name]);
  }

  #getCharge({ type }: PothosOutputFieldConfig<SchemaTypes>): Charge | undefined {
    const { name, graphqlKind } = this.buildCache.getTypeConfig(unwrapOutputFieldType(type));
    if (name === 'JSON') return chargeJson;
    return type.kind === 'List' && graphqlKind !== 'Scalar' && graphqlKind !== 'Enum' ? chargeRows : undefined;
  }
}

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      resolver: ResolverPlugin;
    }
  }
}

SchemaBuilder.registerPlugin('resolver', ResolverPlugin);

/**
 * Records the errors of result unions. The result of an operation doesn't identify them, because clients choose whether to select `code` and `__typename`.
 */
function recordErrors(resolve: Resolver): Resolver {
  return async (source, args, context, info) => {
    const value: unknown = await resolve(source, args, context, info);
    if (typeof value === 'object' && value !== null && errorTypeMap.has(value))
      context.mutationErrors.set(String(info.path.key), (value as ApiError).code);
    return value;
  };
}

/** Charges the value of a field before its items are resolved. */
function chargeValue(resolve: Resolver, charge: Charge): Resolver {
  return (source, args, context, info) => {
    const result: unknown = resolve(source, args, context, info);
    const returnCharged = (value: unknown) => {
      charge(value, context, info);
      return value;
    };
    return result instanceof Promise ? result.then(returnCharged) : returnCharged(result);
  };
}

/** Makes a field of a partial record fail on its own if the full record can't be read. Mutations return partial records. */
function requireMember(resolve: Resolver, member: string | undefined): Resolver {
  return (source, args, context, info) => {
    const failure = getLoadFailure(source as object, member);
    if (failure) throw failure;
    return resolve(source, args, context, info);
  };
}

const isList = ({ type }: Pick<GraphQLField<unknown, unknown>, 'type'>) => isListType(getNullableType(type));

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

/** Charges a list of objects to the response's budget. Throws if the response becomes too large. */
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

/** Charges a JSON value to the response's budget. Throws if the response becomes too large. */
function chargeJson(value: unknown, { responseBudget }: Context): void {
  if (typeof value !== 'object' || value === null) return;
  const bytes = jsonSizes.get(value) ?? countJsonBytes(value, responseBudget.limit);
  jsonSizes.set(value, bytes);
  responseBudget.consume(bytes);
}
