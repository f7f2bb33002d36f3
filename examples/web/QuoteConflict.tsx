import type { QuotePartsFragment } from './gql/graphql.ts';
import { compareLines, type QuoteEdit } from './quoteMutations.ts';

interface QuoteConflictProps {
  readonly edit: QuoteEdit;
  /** The quote as another caller has saved it. */
  readonly stored: QuotePartsFragment;
  readonly onKeepMine: () => void;
  readonly onUseStored: () => void;
}

/** What the user typed next to what is stored now, and a choice between both. */
export function QuoteConflict({ edit, stored, onKeepMine, onUseStored }: QuoteConflictProps) {
  return (
    <>
      <p>
        You edited version {edit.quote.version}, but version {stored.version} is stored now. Nothing was saved.
      </p>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" className="number">
              You typed
            </th>
            <th scope="col" className="number">
              Stored now
            </th>
          </tr>
        </thead>
        <tbody>
          {compareLines(edit, stored.lines).map(({ key, productName, typed, stored: now }) => (
            <tr key={key} className={typed === now ? undefined : 'differs'}>
              <th scope="row">{productName}</th>
              <td className="number">{typed ?? '—'}</td>
              <td className="number">{now ?? 'removed'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="buttons">
        <button type="button" onClick={onKeepMine}>
          Continue with my quantities
        </button>
        <button type="button" className="quiet" onClick={onUseStored}>
          Use what is stored
        </button>
      </p>
    </>
  );
}
