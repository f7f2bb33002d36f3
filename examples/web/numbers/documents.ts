import { graphql } from '../gql/gql.ts';

/** A query of analytics: its variables are made by the builder of examples/client/analytics.gen.ts, which types the rows, too. */
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
