import { moveFocus, STOP_CLASS } from './arrowKeys.ts';

/** A record that is listed as a link. */
interface Result {
  readonly id: string;
  /** Undefined if the record can't be opened. */
  readonly href: string | undefined;
  readonly title: string;
  /** Further texts. Missing ones are left out. */
  readonly details: readonly (string | null | false)[];
  readonly isCurrent?: boolean;
}

/** A list of links to records. Arrow keys move between them. */
export function ResultList({ results }: { readonly results: readonly Result[] }) {
  if (results.length === 0) return null;
  return (
    <div className="arrows">
      <ul className="results">
        {results.map(({ id, href, title, details, isCurrent }) => (
          <li key={id}>
            <a href={href} className={STOP_CLASS} onKeyDown={moveFocus} aria-current={isCurrent ? 'true' : undefined}>
              <span>{title}</span>
              <small>{details.filter(Boolean).join(' · ')}</small>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
