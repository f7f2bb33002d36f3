import { type GraphQLSchema, isObjectType } from 'graphql';
import { getOperation } from '../../src/schema/kit/operations.ts';
import { getEntityOfType } from '../../src/schema/kit/registry.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';

/** A coordinate of the graph that calls an operation. */
export interface Coordinate {
  /** Null for reads of the type by ID: `node`, `_entities`, and every field that refers to it. */
  readonly type: string;
  readonly field: string | null;
  readonly operation: AnyOperation;
}

/** Operations that a field calls in addition to its own. */
interface FieldExtensions {
  readonly alsoCalls?: readonly AnyOperation[];
}

/** Every coordinate of the graph that calls an operation, according to the fields' extensions. */
export function listExposedOperations(schema: GraphQLSchema): Coordinate[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => {
      const operation = getEntityOfType(type)?.operation;
      const reads = operation ? [{ type: type.name, field: null, operation }] : [];
      const calls = Object.values(type.getFields()).flatMap((field) => {
        const { alsoCalls = [] } = field.extensions as FieldExtensions;
        const called = getOperation(field);
        return [...(called ? [called] : []), ...alsoCalls].map((each) => ({ type: type.name, field: field.name, operation: each }));
      });
      return [...reads, ...calls];
    });
}
