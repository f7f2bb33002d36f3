import type { GraphQLField } from 'graphql';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** The operation of a field, as declared by `annotateOperation` or by its scopes. */
interface FieldExtensions {
  readonly pothosOptions?: { readonly operation?: AnyOperation; readonly authScopes?: { readonly operation?: AnyOperation } };
}

/** Returns the operation that a field calls. Undefined if it has none of its own. */
export function getOperation({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): AnyOperation | undefined {
  const { pothosOptions } = extensions as FieldExtensions;
  return pothosOptions?.operation ?? pothosOptions?.authScopes?.operation;
}
