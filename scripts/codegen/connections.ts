import { type GraphQLSchema, isObjectType } from 'graphql';
import { isPaged, SIZE_ARGUMENTS } from '../../src/schema/cost/listSizes.ts';

const PAGING = new Set<string>([...SIZE_ARGUMENTS, 'after', 'before']);

/** Connection fields by type, each with the arguments that distinguish its lists. */
export function findConnectionFields(schema: GraphQLSchema): Record<string, Record<string, string[]>> {
  const found: Record<string, Record<string, string[]>> = {};
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const paged = Object.values(type.getFields()).filter(isPaged);
    if (paged.length === 0) continue;
    found[type.name] = Object.fromEntries(
      paged.map(({ name, args }) => [name, args.map((arg) => arg.name).filter((arg) => !PAGING.has(arg))]),
    );
  }
  return found;
}
