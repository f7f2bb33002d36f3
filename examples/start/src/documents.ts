import { graphql } from './gql/gql.ts';

export const ListCustomers = graphql(`
  query ListCustomers {
    customers(first: 10) {
      nodes {
        id
        title
      }
    }
  }
`);

export const AddComment = graphql(`
  mutation AddComment($input: CustomerCommentCreateInput!) {
    customerCommentCreate(input: $input) {
      __typename
      ... on CustomerCommentCreatePayload {
        comment {
          id
          body
        }
      }
      ...Failure
    }
  }
`);
