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
    "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}": typeof types.FailureFragmentDoc,
    "\n  fragment MoneyParts on Money {\n    amount\n    currencyCode\n    minorUnits\n  }\n": typeof types.MoneyPartsFragmentDoc,
    "\n  fragment StockParts on Product {\n    id\n    hasInfiniteStock\n    inventoryBalances(first: 5) {\n      nodes {\n        id\n        available\n        location {\n          id\n          name\n        }\n      }\n    }\n  }\n": typeof types.StockPartsFragmentDoc,
    "\n  fragment QuoteParts on Quote {\n    id\n    referenceNumber\n    title\n    status\n    version\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    discounts {\n      discount {\n        id\n      }\n    }\n    lines {\n      id\n      quantity\n      priceType\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n": typeof types.QuotePartsFragmentDoc,
    "\n  fragment OrderParts on Order {\n    id\n    referenceNumber\n    status\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    lines {\n      id\n      quantity\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n": typeof types.OrderPartsFragmentDoc,
    "\n  fragment QuotePage on QuoteConnection {\n    edges {\n      cursor\n      node {\n        ...QuoteParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": typeof types.QuotePageFragmentDoc,
    "\n  fragment OrderPage on OrderConnection {\n    edges {\n      cursor\n      node {\n        ...OrderParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": typeof types.OrderPageFragmentDoc,
    "\n  query CustomerByNumber($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n      referenceNumber\n      customerName\n      email\n      phone\n      quotes(first: 3) {\n        ...QuotePage\n      }\n      orders(first: 3) {\n        ...OrderPage\n      }\n    }\n  }\n": typeof types.CustomerByNumberDocument,
    "\n  query MoreQuotes($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      quotes(first: 3, after: $after) {\n        ...QuotePage\n      }\n    }\n  }\n": typeof types.MoreQuotesDocument,
    "\n  query MoreOrders($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      orders(first: 3, after: $after) {\n        ...OrderPage\n      }\n    }\n  }\n": typeof types.MoreOrdersDocument,
    "\n  query QuoteNow($id: ID!) {\n    quote(id: $id) {\n      ...QuoteParts\n    }\n  }\n": typeof types.QuoteNowDocument,
    "\n  fragment FailureParts on MutationError {\n    ...Failure\n    ... on VersionConflictError {\n      current {\n        __typename\n        ... on Quote {\n          ...QuoteParts\n        }\n      }\n    }\n  }\n": typeof types.FailurePartsFragmentDoc,
    "\n  mutation ConfirmQuote($input: QuoteConfirmInput!) {\n    quoteConfirm(input: $input) {\n      __typename\n      ... on QuoteConfirmPayload {\n        quote {\n          ...QuoteParts\n        }\n        order {\n          id\n          referenceNumber\n        }\n      }\n      ...FailureParts\n    }\n  }\n": typeof types.ConfirmQuoteDocument,
    "\n  mutation UpdateQuote($input: QuoteUpdateInput!) {\n    quoteUpdate(input: $input) {\n      __typename\n      ... on QuoteUpdatePayload {\n        effect\n        quote {\n          ...QuoteParts\n        }\n      }\n      ...FailureParts\n    }\n  }\n": typeof types.UpdateQuoteDocument,
};
const documents: Documents = {
    "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}": types.FailureFragmentDoc,
    "\n  fragment MoneyParts on Money {\n    amount\n    currencyCode\n    minorUnits\n  }\n": types.MoneyPartsFragmentDoc,
    "\n  fragment StockParts on Product {\n    id\n    hasInfiniteStock\n    inventoryBalances(first: 5) {\n      nodes {\n        id\n        available\n        location {\n          id\n          name\n        }\n      }\n    }\n  }\n": types.StockPartsFragmentDoc,
    "\n  fragment QuoteParts on Quote {\n    id\n    referenceNumber\n    title\n    status\n    version\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    discounts {\n      discount {\n        id\n      }\n    }\n    lines {\n      id\n      quantity\n      priceType\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n": types.QuotePartsFragmentDoc,
    "\n  fragment OrderParts on Order {\n    id\n    referenceNumber\n    status\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    lines {\n      id\n      quantity\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n": types.OrderPartsFragmentDoc,
    "\n  fragment QuotePage on QuoteConnection {\n    edges {\n      cursor\n      node {\n        ...QuoteParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": types.QuotePageFragmentDoc,
    "\n  fragment OrderPage on OrderConnection {\n    edges {\n      cursor\n      node {\n        ...OrderParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": types.OrderPageFragmentDoc,
    "\n  query CustomerByNumber($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n      referenceNumber\n      customerName\n      email\n      phone\n      quotes(first: 3) {\n        ...QuotePage\n      }\n      orders(first: 3) {\n        ...OrderPage\n      }\n    }\n  }\n": types.CustomerByNumberDocument,
    "\n  query MoreQuotes($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      quotes(first: 3, after: $after) {\n        ...QuotePage\n      }\n    }\n  }\n": types.MoreQuotesDocument,
    "\n  query MoreOrders($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      orders(first: 3, after: $after) {\n        ...OrderPage\n      }\n    }\n  }\n": types.MoreOrdersDocument,
    "\n  query QuoteNow($id: ID!) {\n    quote(id: $id) {\n      ...QuoteParts\n    }\n  }\n": types.QuoteNowDocument,
    "\n  fragment FailureParts on MutationError {\n    ...Failure\n    ... on VersionConflictError {\n      current {\n        __typename\n        ... on Quote {\n          ...QuoteParts\n        }\n      }\n    }\n  }\n": types.FailurePartsFragmentDoc,
    "\n  mutation ConfirmQuote($input: QuoteConfirmInput!) {\n    quoteConfirm(input: $input) {\n      __typename\n      ... on QuoteConfirmPayload {\n        quote {\n          ...QuoteParts\n        }\n        order {\n          id\n          referenceNumber\n        }\n      }\n      ...FailureParts\n    }\n  }\n": types.ConfirmQuoteDocument,
    "\n  mutation UpdateQuote($input: QuoteUpdateInput!) {\n    quoteUpdate(input: $input) {\n      __typename\n      ... on QuoteUpdatePayload {\n        effect\n        quote {\n          ...QuoteParts\n        }\n      }\n      ...FailureParts\n    }\n  }\n": types.UpdateQuoteDocument,
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
export function graphql(source: "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}"): (typeof documents)["fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment MoneyParts on Money {\n    amount\n    currencyCode\n    minorUnits\n  }\n"): (typeof documents)["\n  fragment MoneyParts on Money {\n    amount\n    currencyCode\n    minorUnits\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment StockParts on Product {\n    id\n    hasInfiniteStock\n    inventoryBalances(first: 5) {\n      nodes {\n        id\n        available\n        location {\n          id\n          name\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment StockParts on Product {\n    id\n    hasInfiniteStock\n    inventoryBalances(first: 5) {\n      nodes {\n        id\n        available\n        location {\n          id\n          name\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment QuoteParts on Quote {\n    id\n    referenceNumber\n    title\n    status\n    version\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    discounts {\n      discount {\n        id\n      }\n    }\n    lines {\n      id\n      quantity\n      priceType\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment QuoteParts on Quote {\n    id\n    referenceNumber\n    title\n    status\n    version\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    discounts {\n      discount {\n        id\n      }\n    }\n    lines {\n      id\n      quantity\n      priceType\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment OrderParts on Order {\n    id\n    referenceNumber\n    status\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    lines {\n      id\n      quantity\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment OrderParts on Order {\n    id\n    referenceNumber\n    status\n    totalOnce {\n      ...MoneyParts\n    }\n    totalMonthly {\n      ...MoneyParts\n    }\n    lines {\n      id\n      quantity\n      productName\n      total {\n        ...MoneyParts\n      }\n      product {\n        ...StockParts\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment QuotePage on QuoteConnection {\n    edges {\n      cursor\n      node {\n        ...QuoteParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n"): (typeof documents)["\n  fragment QuotePage on QuoteConnection {\n    edges {\n      cursor\n      node {\n        ...QuoteParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment OrderPage on OrderConnection {\n    edges {\n      cursor\n      node {\n        ...OrderParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n"): (typeof documents)["\n  fragment OrderPage on OrderConnection {\n    edges {\n      cursor\n      node {\n        ...OrderParts\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CustomerByNumber($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n      referenceNumber\n      customerName\n      email\n      phone\n      quotes(first: 3) {\n        ...QuotePage\n      }\n      orders(first: 3) {\n        ...OrderPage\n      }\n    }\n  }\n"): (typeof documents)["\n  query CustomerByNumber($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n      referenceNumber\n      customerName\n      email\n      phone\n      quotes(first: 3) {\n        ...QuotePage\n      }\n      orders(first: 3) {\n        ...OrderPage\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MoreQuotes($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      quotes(first: 3, after: $after) {\n        ...QuotePage\n      }\n    }\n  }\n"): (typeof documents)["\n  query MoreQuotes($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      quotes(first: 3, after: $after) {\n        ...QuotePage\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MoreOrders($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      orders(first: 3, after: $after) {\n        ...OrderPage\n      }\n    }\n  }\n"): (typeof documents)["\n  query MoreOrders($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      id\n      orders(first: 3, after: $after) {\n        ...OrderPage\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query QuoteNow($id: ID!) {\n    quote(id: $id) {\n      ...QuoteParts\n    }\n  }\n"): (typeof documents)["\n  query QuoteNow($id: ID!) {\n    quote(id: $id) {\n      ...QuoteParts\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment FailureParts on MutationError {\n    ...Failure\n    ... on VersionConflictError {\n      current {\n        __typename\n        ... on Quote {\n          ...QuoteParts\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  fragment FailureParts on MutationError {\n    ...Failure\n    ... on VersionConflictError {\n      current {\n        __typename\n        ... on Quote {\n          ...QuoteParts\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmQuote($input: QuoteConfirmInput!) {\n    quoteConfirm(input: $input) {\n      __typename\n      ... on QuoteConfirmPayload {\n        quote {\n          ...QuoteParts\n        }\n        order {\n          id\n          referenceNumber\n        }\n      }\n      ...FailureParts\n    }\n  }\n"): (typeof documents)["\n  mutation ConfirmQuote($input: QuoteConfirmInput!) {\n    quoteConfirm(input: $input) {\n      __typename\n      ... on QuoteConfirmPayload {\n        quote {\n          ...QuoteParts\n        }\n        order {\n          id\n          referenceNumber\n        }\n      }\n      ...FailureParts\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateQuote($input: QuoteUpdateInput!) {\n    quoteUpdate(input: $input) {\n      __typename\n      ... on QuoteUpdatePayload {\n        effect\n        quote {\n          ...QuoteParts\n        }\n      }\n      ...FailureParts\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateQuote($input: QuoteUpdateInput!) {\n    quoteUpdate(input: $input) {\n      __typename\n      ... on QuoteUpdatePayload {\n        effect\n        quote {\n          ...QuoteParts\n        }\n      }\n      ...FailureParts\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;