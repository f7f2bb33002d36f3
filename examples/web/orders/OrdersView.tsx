import type { ErrorLike } from '@apollo/client';
import { useFragment, useQuery } from '@apollo/client/react';
import { getGraphErrors } from '@workspace-graph/client';
import { useLayoutEffect, useRef } from 'react';
import { loadPage } from '../LoadMore.tsx';
import { getDisplayed, useLastError } from '../problems.ts';
import { ReadStatus } from '../ReadStatus.tsx';
import { createHref, goTo, replaceRoute } from '../route.ts';
import { SearchForm } from '../SearchForm.tsx';
import { useTitle } from '../useTitle.ts';
import { type Column, createColumns } from './columns.ts';
import { MoreOfColumn, OrderBoard, OrderCurrencies, OrderNumber } from './documents.ts';
import { OrderColumn } from './OrderColumn.tsx';
import { OrderDialog } from './OrderDialog.tsx';
import { useCustomerTitles } from './useCustomerTitles.ts';
import './orders.css';

/** Whether the account has the scopes, but lacks the permission. */
const isRestricted = (error: ErrorLike | undefined): boolean =>
  getGraphErrors(error).some(({ reason }) => reason === 'PERMISSION_OR_RESOURCE');

function RestrictedNotice() {
  return (
    <div className="notice failed" role="status">
      <p>
        Search needs full access, which you don’t have. Sign in with an account that has it, or see the orders of{' '}
        <a href={createHref('customer')}>each customer</a>.
      </p>
    </div>
  );
}

/** The title of the open order. Null if none is open. When it's closed, the focus returns to its card, which may be in another column by then. */
function useOpenOrder(id: string): string | null {
  const { data } = useFragment({ fragment: OrderNumber, from: id ? { __typename: 'Order', id } : null });
  const lastId = useRef(id);
  useLayoutEffect(() => {
    if (!id) document.getElementById(lastId.current)?.focus();
    lastId.current = id;
  }, [id]);
  return id ? `Order ${data?.referenceNumber ?? ''}`.trim() : null;
}

interface OrdersViewProps {
  /** The order whose dialog is open. Empty if none is. */
  readonly id: string;
  readonly text: string;
  /** Empty for orders in all currencies. */
  readonly currency: string;
}

/** The orders of the workspace by status, latest change first. */
export function OrdersView({ id, text, currency }: OrdersViewProps) {
  const filter = { query: text || null, currencies: currency ? [currency] : null };
  const read = useQuery(OrderBoard, {
    variables: filter,
    // The cache may contain the results of an earlier, equal filter.
    fetchPolicy: 'network-only',
    errorPolicy: 'all',
  });
  const { loading, client, refetch } = read;
  const error = useLastError(read);
  const { data: all, refetch: refetchCurrencies } = useQuery(OrderCurrencies, { errorPolicy: 'all' });
  const byCurrency = all?.orderSearch?.facets?.byCurrency;
  const board = getDisplayed(read);
  const columns = board ? createColumns(board) : [];
  const titles = useCustomerTitles(columns.flatMap(({ orders }) => orders ?? []));
  const openTitle = useOpenOrder(id);
  useTitle(openTitle ?? 'Orders');

  const parameters = { q: text, currency };
  const reload = () => {
    void refetch();
    if (titles.error) void titles.refetch();
    if (!byCurrency) void refetchCurrencies();
  };
  const loadMore = ({ status, nextCursor: after }: Column) => loadPage(client, MoreOfColumn, { ...filter, status, after });
  const currencies = byCurrency?.map(({ currencyCode }) => currencyCode) ?? [];
  const counts = columns.flatMap(({ title, count }) => (count === null ? [] : [`${count} ${title.toLowerCase()}`]));
  return (
    <>
      <div className="toolbar">
        <h2>Orders</h2>
        <SearchForm label="Number or customer" text={text} onSearch={(q) => replaceRoute('orders', '', { ...parameters, q })}>
          {(currencies.length > 1 || currency) && (
            <label>
              Currency
              <select
                value={currency}
                onChange={(event) => replaceRoute('orders', '', { ...parameters, currency: event.currentTarget.value })}
              >
                <option value="">All</option>
                {currencies.map((code) => (
                  <option key={code}>{code}</option>
                ))}
              </select>
            </label>
          )}
          <button type="button" className="quiet" onClick={reload}>
            Reload
          </button>
        </SearchForm>
      </div>
      {isRestricted(error) ? (
        <RestrictedNotice />
      ) : (
        <ReadStatus read={read}>{counts.length > 0 && <p className="unknown">{counts.join(', ')}</p>}</ReadStatus>
      )}
      <ReadStatus read={titles} hasSkeleton={false} />
      {columns.some(({ orders }) => orders?.length) && <small className="keys">Arrow keys move between cards.</small>}
      {columns.some(({ orders }) => orders) && (
        <div className="board arrows" aria-busy={loading}>
          {columns.map((column) => (
            <OrderColumn key={column.status} column={column} onMore={loadMore} onOpen={(opened) => goTo('orders', opened, parameters)} />
          ))}
        </div>
      )}
      {openTitle && <OrderDialog key={id} id={id} title={openTitle} onClose={() => goTo('orders', '', parameters)} />}
    </>
  );
}
