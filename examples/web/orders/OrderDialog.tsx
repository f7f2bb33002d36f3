import { useQuery } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { CancelButtons } from '../CancelButtons.tsx';
import { Badge } from '../CardHead.tsx';
import { CustomerLink } from '../CustomerLink.tsx';
import { Dialog } from '../Dialog.tsx';
import type { OrderNowQuery } from '../gql/graphql.ts';
import { Lines } from '../Lines.tsx';
import { formatAmount, isZero } from '../money.ts';
import { isActive, Notice } from '../Notice.tsx';
import { ReadStatus } from '../ReadStatus.tsx';
import { Timestamp } from '../Timestamp.tsx';
import { OrderNow } from './documents.ts';
import { type Cancellation, cancelOrder, createCancellation } from './orderMutations.ts';

type Order = NonNullable<OrderNowQuery['order']>;

function Facts({ order }: { readonly order: Order }) {
  const { customer, status, createdAt, updatedAt, cancelledAt, cancellationReason, totalOnce, totalMonthly, totalYearly, paid, refunded } =
    order;
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <Badge status={status} />
      </dd>
      <dt>Customer</dt>
      <dd>
        <CustomerLink customer={customer} />
      </dd>
      <dt>Total, excl. VAT</dt>
      <dd>{formatAmount(totalOnce)}</dd>
      {totalMonthly && !isZero(totalMonthly) && (
        <>
          <dt>Per month</dt>
          <dd>{formatAmount(totalMonthly)}</dd>
        </>
      )}
      {totalYearly && !isZero(totalYearly) && (
        <>
          <dt>Per year</dt>
          <dd>{formatAmount(totalYearly)}</dd>
        </>
      )}
      <dt>Paid</dt>
      <dd>{formatAmount(paid)}</dd>
      {refunded && !isZero(refunded) && (
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

interface OrderDialogProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** An order, read by its ID. It can be canceled while it's open. */
export function OrderDialog({ id, title, onClose }: OrderDialogProps) {
  const read = useQuery(OrderNow, { variables: { id }, fetchPolicy: 'cache-and-network', errorPolicy: 'all' });
  const { data, error, client, refetch } = read;
  const cancellation = useIdempotentMutation((input: Cancellation, intent) => cancelOrder(client, input, intent));
  const order = data?.order;
  const isCancelable = order?.status === 'OPEN' && order.version !== null && !isActive(cancellation);
  const close = (
    <button type="button" onClick={onClose}>
      Close
    </button>
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="order-details">
        <ReadStatus read={read}>{order === null && !error && <p className="notice failed">Order not found.</p>}</ReadStatus>
        {order && (
          <>
            <Facts order={order} />
            <Lines lines={order.lines} />
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
        {isCancelable ? (
          <CancelButtons subject="order" onCancel={() => void cancellation.run(createCancellation(order))}>
            {close}
          </CancelButtons>
        ) : (
          <p className="buttons">{close}</p>
        )}
      </div>
    </Dialog>
  );
}
