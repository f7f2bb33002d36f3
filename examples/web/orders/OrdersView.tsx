import type { ErrorLike } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { getGraphErrors } from '@workspace-graph/client';
import { useEffect, useRef, useState } from 'react';
import type { OrderCardPartsFragment } from '../gql/graphql.ts';
import { useProblems } from '../problems.ts';
import { createHref } from '../route.ts';
import { BoardFilter, type Filter } from './BoardFilter.tsx';
import { type Column, createColumns } from './columns.ts';
import { MoreOfColumn, OrderBoard, OrderCurrencies } from './documents.ts';
import { OrderColumn } from './OrderColumn.tsx';
import { OrderDialog } from './OrderDialog.tsx';
import { useCustomerTitles } from './useCustomerTitles.ts';
import './orders.css';

const UNFILTERED: Filter = { query: null, currencies: null };

/** Whether the account has the scopes, but lacks the permission. */
const isRestricted = (error: ErrorLike | undefined): boolean =>
  getGraphErrors(error).some(({ reason }) => reason === 'PERMISSION_OR_RESOURCE');

function RestrictedNotice() {
  return (
    <div className="notice failed">
      <p>
        Search needs full access, which you don’t have. Sign in with an account that has it, or see the orders of{' '}
        <a href={createHref('customer')}>each customer</a>.
      </p>
    </div>
  );
}

/** The order whose dialog is open. The focus returns to its card, which may be in another column by then. */
function useOpenOrder() {
  const [opened, setOpened] = useState<OrderCardPartsFragment | null>(null);
  const lastId = useRef<string>(undefined);
  useEffect(() => {
    if (!opened && lastId.current) document.getElementById(lastId.current)?.focus();
    lastId.current = opened?.id;
  }, [opened]);
  return { opened, open: setOpened, close: () => setOpened(null) };
}

/** The orders of the workspace by status, latest change first. */
export function OrdersView() {
  const [filter, setFilter] = useState(UNFILTERED);
  const { data, previousData, error, loading, client, refetch } = useQuery(OrderBoard, {
    variables: filter,
    // The cache may contain the results of an earlier, equal filter.
    fetchPolicy: 'network-only',
    errorPolicy: 'all',
  });
  const { data: all, refetch: refetchCurrencies } = useQuery(OrderCurrencies, { errorPolicy: 'all' });
  const byCurrency = all?.orderSearch?.facets?.byCurrency;
  const board = data ?? previousData;
  const columns = board ? createColumns(board) : [];
  const titles = useCustomerTitles(columns.flatMap(({ orders }) => orders ?? []));
  const { problems, addError, clear } = useProblems();
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error is noted once, when it comes
  useEffect(() => addError(error), [error]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => addError(titles.error), [titles.error]);
  const { opened, open, close } = useOpenOrder();

  const search = (next: Filter) => {
    clear();
    setFilter(next);
  };
  const reload = () => {
    clear();
    void refetch();
    if (titles.error) void titles.refetch();
    if (!byCurrency) void refetchCurrencies();
  };
  const loadMore = async ({ status, nextCursor: after }: Column) => {
    const variables = { ...filter, status, after };
    const { error: problem } = await client.query({
      query: MoreOfColumn,
      variables,
      fetchPolicy: 'network-only',
      errorPolicy: 'all',
    });
    addError(problem);
    return !problem;
  };
  const currencies = byCurrency?.map(({ currencyCode }) => currencyCode) ?? [];
  const counts = columns.flatMap(({ title, count }) => (count === null ? [] : [`${count} ${title.toLowerCase()}`]));
  return (
    <>
      <div className="toolbar">
        <h2>Orders</h2>
        <BoardFilter filter={filter} currencies={currencies} onChange={search}>
          <button type="button" className="quiet" onClick={reload}>
            Reload
          </button>
        </BoardFilter>
      </div>
      <div role="status">
        {loading && !board && <p>Loading…</p>}
        {counts.length > 0 && <p className="unknown">{counts.join(', ')}</p>}
        {isRestricted(error) ? (
          <RestrictedNotice />
        ) : (
          problems.messages.map((message) => (
            <p className="notice failed" key={message}>
              {message}
            </p>
          ))
        )}
      </div>
      {columns.some(({ orders }) => orders?.length) && <small className="keys">Arrow keys move between cards.</small>}
      {columns.some(({ orders }) => orders) && (
        <div className="board" aria-busy={loading}>
          {columns.map((column) => (
            <OrderColumn key={column.status} column={column} onMore={loadMore} onOpen={open} />
          ))}
        </div>
      )}
      {opened && <OrderDialog key={opened.id} card={opened} onClose={close} />}
    </>
  );
}
