import { errorTypeMap } from '@pothos/plugin-errors';
import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import type { ApiError } from '../../failures/failures.ts';

/**
 * Makes mutations record the errors of their result unions. The result of an operation doesn't identify them, because clients choose whether to select `code`
 * and `__typename`.
 */
export function withMutationErrors(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = async (source, args, context: Context, info) => {
      const value: unknown = await resolve(source, args, context, info);
      if (typeof value === 'object' && value !== null && errorTypeMap.has(value))
        context.mutationErrors.set(String(info.path.key), (value as ApiError).code);
      return value;
    };
  }
  return schema;
}
