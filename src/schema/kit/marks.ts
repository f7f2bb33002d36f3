import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** The description of a field, and its tags. */
export interface FieldAnnotations {
  description: string;
  tag?: string[];
}

/** The marks of a field that calls an operation. */
interface OperationAnnotations extends FieldAnnotations {
  operation: AnyOperation;
}

/** The tag of what has a shape that nobody has documented. For contracts, and for docs/assumed.md. */
export const ASSUMED = 'assumed';

export const annotateAssumed = (description: string): FieldAnnotations => ({ description, tag: [ASSUMED] });

/** Tags a field as a secret: whoever has its value can act by it. */
export const tagSecret = <Annotations extends FieldAnnotations>(marks: Annotations): Annotations => ({
  ...marks,
  tag: [...(marks.tag ?? []), 'secret'],
});

/** The description of a field that calls an operation, with the operation: the coverage of the contract is read from there. */
export const annotateOperation = (operation: AnyOperation, description: string): OperationAnnotations => ({
  ...(operation.assumed ? annotateAssumed(description) : { description }),
  operation,
});

/**
 * The options of a field that calls an operation: its marks and scopes come from there. Fields of areas are made by this and its kin (`list`, `read`,
 * `mutation`, `entity`), so that no field can lack them.
 */
export const createOperationOptions = <Options extends object>(operation: AnyOperation, description: string, options: Options) => ({
  ...annotateOperation(operation, description),
  authScopes: { operation },
  ...options,
});
