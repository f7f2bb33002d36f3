import { graphql } from '../gql/gql.ts';

graphql(`
  fragment AdvancedTaskParts on AdvancedTask {
    id
    status
    values
    definition {
      id
      name
      description
      fields {
        name
        label
        isRequired
      }
    }
  }
`);

graphql(`
  fragment AdvancedTaskPage on AdvancedTaskConnection {
    edges {
      cursor
      node {
        ...AdvancedTaskParts
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

graphql(`
  fragment ProblemParts on Problem {
    id
    title
    description
    status
    incompleteAdvancedTaskCount
    advancedTasks(first: 20) {
      ...AdvancedTaskPage
    }
  }
`);

graphql(`
  fragment WorkOrderParts on WorkOrder {
    __typename
    id
    title
    description
    status
    customer {
      id
      title
      referenceNumber
    }
    template {
      id
      name
    }
    location {
      id
      label
    }
    tasks(first: 100) {
      edges {
        cursor
        node {
          id
          body
          isCompleted
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    advancedTasks(first: 20) {
      ...AdvancedTaskPage
    }
  }
`);

// The current record after a conflict, which the page displays immediately.
graphql(`
  fragment WorkOrderFailure on MutationError {
    ...Failure
    ... on TransitionBlockedError {
      current {
        __typename
        ... on WorkOrder {
          ...WorkOrderParts
        }
      }
    }
  }
`);

// Separate from the fragment of work orders, because fields of a union's members must have the same type.
graphql(`
  fragment ProblemFailure on MutationError {
    ...Failure
    ... on TransitionBlockedError {
      current {
        __typename
        ... on Problem {
          ...ProblemParts
        }
      }
    }
  }
`);

export const OpenWorkOrders = graphql(`
  query OpenWorkOrders($after: String) {
    workOrders(first: 25, after: $after, filter: { status: OPEN }) {
      edges {
        cursor
        node {
          id
          title
          status
          customer {
            id
            title
            referenceNumber
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** A work order, and the problems of its customer. */
export const WorkOrderNow = graphql(`
  query WorkOrderNow($id: ID!) {
    workOrder(id: $id) {
      ...WorkOrderParts
      customer {
        id
        problems(first: 10) {
          edges {
            cursor
            node {
              ...ProblemParts
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`);

export const SetTasks = graphql(`
  mutation SetTasks($input: WorkOrderUpdateInput!) {
    workOrderUpdate(input: $input) {
      __typename
      ... on WorkOrderUpdatePayload {
        effect
        workOrder {
          ...WorkOrderParts
        }
      }
      ...WorkOrderFailure
    }
  }
`);

export const CompleteWorkOrder = graphql(`
  mutation CompleteWorkOrder($input: WorkOrderCompleteInput!) {
    workOrderComplete(input: $input) {
      __typename
      ... on WorkOrderCompletePayload {
        effect
        workOrder {
          ...WorkOrderParts
        }
      }
      ...WorkOrderFailure
    }
  }
`);

export const FillInTask = graphql(`
  mutation FillInTask($input: AdvancedTaskUpdateInput!) {
    advancedTaskUpdate(input: $input) {
      __typename
      ... on AdvancedTaskUpdatePayload {
        effect
        task {
          ...AdvancedTaskParts
        }
        problem {
          id
          incompleteAdvancedTaskCount
        }
      }
      ...Failure
    }
  }
`);

export const ResolveProblem = graphql(`
  mutation ResolveProblem($input: ProblemResolveInput!) {
    problemResolve(input: $input) {
      __typename
      ... on ProblemResolvePayload {
        effect
        problem {
          ...ProblemParts
        }
      }
      ...ProblemFailure
    }
  }
`);
