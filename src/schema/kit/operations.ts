import type { GraphQLField } from 'graphql';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** The operation that a field calls, as it says by `describe` or as its policy. */
interface FieldExtensions {
  readonly pothosOptions?: { readonly operation?: AnyOperation; readonly authScopes?: { readonly operation?: AnyOperation } };
}

/** The operation that a field calls; undefined for one that calls none of its own. */
export function operationOf({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): AnyOperation | undefined {
  const { pothosOptions } = extensions as FieldExtensions;
  return pothosOptions?.operation ?? pothosOptions?.authScopes?.operation;
}
