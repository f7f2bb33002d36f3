import { type GraphQLField, type GraphQLNamedType, isNonNullType, isObjectType } from 'graphql';

interface NullabilityExtensions {
  readonly isNullOnlyWithError?: boolean;
}

/**
 * The extensions of a nullable field whose null is never data: an error of the same path says why. The field is nullable so that a failure takes
 * nothing else of the answer away. The client schema says `@semanticNonNull` of it.
 */
export const NULL_ONLY_WITH_ERROR = { isNullOnlyWithError: true } as const satisfies NullabilityExtensions;

type Field = Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>;

/** Whether null in a nullable field is always a failure. Always so of what mutations answer, and of connections: one without rows is empty. */
export const isNullOnlyWithError = (parent: GraphQLNamedType, { type, extensions }: Field): boolean =>
  !isNonNullType(type) &&
  (parent.name === 'Mutation' ||
    (isObjectType(type) && type.name.endsWith('Connection')) ||
    (extensions as NullabilityExtensions).isNullOnlyWithError === true);
