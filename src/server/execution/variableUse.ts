import {
  type ArgumentNode,
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { CostExtensions } from '../../schema/kit/costExtensions.ts';
import type { InputPosition } from '../../schema/kit/valueSizes.ts';
import type { LocatedInput, LocatedLiteral } from './valueLimits.ts';

/** Fields whose arguments refer to records of any type. The type determines the cost. */
const FIELDS_BY_REFERENCE = new Set(['node', 'nodes', '_entities']);

/** Whether a type, or one of its fields, requires exactly one of several fields. */
function hasOneOf(inputType: GraphQLInputType, seen = new Set<GraphQLInputType>()): boolean {
  const type = getNamedType(inputType);
  if (!isInputObjectType(type) || seen.has(type)) return false;
  seen.add(type);
  return type.isOneOf || Object.values(type.getFields()).some((field) => hasOneOf(field.type, seen));
}

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'kind' in value;

/** Path of a value, as in validation issues: those of a mutation start within its input. */
function getInputPath(ancestors: readonly unknown[]): readonly string[] {
  const path = ancestors.flatMap((each) =>
    isNode(each) && (each.kind === Kind.ARGUMENT || each.kind === Kind.OBJECT_FIELD) ? [each.name.value] : [],
  );
  return path[0] === 'input' ? path.slice(1) : path;
}

/** Argument of @skip or @include. */
export const getCondition = ({ arguments: args = [] }: DirectiveNode) => args[0]?.value;

/**
 * How a document uses its variables: which of them decide its cost, which are conditions, and where graphql-jit coerces arguments differently from graphql-js. It
 * accepts null within a list or an object that requires a value, passes null for a missing variable there, loses variables within the literal of a scalar, and
 * doesn't check `@oneOf`. The cost follows the rules of graphql-js, so a compiled query must not accept more.
 */
export class VariableUse {
  readonly #types: TypeInfo;
  readonly #conditions = new Set<string>();
  readonly #priced = new Set<string>();
  /** Variables in positions that don't accept null. */
  readonly #nonNull = new Set<string>();
  /** Variables within lists and objects. */
  readonly #nested = new Set<string>();
  /** The first use of each variable. */
  readonly inputs = new Map<string, LocatedInput>();
  /** Lists and objects in arguments. */
  readonly literals: LocatedLiteral[] = [];
  #isCompilable = true;
  /** Whether the argument that is being visited decides the cost. */
  #isPriced = false;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#types = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(this.#types, {
        Directive: (node) => this.#addCondition(node),
        Argument: (node, _key, _parent, _path, ancestors) => this.#enterArgument(node, ancestors.at(-1)),
        Variable: ({ name }, _key, parent, _path, ancestors) => {
          // The values of a list are in an array, whose parent is the list.
          const holder = isNode(parent) ? parent : ancestors.at(-1);
          if (!isNode(holder) || holder.kind === Kind.VARIABLE_DEFINITION) return;
          this.#add(name.value, holder.kind);
          if (!this.inputs.has(name.value))
            this.inputs.set(name.value, { path: getInputPath([...ancestors, parent]), position: this.#getPosition(holder) });
        },
      }),
    );
  }

  #addCondition(directive: DirectiveNode): void {
    const value = getCondition(directive);
    if (value?.kind === Kind.VARIABLE) this.#conditions.add(value.name.value);
  }

  /** The argument or input field that contains a value. */
  #getPosition(holder: ASTNode): InputPosition | undefined {
    if (holder.kind === Kind.ARGUMENT) return this.#types.getArgument() ?? undefined;
    const parent = getNamedType(this.#types.getParentInputType());
    if (holder.kind === Kind.OBJECT_FIELD) return isInputObjectType(parent) ? parent.getFields()[holder.name.value] : undefined;
    const type = this.#types.getInputType();
    return type ? { type, extensions: {} } : undefined;
  }

  #enterArgument(node: ArgumentNode, owner: unknown): void {
    const { value } = node;
    if (value.kind === Kind.LIST || value.kind === Kind.OBJECT)
      this.literals.push({ value, path: getInputPath([node]), position: this.#getPosition(node) });
    this.#isPriced = isNode(owner) && (owner.kind === Kind.DIRECTIVE || (owner.kind === Kind.FIELD && this.#isPricedByArguments(owner)));
  }

  /** Whether any value in the arguments of a field can change its cost. */
  #isPricedByArguments({ name }: FieldNode): boolean {
    const { countListItems, countReads, countRows, identifyCount } = (this.#types.getFieldDef()?.extensions ?? {}) as CostExtensions;
    return (
      FIELDS_BY_REFERENCE.has(name.value) || [countListItems, countReads, countRows, identifyCount].some((count) => count !== undefined)
    );
  }

  #add(name: string, holder: ASTNode['kind']): void {
    const type = this.#types.getInputType();
    if (this.#isPriced) this.#priced.add(name);
    if (holder !== Kind.ARGUMENT) this.#nested.add(name);
    const isInScalar = !type || (holder === Kind.LIST && !isListType(getNullableType(this.#types.getParentInputType())));
    // Validation has checked the literals.
    const parent = getNamedType(this.#types.getParentInputType());
    const isInOneOf = holder === Kind.OBJECT_FIELD && isInputObjectType(parent) && parent.isOneOf;
    if (isInScalar || isInOneOf || hasOneOf(type)) this.#isCompilable = false;
    else if (isNonNullType(type)) this.#nonNull.add(name);
  }

  /** Variables of @skip and @include. */
  get conditions(): ReadonlySet<string> {
    return this.#conditions;
  }

  /** Variables whose strings and booleans can change the cost. Numbers, such as page sizes, always can. */
  get priced(): ReadonlySet<string> {
    return this.#priced;
  }

  /** Whether graphql-jit can compile the arguments. */
  get isCompilable(): boolean {
    return this.#isCompilable;
  }

  /** Whether a compiled query coerces arguments with these variables as graphql-js does. */
  isExactFor({ variableDefinitions = [] }: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>): boolean {
    return variableDefinitions.every(({ variable, defaultValue }) => {
      const name = variable.name.value;
      if (variables[name] === null) return !this.#nonNull.has(name);
      return variables[name] !== undefined || defaultValue !== undefined || !this.#nested.has(name);
    });
  }
}
