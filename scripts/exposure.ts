import { type GraphQLSchema, isObjectType } from 'graphql';
import { getOperation } from '../src/schema/kit/operations.ts';
import type { AnyOperation } from '../src/upstream/contract/operation.ts';

/** A place in the graph that calls an operation. */
export interface Coordinate {
  /** The type's name alone stands for reading an entity by its id: `node`, `_entities`, and every edge to it. */
  readonly type: string;
  readonly field: string | null;
  readonly operation: AnyOperation;
}

/** Operations that a field calls beside its own. */
interface FieldExtensions {
  readonly alsoCalls?: readonly AnyOperation[];
}

/** Every place in the graph that calls an operation, as the fields themselves say. */
export function exposedBy(schema: GraphQLSchema): Coordinate[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => {
      const { operation } = type.extensions as { readonly operation?: AnyOperation };
      const reads = operation ? [{ type: type.name, field: null, operation }] : [];
      const calls = Object.values(type.getFields()).flatMap((field) => {
        const { alsoCalls = [] } = field.extensions as FieldExtensions;
        const called = getOperation(field);
        return [...(called ? [called] : []), ...alsoCalls].map((each) => ({ type: type.name, field: field.name, operation: each }));
      });
      return [...reads, ...calls];
    });
}
