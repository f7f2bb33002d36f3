import { type GraphQLSchema, isInterfaceType } from 'graphql';
import {
  type ApiError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  NotFoundError,
  OperationInProgressError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransitionBlockedError,
  ValidationError,
  VersionConflictError,
} from '../../src/failures/failures.ts';

/** One error of each type in result unions, which knows its code. */
const EXAMPLES: readonly ApiError[] = [
  new ValidationError([]),
  new NotFoundError(''),
  new ForbiddenError('UNDETERMINED', []),
  new RateLimitedError(null),
  new OutcomeUnknownError({ startedAt: new Date(0), idempotencyKey: null, retry: 'SAME_KEY', advice: '' }),
  new RejectedError(400, null, ''),
  new IdempotencyKeyReusedError(),
  new OperationInProgressError(1),
  new VersionConflictError('1', null, null),
  new TransitionBlockedError(''),
];

/** Names of the types that implement `MutationError`, by error code. */
export function findFailureTypes(schema: GraphQLSchema): Record<string, string> {
  const mutationError = schema.getType('MutationError');
  const types = isInterfaceType(mutationError) ? schema.getPossibleTypes(mutationError) : [];
  const entries = types.map(({ name }) => {
    const example = EXAMPLES.find((error) => error.name === name);
    if (!example) throw new Error(`${name} has no example. Add one to EXAMPLES in scripts/codegen/failureTypes.ts.`);
    return [example.code, name] as const;
  });
  return Object.fromEntries(entries);
}
