import { useQuery } from '@apollo/client/react';
import { getCustomerTitle } from './CustomerLink.tsx';
import { FindCustomers } from './documents.ts';
import { getDisplayed } from './problems.ts';
import { ReadStatus } from './ReadStatus.tsx';
import { ResultList } from './ResultList.tsx';
import { createHref, goTo, replaceRoute } from './route.ts';
import { SearchForm } from './SearchForm.tsx';
import { useTitle } from './useTitle.ts';

/** Digits of a number that is treated as a phone number, so that shorter ones are still found as they are typed. */
const PHONE = /^[+\d\s().\-/]{8,}$/;

/** The text to search for. The graph stores phone numbers in the international format, but people type separators and the prefix of their country. */
const toQuery = (text: string): string | null => (PHONE.test(text) ? text.replace(/\D/g, '').replace(/^00?/, '') : text) || null;

/** Searches customers. Lists the first ones without a text. */
export function CustomersView({ text }: { readonly text: string }) {
  useTitle('Customers');
  const customers = useQuery(FindCustomers, {
    variables: { query: toQuery(text) },
    fetchPolicy: 'cache-and-network',
    errorPolicy: 'all',
  });
  const { client } = customers;
  const page = getDisplayed(customers)?.customers;

  const search = (next: string) => replaceRoute('customer', '', { q: next });
  const openOnlyMatch = async (next: string) => {
    search(next);
    if (!next) return;
    // Shares the request of the list.
    const { data } = await client.query({ query: FindCustomers, variables: { query: toQuery(next) }, errorPolicy: 'all' });
    const [match, ...others] = data?.customers?.nodes ?? [];
    if (match?.referenceNumber && others.length === 0) goTo('customer', match.referenceNumber);
  };
  const count = page?.nodes.length ?? 0;
  return (
    <>
      <div className="toolbar">
        <h2>Customers</h2>
        <SearchForm label="Name, email, phone, or number" text={text} onSearch={search} onEnter={(next) => void openOnlyMatch(next)} />
      </div>
      <ReadStatus read={customers}>
        {page && (
          <p className="unknown">
            {count === 0 && (text ? `No customer matches “${text}”.` : 'No customers.')}
            {count > 0 && page.pageInfo.hasNextPage && `The first ${count} customers. ${text ? 'Type more' : 'Search'} to find others.`}
            {count > 0 && !page.pageInfo.hasNextPage && (count === 1 ? '1 customer' : `${count} customers`)}
          </p>
        )}
      </ReadStatus>
      <ResultList
        results={(page?.nodes ?? []).map(({ id, referenceNumber, customerName, email, phone, ...customer }) => ({
          id,
          href: referenceNumber ? createHref('customer', referenceNumber) : undefined,
          title: getCustomerTitle({ ...customer, referenceNumber }),
          details: [referenceNumber, customerName, email, phone],
        }))}
      />
    </>
  );
}
