import { useQuery } from '@apollo/client/react';
import { Button, Table, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback, useInViewport } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { DraftQuotes } from './documents.ts';
import { formatMoney, formatTime } from './format.ts';
import { AnchorLink } from './links.tsx';
import { Status } from './Status.tsx';

/** Draft quotes that match the text in the URL. Loads the next page when the button at the end of the list becomes visible. */
export function QuoteList() {
  const { q = '' } = useSearch({ from: '/' });
  const navigate = useNavigate();
  const { data, error, loading, refetch, fetchMore } = useQuery(DraftQuotes, { variables: { query: q || null }, errorPolicy: 'all' });
  const page = data?.quoteSearch;
  const [moreError, setMoreError] = useState<unknown>();
  const { ref, inViewport } = useInViewport<HTMLButtonElement>();
  const search = useDebouncedCallback((text: string) => navigate({ to: '/', search: text ? { q: text } : {}, replace: true }), 300);

  const loadMore = () =>
    fetchMore({ variables: { after: page?.pageInfo.endCursor ?? null } }).then(() => setMoreError(undefined), setMoreError);
  const onVisible = useEffectEvent(loadMore);
  // Not after an error, which only the user retries.
  const loadsMore = inViewport && !loading && moreError === undefined;
  useEffect(() => {
    if (loadsMore) void onVisible();
  }, [loadsMore]);

  return (
    <>
      <title>Draft quotes</title>
      <Title order={1}>Draft quotes</Title>
      <TextInput
        type="search"
        label="Number, title, or customer"
        defaultValue={q}
        onChange={(event) => search(event.currentTarget.value)}
        my="md"
      />
      {page && page.nodes.length > 0 && (
        <Table.ScrollContainer minWidth={600}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Number</Table.Th>
                <Table.Th>Title</Table.Th>
                <Table.Th>Customer</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th ta="end">Total</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {page.nodes.map(({ id, referenceNumber, title, customer, createdAt, totalOnce }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <AnchorLink to="/quotes/$id" params={{ id }}>
                      {referenceNumber ?? 'No number'}
                    </AnchorLink>
                  </Table.Td>
                  <Table.Td>{title}</Table.Td>
                  <Table.Td>{customer?.title}</Table.Td>
                  <Table.Td>{formatTime(createdAt)}</Table.Td>
                  <Table.Td ta="end">{formatMoney(totalOnce)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {page?.pageInfo.hasNextPage && (
        <Button variant="default" ref={ref} loading={loading} onClick={loadMore}>
          Load more
        </Button>
      )}
      <Status
        isLoading={loading}
        text={!loading && page?.nodes.length === 0 && 'There are no such draft quotes.'}
        error={loading ? undefined : (moreError ?? error)}
        retry={moreError ? loadMore : () => refetch()}
      />
    </>
  );
}
