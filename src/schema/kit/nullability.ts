import { type GraphQLField, type GraphQLNamedType, isNonNullType, isObjectType } from 'graphql';

interface NullabilityExtensions {
  readonly isNullOnlyWithError?: boolean;
}

/**
 * Extensions of a nullable field that is null only if an error with the same path explains it. It's nullable so that a failure doesn't remove other parts of
 * the response. The client schema adds `@semanticNonNull` to it.
 */
export const NULL_ONLY_WITH_ERROR = { isNullOnlyWithError: true } as const satisfies NullabilityExtensions;

type NullableField = Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>;

/** Whether null in a nullable field always means a failure. True for all mutations and connections: a connection without rows is empty, not null. */
export const isNullOnlyWithError = (parent: GraphQLNamedType, { type, extensions }: NullableField): boolean =>
  !isNonNullType(type) &&
  (parent.name === 'Mutation' ||
    (isObjectType(type) && type.name.endsWith('Connection')) ||
    (extensions as NullabilityExtensions).isNullOnlyWithError === true);
