import { graphql } from '../gql/gql.ts';

/** An analytics query. The builder in examples/client/analytics.gen.ts creates its variables and types the rows. */
export const Numbers = graphql(`
  query Numbers($query: AnalyticsQueryInput!) {
    analyticsQuery(query: $query) {
      __typename
      ... on AnalyticsResult {
        columns {
          name
          valueType
        }
        rows {
          cells {
            status
            value
          }
        }
        isTruncated
        warnings
        timezone
        resolvedTimeRange {
          from
          to
        }
        generatedAt
      }
      ... on AnalyticsQueryError {
        message
      }
    }
  }
`);
