import { useQuery } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { CancelButtons } from '../CancelButtons.tsx';
import { Dialog } from '../Dialog.tsx';
import { formatStatus } from '../formatStatus.ts';
import type { OrderCardPartsFragment, OrderDetailsFragment, OrderNowQuery } from '../gql/graphql.ts';
import { formatAmount } from '../money.ts';
import { isActive, Notice } from '../Notice.tsx';
import { createHref } from '../route.ts';
import { Timestamp } from '../Timestamp.tsx';
import { OrderNow } from './documents.ts';
import { type Cancellation, cancelOrder, createCancellation } from './orderMutations.ts';

type Order = NonNullable<OrderNowQuery['order']>;

function Facts({ order }: { readonly order: Order }) {
  const { customer, status, createdAt, updatedAt, cancelledAt, cancellationReason, totalOnce, totalMonthly, paid, refunded } = order;
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <span className={`badge ${status.toLowerCase()}`}>{formatStatus(status)}</span>
      </dd>
      <dt>Customer</dt>
      <dd>
        {customer?.referenceNumber ? (
          <a href={createHref('customer', customer.referenceNumber)}>{customer.title ?? customer.referenceNumber}</a>
        ) : (
          (customer?.title ?? '—')
        )}
      </dd>
      <dt>Total</dt>
      <dd>{formatAmount(totalOnce)}</dd>
      {totalMonthly && totalMonthly.minorUnits !== '0' && (
        <>
          <dt>Per month</dt>
          <dd>{formatAmount(totalMonthly)}</dd>
        </>
      )}
      <dt>Paid</dt>
      <dd>{formatAmount(paid)}</dd>
      {refunded && refunded.minorUnits !== '0' && (
        <>
          <dt>Refunded</dt>
          <dd>{formatAmount(refunded)}</dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Timestamp at={createdAt} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Timestamp at={updatedAt} />
      </dd>
      {cancelledAt && (
        <>
          <dt>Canceled</dt>
          <dd>
            <Timestamp at={cancelledAt} /> {cancellationReason}
          </dd>
        </>
      )}
    </dl>
  );
}

function Lines({ lines }: Pick<OrderDetailsFragment, 'lines'>) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col" className="number quantity">
            Qty
          </th>
          <th scope="col">Product</th>
          <th scope="col" className="number sum">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, quantity, productName, total }) => (
          <tr key={id}>
            <td className="number">{quantity}</td>
            <th scope="row">{productName}</th>
            <td className="number">{formatAmount(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OrderDialogProps {
  /** The order as the board displays it. */
  readonly card: OrderCardPartsFragment;
  readonly onClose: () => void;
}

/** An order, read by its ID. It can be canceled while it's open. */
export function OrderDialog({ card, onClose }: OrderDialogProps) {
  const { data, error, loading, client, refetch } = useQuery(OrderNow, {
    variables: { id: card.id },
    fetchPolicy: 'cache-and-network',
    errorPolicy: 'all',
  });
  const cancellation = useIdempotentMutation((input: Cancellation, intent) => cancelOrder(client, input, intent));
  const order = data?.order;
  const isCancelable = order?.status === 'OPEN' && order.version !== null && !isActive(cancellation);
  return (
    <Dialog title={`Order ${card.referenceNumber ?? ''}`} onClose={onClose}>
      <div className="order-details">
        <div role="status">
          {loading && !order && <p>Loading…</p>}
          {error && <p className="notice failed">{error.message}</p>}
          {order === null && !error && <p className="notice failed">Order not found.</p>}
        </div>
        {order && (
          <>
            <Facts order={order} />
            <Lines lines={order.lines} />
            {isCancelable && <CancelButtons subject="order" onCancel={() => void cancellation.run(createCancellation(order))} />}
          </>
        )}
        <Notice
          mutation={cancellation}
          subject="order"
          onReload={async () => !(await refetch()).error}
          renderConflict={({ expectedVersion, currentVersion, current }) =>
            current && (
              <>
                <p>
                  You saw version {expectedVersion}. The current version is {currentVersion}, as displayed now.
                </p>
                <p className="buttons">
                  <button type="button" onClick={cancellation.reset}>
                    Use latest version
                  </button>
                </p>
              </>
            )
          }
        />
        <p className="buttons">
          <button type="button" className="quiet" onClick={onClose}>
            Close
          </button>
        </p>
      </div>
    </Dialog>
  );
}
