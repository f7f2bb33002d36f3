import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import type { AnalyticsQueryInput, NumbersQuery } from '../gql/graphql.ts';
import { Numbers } from './documents.ts';

/** An answer of analytics. */
export type Answer = Extract<NumbersQuery['analyticsQuery'], { readonly __typename: 'AnalyticsResult' }>;

interface PanelProps<Row> {
  readonly title: string;
  /** Sentence that tells what is counted. */
  readonly about: string;
  readonly question: { readonly input: AnalyticsQueryInput; readonly rows: (answer: Answer) => readonly Row[] };
  readonly children: (rows: readonly Row[], answer: Answer) => ReactNode;
}

/** The moment of an answer, in the zone that its days are of. */
function momentOf(generatedAt: string, timezone: string | null): string {
  const zone = timezone ?? 'UTC';
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  return `${format.format(new Date(generatedAt))}, ${zone}`;
}

/** A card with the answer to one question. Each is read by itself, so that one that fails leaves the others. */
export function Panel<Row>({ title, about, question, children }: PanelProps<Row>) {
  const { data, error, loading, refetch } = useQuery(Numbers, { variables: { query: question.input }, errorPolicy: 'all' });
  const result = data?.analyticsQuery;
  const answer = result?.__typename === 'AnalyticsResult' ? result : undefined;
  return (
    <section className="card numbers" aria-label={title}>
      <h3>{title}</h3>
      <p className="unknown">{about}</p>
      <div role="status">
        {loading && <p>Loading…</p>}
        {error && <p className="notice failed">{error.message}</p>}
        {result?.__typename === 'AnalyticsQueryError' && <p className="notice failed">{result.message}</p>}
        {answer?.rows.length === 0 && <p className="unknown">No data.</p>}
        {answer?.isTruncated && <p className="notice failed">The result is truncated.</p>}
        {answer?.warnings?.map((warning) => (
          <p key={warning} className="unknown">
            {warning}
          </p>
        ))}
      </div>
      {answer && answer.rows.length > 0 && children(question.rows(answer), answer)}
      {!loading && (
        <p className="buttons">
          <button type="button" className="quiet" onClick={() => void refetch()}>
            Reload
          </button>
          {answer?.generatedAt && <small>As of {momentOf(answer.generatedAt, answer.timezone)}</small>}
        </p>
      )}
    </section>
  );
}
