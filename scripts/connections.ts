import { type GraphQLSchema, isObjectType } from 'graphql';
import { isPaged, SIZE_ARGUMENTS } from '../src/schema/cost/cost.ts';

const PAGING = new Set<string>([...SIZE_ARGUMENTS, 'after', 'before']);

/** The fields that are read page by page: of each type, their names with the arguments that tell one list from another. */
export function connectionFields(schema: GraphQLSchema): Record<string, Record<string, string[]>> {
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
