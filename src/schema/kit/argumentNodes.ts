import { Kind, type ValueNode, visit } from 'graphql';

/** Lists the names of the variables in an argument value, with repetitions. */
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

/** Counts the bytes of a list or object literal in the document. 0 for other values, whose parsing time is negligible. */
export const countLiteralBytes = (value: ValueNode): number =>
  value.loc && (value.kind === Kind.OBJECT || value.kind === Kind.LIST) ? value.loc.end - value.loc.start : 0;
