import {
  type ASTNode,
  type DocumentNode,
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

/** Whether a type, or one of its fields, requires exactly one of several fields. */
function hasOneOf(inputType: GraphQLInputType, seen = new Set<GraphQLInputType>()): boolean {
  const type = getNamedType(inputType);
  if (!isInputObjectType(type) || seen.has(type)) return false;
  seen.add(type);
  return type.isOneOf || Object.values(type.getFields()).some((field) => hasOneOf(field.type, seen));
}

const hasNode = (parent: unknown): parent is ASTNode => typeof parent === 'object' && parent !== null && 'kind' in parent;

/**
 * How the arguments of a document use variables, as far as graphql-jit coerces them differently from graphql-js. It accepts null within a list or an
 * object that requires a value, passes null for a missing variable there, loses variables within the literal of a scalar, and doesn't check `@oneOf`.
 * A document is priced by the rules of graphql-js, so a compiled query must not accept more.
 */
export class ArgumentUse {
  /** Variables in positions that don't accept null. */
  readonly #nonNull = new Set<string>();
  /** Variables within lists and objects. */
  readonly #nested = new Set<string>();
  #isCompilable = true;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    const types = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(types, {
        Argument: () => {
          const type = types.getInputType();
          if (type && hasOneOf(type)) this.#isCompilable = false;
        },
        Variable: ({ name }, _key, parent, _path, ancestors) => {
          // The value of a list is in an array, whose parent is the list.
          const holder = hasNode(parent) ? parent : ancestors.at(-1);
          if (!hasNode(holder) || holder.kind === Kind.VARIABLE_DEFINITION) return;
          this.#add(name.value, types, holder.kind);
        },
      }),
    );
  }

  #add(name: string, types: TypeInfo, holder: ASTNode['kind']): void {
    const type = types.getInputType();
    if (holder !== Kind.ARGUMENT) this.#nested.add(name);
    const isInScalar = !type || (holder === Kind.LIST && !isListType(getNullableType(types.getParentInputType())));
    if (isInScalar) this.#isCompilable = false;
    else if (isNonNullType(type)) this.#nonNull.add(name);
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
