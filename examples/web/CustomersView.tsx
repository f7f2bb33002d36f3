import { useQuery } from '@apollo/client/react';
import type { SubmitEvent } from 'react';
import { FirstCustomers } from './documents.ts';
import { createHref, goTo } from './route.ts';

/** Opens a customer by number. */
function CustomerForm() {
  const open = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    goTo('customer', String(new FormData(event.currentTarget).get('referenceNumber')).trim());
  };
  return (
    <form onSubmit={open}>
      <label>
        Customer number
        <input name="referenceNumber" required spellCheck={false} autoComplete="off" placeholder="C-000001" />
      </label>
      <button type="submit" className="quiet">
        Open
      </button>
    </form>
  );
}

/** The first customers, as links. */
export function CustomersView() {
  const { data, error, loading } = useQuery(FirstCustomers, { errorPolicy: 'all' });
  const page = data?.customers;
  return (
    <>
      <div className="toolbar">
        <h2>Customers</h2>
        <CustomerForm />
      </div>
      <div role="status">
        {loading && <p>Loading…</p>}
        {error && <p className="notice failed">{error.message}</p>}
        {page?.nodes.length === 0 && <p className="unknown">No customers.</p>}
      </div>
      {page && page.nodes.length > 0 && (
        <ul className="customers">
          {page.nodes.map(({ id, title, referenceNumber, email }) => (
            <li key={id}>
              {referenceNumber ? <a href={createHref('customer', referenceNumber)}>{title ?? referenceNumber}</a> : title}
              <small>{[referenceNumber, email].filter(Boolean).join(' · ')}</small>
            </li>
          ))}
        </ul>
      )}
      {page?.pageInfo.hasNextPage && <p className="unknown">These are the first 20 customers. Open others by their number.</p>}
    </>
  );
}
