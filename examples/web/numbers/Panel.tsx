import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import type { AnalyticsQueryInput, NumbersQuery } from '../gql/graphql.ts';
import { ReadStatus } from '../ReadStatus.tsx';
import { Numbers } from './documents.ts';

/** A result of an analytics query. */
export type AnalyticsResult = Extract<NumbersQuery['analyticsQuery'], { readonly __typename: 'AnalyticsResult' }>;

interface PanelProps<Row> {
  readonly title: string;
  /** Sentence that describes what is counted. */
  readonly description: string;
  readonly query: { readonly input: AnalyticsQueryInput; readonly rows: (result: AnalyticsResult) => readonly Row[] };
  readonly children: (rows: readonly Row[], result: AnalyticsResult) => ReactNode;
}

/** When the result was computed, in the time zone of its days. */
function formatTimestamp(generatedAt: string, timezone: string | null): string {
  const zone = timezone ?? 'UTC';
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  return `${format.format(new Date(generatedAt))}, ${zone}`;
}

/** A card with the result of one query. Each card has its own request, so that a failure doesn't affect the others. */
export function Panel<Row>({ title, description, query, children }: PanelProps<Row>) {
  const read = useQuery(Numbers, { variables: { query: query.input }, errorPolicy: 'all' });
  const response = read.data?.analyticsQuery;
  const result = response?.__typename === 'AnalyticsResult' ? response : undefined;
  return (
    <section className="card numbers" aria-label={title}>
      <h3>{title}</h3>
      <p className="unknown">{description}</p>
      <ReadStatus read={read}>
        {response?.__typename === 'AnalyticsQueryError' && <p className="notice failed">{response.message}</p>}
        {result?.rows.length === 0 && <p className="unknown">No data.</p>}
        {result?.isTruncated && <p className="notice failed">The result is truncated.</p>}
        {result?.warnings?.map((warning) => (
          <p key={warning} className="unknown">
            {warning}
          </p>
        ))}
      </ReadStatus>
      {result && result.rows.length > 0 && children(query.rows(result), result)}
      {response && (
        <p className="buttons">
          <button type="button" className="quiet" onClick={() => void read.refetch()} aria-busy={read.loading}>
            Reload
          </button>
          {result?.generatedAt && <small>As of {formatTimestamp(result.generatedAt, result.timezone)}</small>}
        </p>
      )}
    </section>
  );
}
