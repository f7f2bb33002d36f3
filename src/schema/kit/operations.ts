import type { GraphQLField } from 'graphql';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** The operation of a field, as declared by `annotateOperation` or by its scopes, and its member, as declared by `RecordFields`. */
interface FieldExtensions {
  readonly pothosOptions?: {
    readonly operation?: AnyOperation;
    readonly authScopes?: { readonly operation?: AnyOperation };
    readonly member?: string;
  };
}

type WithExtensions = Pick<GraphQLField<unknown, unknown>, 'extensions'>;

/** Returns the member of the record that a field exposes. Undefined for other fields. */
export const getMember = ({ extensions }: WithExtensions): string | undefined => (extensions as FieldExtensions).pothosOptions?.member;

/** Returns the operation that a field calls. Undefined if it has none of its own. */
export function getOperation({ extensions }: WithExtensions): AnyOperation | undefined {
  const { pothosOptions } = extensions as FieldExtensions;
  return pothosOptions?.operation ?? pothosOptions?.authScopes?.operation;
}
