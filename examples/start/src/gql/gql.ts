/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query ListCustomers {\n    customers(first: 10) {\n      nodes {\n        id\n        title\n      }\n    }\n  }\n": typeof types.ListCustomersDocument,
    "\n  mutation AddComment($input: CustomerCommentCreateInput!) {\n    customerCommentCreate(input: $input) {\n      __typename\n      ... on CustomerCommentCreatePayload {\n        comment {\n          id\n          body\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.AddCommentDocument,
    "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      path\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n    candidates {\n      __typename\n      id\n      rawId\n    }\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}": typeof types.FailureFragmentDoc,
};
const documents: Documents = {
    "\n  query ListCustomers {\n    customers(first: 10) {\n      nodes {\n        id\n        title\n      }\n    }\n  }\n": types.ListCustomersDocument,
    "\n  mutation AddComment($input: CustomerCommentCreateInput!) {\n    customerCommentCreate(input: $input) {\n      __typename\n      ... on CustomerCommentCreatePayload {\n        comment {\n          id\n          body\n        }\n      }\n      ...Failure\n    }\n  }\n": types.AddCommentDocument,
    "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      path\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n    candidates {\n      __typename\n      id\n      rawId\n    }\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}": types.FailureFragmentDoc,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ListCustomers {\n    customers(first: 10) {\n      nodes {\n        id\n        title\n      }\n    }\n  }\n"): (typeof documents)["\n  query ListCustomers {\n    customers(first: 10) {\n      nodes {\n        id\n        title\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddComment($input: CustomerCommentCreateInput!) {\n    customerCommentCreate(input: $input) {\n      __typename\n      ... on CustomerCommentCreatePayload {\n        comment {\n          id\n          body\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation AddComment($input: CustomerCommentCreateInput!) {\n    customerCommentCreate(input: $input) {\n      __typename\n      ... on CustomerCommentCreatePayload {\n        comment {\n          id\n          body\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      path\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n    candidates {\n      __typename\n      id\n      rawId\n    }\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}"): (typeof documents)["fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      path\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n    candidates {\n      __typename\n      id\n      rawId\n    }\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;