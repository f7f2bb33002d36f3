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
    "\n  query FindCustomer($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n    }\n  }\n": typeof types.FindCustomerDocument,
    "\n  query QuotesPage($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      quotes(first: 50, after: $after) {\n        nodes {\n          id\n          referenceNumber\n          title\n          status\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.QuotesPageDocument,
    "\n  mutation ConfirmQuote($quoteId: ID!) {\n    quoteConfirm(input: { quoteId: $quoteId }) {\n      __typename\n      ... on QuoteConfirmPayload {\n        order {\n          referenceNumber\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.ConfirmQuoteDocument,
    "\n  query FindPortfolio($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      rawId\n      title\n      contact {\n        id\n      }\n      workOrderLocations {\n        id\n        label\n      }\n    }\n  }\n": typeof types.FindPortfolioDocument,
    "\n  mutation ReportProblem($input: ProblemCreateInput!) {\n    problemCreate(input: $input) {\n      __typename\n      ... on ProblemCreatePayload {\n        problem {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.ReportProblemDocument,
    "\n  mutation OrderWork($input: WorkOrderCreateInput!) {\n    workOrderCreate(input: $input) {\n      __typename\n      ... on WorkOrderCreatePayload {\n        workOrder {\n          id\n          tasks(first: 100) {\n            nodes {\n              id\n            }\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.OrderWorkDocument,
    "\n  query Agendas {\n    agendas {\n      id\n      name\n      strategy\n      isBookable\n      allowedTypes {\n        id\n        name\n      }\n    }\n  }\n": typeof types.AgendasDocument,
    "\n  query SlotsOfDay($agendaId: ID!, $appointmentTypeId: ID!, $day: Date!) {\n    agenda(id: $agendaId) {\n      availableSlots(day: $day, appointmentTypeId: $appointmentTypeId) {\n        startsAt\n      }\n    }\n  }\n": typeof types.SlotsOfDayDocument,
    "\n  mutation BookVisit($input: AppointmentCreateInput!) {\n    appointmentCreate(input: $input) {\n      __typename\n      ... on AppointmentCreatePayload {\n        appointment {\n          id\n          startsAt\n          member {\n            displayName\n          }\n          resultCodes {\n            id\n            name\n            isSuccess\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.BookVisitDocument,
    "\n  mutation RecordVisit($input: AppointmentResultRecordInput!) {\n    appointmentResultRecord(input: $input) {\n      __typename\n      ... on AppointmentResultRecordPayload {\n        appointment {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.RecordVisitDocument,
    "\n  mutation CompleteTasks($input: WorkOrderUpdateInput!) {\n    workOrderUpdate(input: $input) {\n      __typename\n      ... on WorkOrderUpdatePayload {\n        workOrder {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.CompleteTasksDocument,
    "\n  mutation CompleteWork($input: WorkOrderCompleteInput!) {\n    workOrderComplete(input: $input) {\n      __typename\n      ... on WorkOrderCompletePayload {\n        workOrder {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.CompleteWorkDocument,
    "\n  mutation SolveProblem($input: ProblemResolveInput!) {\n    problemResolve(input: $input) {\n      __typename\n      ... on ProblemResolvePayload {\n        problem {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n": typeof types.SolveProblemDocument,
    "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}": typeof types.FailureFragmentDoc,
};
const documents: Documents = {
    "\n  query FindCustomer($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n    }\n  }\n": types.FindCustomerDocument,
    "\n  query QuotesPage($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      quotes(first: 50, after: $after) {\n        nodes {\n          id\n          referenceNumber\n          title\n          status\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.QuotesPageDocument,
    "\n  mutation ConfirmQuote($quoteId: ID!) {\n    quoteConfirm(input: { quoteId: $quoteId }) {\n      __typename\n      ... on QuoteConfirmPayload {\n        order {\n          referenceNumber\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n": types.ConfirmQuoteDocument,
    "\n  query FindPortfolio($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      rawId\n      title\n      contact {\n        id\n      }\n      workOrderLocations {\n        id\n        label\n      }\n    }\n  }\n": types.FindPortfolioDocument,
    "\n  mutation ReportProblem($input: ProblemCreateInput!) {\n    problemCreate(input: $input) {\n      __typename\n      ... on ProblemCreatePayload {\n        problem {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n": types.ReportProblemDocument,
    "\n  mutation OrderWork($input: WorkOrderCreateInput!) {\n    workOrderCreate(input: $input) {\n      __typename\n      ... on WorkOrderCreatePayload {\n        workOrder {\n          id\n          tasks(first: 100) {\n            nodes {\n              id\n            }\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n": types.OrderWorkDocument,
    "\n  query Agendas {\n    agendas {\n      id\n      name\n      strategy\n      isBookable\n      allowedTypes {\n        id\n        name\n      }\n    }\n  }\n": types.AgendasDocument,
    "\n  query SlotsOfDay($agendaId: ID!, $appointmentTypeId: ID!, $day: Date!) {\n    agenda(id: $agendaId) {\n      availableSlots(day: $day, appointmentTypeId: $appointmentTypeId) {\n        startsAt\n      }\n    }\n  }\n": types.SlotsOfDayDocument,
    "\n  mutation BookVisit($input: AppointmentCreateInput!) {\n    appointmentCreate(input: $input) {\n      __typename\n      ... on AppointmentCreatePayload {\n        appointment {\n          id\n          startsAt\n          member {\n            displayName\n          }\n          resultCodes {\n            id\n            name\n            isSuccess\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n": types.BookVisitDocument,
    "\n  mutation RecordVisit($input: AppointmentResultRecordInput!) {\n    appointmentResultRecord(input: $input) {\n      __typename\n      ... on AppointmentResultRecordPayload {\n        appointment {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n": types.RecordVisitDocument,
    "\n  mutation CompleteTasks($input: WorkOrderUpdateInput!) {\n    workOrderUpdate(input: $input) {\n      __typename\n      ... on WorkOrderUpdatePayload {\n        workOrder {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n": types.CompleteTasksDocument,
    "\n  mutation CompleteWork($input: WorkOrderCompleteInput!) {\n    workOrderComplete(input: $input) {\n      __typename\n      ... on WorkOrderCompletePayload {\n        workOrder {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n": types.CompleteWorkDocument,
    "\n  mutation SolveProblem($input: ProblemResolveInput!) {\n    problemResolve(input: $input) {\n      __typename\n      ... on ProblemResolvePayload {\n        problem {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n": types.SolveProblemDocument,
    "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}": types.FailureFragmentDoc,
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
export function graphql(source: "\n  query FindCustomer($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n    }\n  }\n"): (typeof documents)["\n  query FindCustomer($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      id\n      title\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query QuotesPage($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      quotes(first: 50, after: $after) {\n        nodes {\n          id\n          referenceNumber\n          title\n          status\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query QuotesPage($customerId: ID!, $after: String) {\n    customer(id: $customerId) {\n      quotes(first: 50, after: $after) {\n        nodes {\n          id\n          referenceNumber\n          title\n          status\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmQuote($quoteId: ID!) {\n    quoteConfirm(input: { quoteId: $quoteId }) {\n      __typename\n      ... on QuoteConfirmPayload {\n        order {\n          referenceNumber\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation ConfirmQuote($quoteId: ID!) {\n    quoteConfirm(input: { quoteId: $quoteId }) {\n      __typename\n      ... on QuoteConfirmPayload {\n        order {\n          referenceNumber\n          totalOnce {\n            amount\n            currencyCode\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FindPortfolio($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      rawId\n      title\n      contact {\n        id\n      }\n      workOrderLocations {\n        id\n        label\n      }\n    }\n  }\n"): (typeof documents)["\n  query FindPortfolio($referenceNumber: String!) {\n    customersByIdentifier(by: { referenceNumber: $referenceNumber }) {\n      rawId\n      title\n      contact {\n        id\n      }\n      workOrderLocations {\n        id\n        label\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReportProblem($input: ProblemCreateInput!) {\n    problemCreate(input: $input) {\n      __typename\n      ... on ProblemCreatePayload {\n        problem {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation ReportProblem($input: ProblemCreateInput!) {\n    problemCreate(input: $input) {\n      __typename\n      ... on ProblemCreatePayload {\n        problem {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OrderWork($input: WorkOrderCreateInput!) {\n    workOrderCreate(input: $input) {\n      __typename\n      ... on WorkOrderCreatePayload {\n        workOrder {\n          id\n          tasks(first: 100) {\n            nodes {\n              id\n            }\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation OrderWork($input: WorkOrderCreateInput!) {\n    workOrderCreate(input: $input) {\n      __typename\n      ... on WorkOrderCreatePayload {\n        workOrder {\n          id\n          tasks(first: 100) {\n            nodes {\n              id\n            }\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Agendas {\n    agendas {\n      id\n      name\n      strategy\n      isBookable\n      allowedTypes {\n        id\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query Agendas {\n    agendas {\n      id\n      name\n      strategy\n      isBookable\n      allowedTypes {\n        id\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SlotsOfDay($agendaId: ID!, $appointmentTypeId: ID!, $day: Date!) {\n    agenda(id: $agendaId) {\n      availableSlots(day: $day, appointmentTypeId: $appointmentTypeId) {\n        startsAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query SlotsOfDay($agendaId: ID!, $appointmentTypeId: ID!, $day: Date!) {\n    agenda(id: $agendaId) {\n      availableSlots(day: $day, appointmentTypeId: $appointmentTypeId) {\n        startsAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BookVisit($input: AppointmentCreateInput!) {\n    appointmentCreate(input: $input) {\n      __typename\n      ... on AppointmentCreatePayload {\n        appointment {\n          id\n          startsAt\n          member {\n            displayName\n          }\n          resultCodes {\n            id\n            name\n            isSuccess\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation BookVisit($input: AppointmentCreateInput!) {\n    appointmentCreate(input: $input) {\n      __typename\n      ... on AppointmentCreatePayload {\n        appointment {\n          id\n          startsAt\n          member {\n            displayName\n          }\n          resultCodes {\n            id\n            name\n            isSuccess\n          }\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RecordVisit($input: AppointmentResultRecordInput!) {\n    appointmentResultRecord(input: $input) {\n      __typename\n      ... on AppointmentResultRecordPayload {\n        appointment {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation RecordVisit($input: AppointmentResultRecordInput!) {\n    appointmentResultRecord(input: $input) {\n      __typename\n      ... on AppointmentResultRecordPayload {\n        appointment {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CompleteTasks($input: WorkOrderUpdateInput!) {\n    workOrderUpdate(input: $input) {\n      __typename\n      ... on WorkOrderUpdatePayload {\n        workOrder {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation CompleteTasks($input: WorkOrderUpdateInput!) {\n    workOrderUpdate(input: $input) {\n      __typename\n      ... on WorkOrderUpdatePayload {\n        workOrder {\n          id\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CompleteWork($input: WorkOrderCompleteInput!) {\n    workOrderComplete(input: $input) {\n      __typename\n      ... on WorkOrderCompletePayload {\n        workOrder {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation CompleteWork($input: WorkOrderCompleteInput!) {\n    workOrderComplete(input: $input) {\n      __typename\n      ... on WorkOrderCompletePayload {\n        workOrder {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SolveProblem($input: ProblemResolveInput!) {\n    problemResolve(input: $input) {\n      __typename\n      ... on ProblemResolvePayload {\n        problem {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n"): (typeof documents)["\n  mutation SolveProblem($input: ProblemResolveInput!) {\n    problemResolve(input: $input) {\n      __typename\n      ... on ProblemResolvePayload {\n        problem {\n          status\n        }\n      }\n      ...Failure\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}"): (typeof documents)["fragment Failure on MutationError {\n  __typename\n  code\n  message\n  retry\n  ... on ValidationError {\n    issues {\n      path\n      code\n      limit\n      message\n    }\n  }\n  ... on NotFoundError {\n    missingId\n    path\n  }\n  ... on ForbiddenError {\n    reason\n    missingScopes\n  }\n  ... on RateLimitedError {\n    retryAfterSeconds\n  }\n  ... on OperationInProgressError {\n    retryAfterSeconds\n  }\n  ... on VersionConflictError {\n    expectedVersion\n    currentVersion\n    current {\n      __typename\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on TransitionBlockedError {\n    fromText\n    blockers {\n      code\n      message\n    }\n    current {\n      __typename\n      ... on Customer {\n        id\n      }\n      ... on InventoryReceipt {\n        id\n      }\n      ... on Order {\n        id\n        version\n      }\n      ... on Quote {\n        id\n        version\n      }\n    }\n  }\n  ... on OutcomeUnknownError {\n    operation\n    idempotencyKey\n    startedAt\n  }\n  ... on RejectedError {\n    reasonCode\n    httpStatus\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;