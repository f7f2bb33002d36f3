import { useFragment } from '@apollo/client/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { OrderCardPartsFragment } from '../gql/graphql.ts';
import { formatAmount } from '../money.ts';
import { Timestamp } from '../Timestamp.tsx';
import type { Column } from './columns.ts';
import { CustomerTitle } from './documents.ts';
import { CARD_CLASS, moveFocus } from './moveFocus.ts';

/** Title of a customer, once the cache has it. */
function Title({ customerId }: { readonly customerId: string }) {
  const { data } = useFragment({ fragment: CustomerTitle, from: { __typename: 'Customer', id: customerId } });
  return data?.title ?? '—';
}

interface OrderCardProps {
  readonly order: OrderCardPartsFragment;
  readonly onOpen: (order: OrderCardPartsFragment) => void;
}

function OrderCard({ order, onOpen }: OrderCardProps) {
  const { id, status, referenceNumber, totalOnce, totalMonthly, customer, updatedAt } = order;
  return (
    <button
      type="button"
      id={id}
      className={`card ${CARD_CLASS} ${status.toLowerCase()}`}
      aria-haspopup="dialog"
      onClick={() => onOpen(order)}
      onKeyDown={moveFocus}
    >
      <strong>{referenceNumber}</strong>
      <span className="total">
        {formatAmount(totalOnce)}
        {totalMonthly && totalMonthly.minorUnits !== '0' && <small> + {formatAmount(totalMonthly)} per month</small>}
      </span>
      <span className="title">{customer ? <Title customerId={customer.id} /> : '—'}</span>
      <small>
        <Timestamp at={updatedAt} />
      </small>
    </button>
  );
}

/**
 * Focuses the first new card after more cards have been loaded, because the button may have disappeared. Returns a ref for the position of that card, which is
 * null if none is expected.
 */
function useFocusOnNew(list: RefObject<HTMLElement | null>, length: number): RefObject<number | null> {
  const position = useRef<number | null>(null);
  useEffect(() => {
    if (position.current === null || length <= position.current) return;
    list.current?.children[position.current]?.querySelector('button')?.focus();
    position.current = null;
  }, [list, length]);
  return position;
}

interface OrderColumnProps {
  readonly column: Column;
  /** Loads the next page. Resolves to whether there was no error. */
  readonly onMore: (column: Column) => Promise<boolean>;
  readonly onOpen: (order: OrderCardPartsFragment) => void;
}

/** The orders with a status, in pages. */
export function OrderColumn({ column, onMore, onOpen }: OrderColumnProps) {
  const { status, title, orders, count, nextCursor } = column;
  const list = useRef<HTMLUListElement>(null);
  const length = orders?.length ?? 0;
  const newPosition = useFocusOnNew(list, length);
  const [isLoading, setIsLoading] = useState(false);
  const loadMore = async () => {
    if (isLoading) return;
    setIsLoading(true);
    newPosition.current = length;
    const isLoaded = await onMore(column).finally(() => setIsLoading(false));
    if (!isLoaded) newPosition.current = null;
  };
  const remaining = count === null || orders === null ? null : Math.max(count - orders.length, 0);
  return (
    <section className="order-column" aria-labelledby={`column-${status}`}>
      <header>
        <h3 id={`column-${status}`}>{title}</h3>
        <span className={`badge ${status.toLowerCase()}`}>{count ?? '?'}</span>
      </header>
      {!orders && <p className="unknown">Couldn’t be loaded</p>}
      {orders?.length === 0 && <p className="unknown">None</p>}
      <ul ref={list}>
        {orders?.map((order) => (
          <li key={order.id}>
            <OrderCard order={order} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {nextCursor && (
        <p className="buttons">
          <button
            type="button"
            className="quiet"
            onClick={loadMore}
            aria-busy={isLoading}
            aria-label={`Load more ${title.toLowerCase()} orders`}
          >
            {isLoading ? 'Loading…' : 'Load more'}
          </button>
          {remaining !== null && <small>{remaining} remaining</small>}
        </p>
      )}
    </section>
  );
}
