import { type ASTNode, type DocumentNode, GraphQLError, isValueNode, Kind, visit } from 'graphql';

/** Name of a node that has a value: an argument, an input field, or a variable. Null for other nodes. */
function getName(node: ASTNode): string | null {
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return node.name.value;
  return node.kind === Kind.VARIABLE_DEFINITION ? `$${node.variable.name.value}` : null;
}

/** Adds the path of the literal to errors about one, such as `filter.createdAt.gte`, because graphql-js only reports its location. */
export function nameLiterals(document: DocumentNode, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const literals = new Set<ASTNode>(
    errors.flatMap(({ nodes: [node] = [] }) => (node && isValueNode(node) && node.kind !== Kind.VARIABLE ? node : [])),
  );
  if (literals.size === 0) return errors;
  const paths = new Map<ASTNode | undefined, string>();
  const names: string[] = [];
  visit(document, {
    enter: (node) => {
      const name = getName(node);
      if (name !== null) names.push(name);
      if (literals.has(node)) paths.set(node, names.join('.'));
    },
    leave: (node) => {
      if (getName(node) !== null) names.pop();
    },
  });
  return errors.map((error) => {
    const path = paths.get(error.nodes?.[0]);
    return path === undefined ? error : new GraphQLError(`Invalid value of "${path}": ${error.message}`, { nodes: error.nodes ?? [] });
  });
}
