import type { GraphQLField } from 'graphql';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** A field of an object or interface type. */
export type OutputField = GraphQLField<unknown, unknown>;

/** Description and tags of a field. */
export interface FieldAnnotations {
  description: string;
  tag?: string[];
  /** Member of the record that the field exposes. */
  member?: string;
}

/** Description and tags of a field that calls an operation. */
interface OperationAnnotations extends FieldAnnotations {
  operation: AnyOperation;
}

/** Tag of fields and operations whose shape isn't documented upstream. For supergraph contracts and docs/assumed.md. */
export const ASSUMED = 'assumed';

export const annotateAssumed = (description: string): FieldAnnotations => ({ description, tag: [ASSUMED] });

/** Tags a field as a secret: anyone who has its value can use it. */
export const tagSecret = <Annotations extends FieldAnnotations>(annotations: Annotations): Annotations => ({
  ...annotations,
  tag: [...(annotations.tag ?? []), 'secret'],
});

/** Returns the description, tag and operation of a field. The coverage of the contract is derived from the operation. */
export const annotateOperation = (operation: AnyOperation, description: string): OperationAnnotations => ({
  ...(operation.assumed ? annotateAssumed(description) : { description }),
  operation,
});

/**
 * Creates the options of a field that calls an operation, including its tags and scopes. All fields of areas that call an operation use this or a function
 * based on it (`list`, `read`, `mutation`, `defineEntity`), so none can lack them.
 */
export const createOperationOptions = <Options extends object>(operation: AnyOperation, description: string, options: Options) => ({
  ...annotateOperation(operation, description),
  authScopes: { operation },
  ...options,
});
