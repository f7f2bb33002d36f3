import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { getFieldWeight } from '../schema/cost/cost.ts';
import type { CostExtensions } from '../schema/kit/costExtensions.ts';
import { getSelectionNeed } from '../schema/kit/lookahead.ts';
import { getOperation } from '../schema/kit/operations.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';
import { collectFragments } from '../schema/kit/selections.ts';
import { getCalledOperations } from '../schema/scopeRequirements.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';

/** The operations that a field itself can call, whatever is selected below it. */
function listFieldOperations(field: GraphQLField<unknown, unknown>): readonly AnyOperation[] {
  const { compares }: CostExtensions = field.extensions;
  return [...getCalledOperations(field), ...(compares ? [compares] : [])];
}

/** The operations that read the objects of a type by ID. None if only IDs are selected. */
function listEntityReads(schema: GraphQLSchema, document: DocumentNode, type: GraphQLNamedType, node: FieldNode): AnyOperation[] {
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  return types.flatMap((each) => {
    const operation = isObjectType(each) ? getEntityOfType(each)?.operation : undefined;
    if (!operation || !isObjectType(each)) return [];
    const info = { schema, fragments: collectFragments(document), variableValues: {}, fieldNodes: [node] };
    return getSelectionNeed(info, each) === 'record' ? [operation] : [];
  });
}

/**
 * The upstream operations that an operation of a document can call, without duplicates, from the same field annotations as its cost. Excludes reads that
 * explain a failure.
 */
export function listCalledOperations(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
): readonly AnyOperation[] {
  const called = new Set<AnyOperation>();
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Field: (node) => {
      const field = types.getFieldDef();
      const parent = types.getParentType();
      if (!field || !parent) return;
      for (const each of listFieldOperations(field)) called.add(each);
      const isReadAlone = getOperation(field) === undefined && getFieldWeight(parent, field) > 0;
      if (isReadAlone) for (const each of listEntityReads(schema, document, getNamedType(field.type), node)) called.add(each);
    },
  });
  visit(operation, visitor);
  for (const definition of document.definitions) if (definition.kind === 'FragmentDefinition') visit(definition, visitor);
  return [...called];
}
