import { useEffect, useState } from 'react';
import type { Pacer } from '../../../cli/bulk/pacer.ts';
import { APPLIED, formatResult, type StoredRow } from '../../../cli/import/rowStore.ts';
import { formatStatus } from '../formatStatus.ts';
import { createHref } from '../route.ts';
import { downloadText } from './downloadText.ts';

/** Number of results that are displayed. */
const MAX_DISPLAYED = 100;

/** The parts of a result that are displayed. */
interface Details {
  readonly ids?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly issues?: readonly { readonly column?: string; readonly message: string }[];
  readonly problems?: readonly { readonly column: string | null; readonly message: string }[];
  readonly blockers?: readonly string[];
  readonly candidates?: readonly string[];
}

interface Candidate {
  readonly __typename: string;
  readonly id: string;
  readonly referenceNumber?: string | null;
  readonly title?: string | null;
}

const CANDIDATES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Customer { referenceNumber title } } }';

/** The page of a record. Undefined if it has none. */
function getHref({ __typename, id, referenceNumber }: Candidate): string | undefined {
  if (__typename === 'Customer' && referenceNumber) return createHref('customer', referenceNumber);
  return __typename === 'WorkOrder' ? createHref('work', id) : undefined;
}

/** Records that a row may have created. */
function Candidates({ ids, pacer }: { readonly ids: readonly string[]; readonly pacer: Pacer }) {
  const [candidates, setCandidates] = useState<readonly Candidate[]>(ids.map((id) => ({ __typename: 'Record', id })));
  const key = ids.join(' ');
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const { data } = await pacer.request(CANDIDATES, { ids: key.split(' ') }, { calls: 1, depth: 1 });
      if (isCurrent) setCandidates((data.nodes as readonly (Candidate | null)[]).filter((each) => each !== null));
    };
    // Without them, the IDs are displayed.
    load().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [key, pacer]);
  return (
    <ul>
      {candidates.map((candidate) => {
        const { __typename, id, referenceNumber, title } = candidate;
        const name = [referenceNumber, title].filter(Boolean).join(' · ') || `${__typename} ${id}`;
        const href = getHref(candidate);
        return <li key={id}>{href ? <a href={href}>{name}</a> : name}</li>;
      })}
    </ul>
  );
}

function Outcome({ row, pacer }: { readonly row: StoredRow; readonly pacer: Pacer }) {
  const { ids = {}, message, issues = [], problems = [], blockers = [], candidates = [] }: Details = JSON.parse(row.result ?? '{}');
  const texts = [...[...issues, ...problems].map((each) => `${each.column ? `${each.column}: ` : ''}${each.message}`), ...blockers];
  return (
    <>
      {texts.length === 0 && message && <p>{message}</p>}
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {row.status === 'OUTCOME_UNKNOWN' && (
        <>
          <p>
            {candidates.length > 0
              ? 'The row may be applied. It may have created one of these records:'
              : 'The row may be applied, and no record was found that it created. Check before you add it in another way.'}
          </p>
          {candidates.length > 0 && <Candidates ids={candidates} pacer={pacer} />}
        </>
      )}
      {Object.entries(ids).map(([field, id]) => (
        <p key={field} className="unknown">
          {field} {id}
        </p>
      ))}
    </>
  );
}

const getStatus = ({ status }: StoredRow) => status ?? 'NOT_SENT';

function toTone(row: StoredRow): string {
  if (APPLIED.has(row.status)) return 'completed';
  return row.status === 'OUTCOME_UNKNOWN' ? 'concept' : '';
}

interface ResultsProps {
  readonly rows: readonly StoredRow[];
  readonly pacer: Pacer;
  readonly fileName: string;
}

/** The results of rows, first of those that aren't applied. */
export function Results({ rows, pacer, fileName }: ResultsProps) {
  const counts = Map.groupBy(rows, getStatus);
  const displayed = rows
    .toSorted((one, other) => Number(APPLIED.has(one.status)) - Number(APPLIED.has(other.status)))
    .slice(0, MAX_DISPLAYED);
  return (
    <section className="card" aria-labelledby="import-results">
      <h3 id="import-results">Results</h3>
      <ul className="import-counts" aria-label="Rows by status">
        {[...counts].map(([status, each]) => (
          <li key={status}>
            <span className={`badge ${each[0] ? toTone(each[0]) : ''}`}>{formatStatus(status)}</span> {each.length.toLocaleString('en')}
          </li>
        ))}
      </ul>
      <p className="buttons">
        <button type="button" className="quiet" onClick={() => downloadText(`${fileName}.results.jsonl`, rows.map(formatResult).join(''))}>
          Download results
        </button>
      </p>
      {displayed.length < rows.length && (
        <p className="unknown">
          {displayed.length} of {rows.length.toLocaleString('en')} results. The download has all of them.
        </p>
      )}
      <table className="import-results">
        <thead>
          <tr>
            <th scope="col" className="number">
              Line
            </th>
            <th scope="col">Status</th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          {displayed.map((row) => (
            <tr key={row.identity}>
              <th scope="row" className="number">
                {row.line}
              </th>
              <td>
                <span className={`badge ${toTone(row)}`}>{formatStatus(getStatus(row))}</span>
              </td>
              <td>
                <Outcome row={row} pacer={pacer} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
