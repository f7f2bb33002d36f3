import type { ErrorLike } from '@apollo/client';
import { useFragment } from '@apollo/client/react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { moveFocus, STOP_CLASS } from '../arrowKeys.ts';
import { Total } from '../CardHead.tsx';
import { getCustomerTitle } from '../CustomerLink.tsx';
import type { OrderCardPartsFragment } from '../gql/graphql.ts';
import { LoadMore } from '../LoadMore.tsx';
import { Timestamp } from '../Timestamp.tsx';
import type { Column } from './columns.ts';
import { CustomerTitle } from './documents.ts';

/** Title of a customer, once the cache has it. */
function Title({ customerId }: { readonly customerId: string }) {
  const { data, complete } = useFragment({ fragment: CustomerTitle, from: { __typename: 'Customer', id: customerId } });
  return complete ? getCustomerTitle(data) : '—';
}

interface OrderCardProps {
  readonly order: OrderCardPartsFragment;
  readonly onOpen: (id: string) => void;
}

function OrderCard({ order, onOpen }: OrderCardProps) {
  const { id, status, referenceNumber, customer, updatedAt } = order;
  return (
    <button
      type="button"
      id={id}
      className={`card order-card ${STOP_CLASS} ${status.toLowerCase()}`}
      aria-haspopup="dialog"
      onClick={() => onOpen(id)}
      onKeyDown={moveFocus}
    >
      <strong>{referenceNumber}</strong>
      <Total record={order} />
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
  useLayoutEffect(() => {
    if (position.current === null || length <= position.current) return;
    list.current?.children[position.current]?.querySelector('button')?.focus();
    position.current = null;
  }, [list, length]);
  return position;
}

interface OrderColumnProps {
  readonly column: Column;
  /** Loads the next page. Resolves to the error if it failed. */
  readonly onMore: (column: Column) => Promise<ErrorLike | undefined>;
  readonly onOpen: (id: string) => void;
}

/** The orders with a status, in pages. */
export function OrderColumn({ column, onMore, onOpen }: OrderColumnProps) {
  const { status, title, orders, count, nextCursor } = column;
  const list = useRef<HTMLUListElement>(null);
  const length = orders?.length ?? 0;
  const newPosition = useFocusOnNew(list, length);
  const loadMore = async () => {
    newPosition.current = length;
    const error = await onMore(column);
    if (error) newPosition.current = null;
    return error;
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
      {nextCursor && <LoadMore items={`${title.toLowerCase()} orders`} remaining={remaining} onLoad={loadMore} />}
    </section>
  );
}
