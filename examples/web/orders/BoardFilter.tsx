import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import type { OrderBoardQueryVariables } from '../gql/graphql.ts';

/** Arguments of the board's searches. */
export type Filter = Required<OrderBoardQueryVariables>;

/** Time without input after which the text is searched, in milliseconds. */
const DELAY_MS = 300;

interface BoardFilterProps {
  readonly filter: Filter;
  /** Currencies of the workspace's orders. */
  readonly currencies: readonly string[];
  readonly onChange: (filter: Filter) => void;
  /** Buttons. */
  readonly children: ReactNode;
}

/** The filter of the board. Changes apply immediately, except that a text is searched once when the user pauses or presses Enter. */
export function BoardFilter({ filter, currencies, onChange, children }: BoardFilterProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    const data = new FormData(form);
    const currency = data.get('currency');
    onChange({ query: String(data.get('query')).trim() || null, currencies: currency ? [String(currency)] : null });
  };
  const searchLater = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(search, DELAY_MS, form);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    search(event.currentTarget);
  };
  return (
    <search>
      <form onSubmit={submit}>
        <label>
          Number or customer
          <input
            type="search"
            name="query"
            maxLength={200}
            defaultValue={filter.query ?? ''}
            autoComplete="off"
            onChange={(event) => event.currentTarget.form && searchLater(event.currentTarget.form)}
          />
        </label>
        {currencies.length > 1 && (
          <label>
            Currency
            <select name="currency" onChange={(event) => event.currentTarget.form && search(event.currentTarget.form)}>
              <option value="">All</option>
              {currencies.map((currency) => (
                <option key={currency}>{currency}</option>
              ))}
            </select>
          </label>
        )}
        {children}
      </form>
    </search>
  );
}
