import { Kind, type ValueNode, visit } from 'graphql';

/** Names of the variables in the value of an argument, each as often as it stands there. */
export function listVariableNames(value: ValueNode): readonly string[] {
  if (value.kind === Kind.VARIABLE) return [value.name.value];
  if (value.kind !== Kind.OBJECT && value.kind !== Kind.LIST) return [];
  const names: string[] = [];
  visit(value, {
    Variable: ({ name }) => {
      names.push(name.value);
    },
  });
  return names;
}

/** Bytes of a list or an object as it stands in the document; 0 for any other value, which takes no time to read. */
export const countLiteralBytes = (value: ValueNode): number =>
  value.loc && (value.kind === Kind.OBJECT || value.kind === Kind.LIST) ? value.loc.end - value.loc.start : 0;
