import { useQuery } from '@apollo/client/react';
import { useLayoutEffect, useRef } from 'react';
import { getCustomerTitle } from '../CustomerLink.tsx';
import { formatStatus } from '../formatStatus.ts';
import { LoadMore, loadPage } from '../LoadMore.tsx';
import { ReadStatus } from '../ReadStatus.tsx';
import { ResultList } from '../ResultList.tsx';
import { createHref } from '../route.ts';
import { useTitle } from '../useTitle.ts';
import { OpenWorkOrders, WorkOrderNow } from './documents.ts';
import { ProblemCard } from './ProblemCard.tsx';
import { WorkOrderCard } from './WorkOrderCard.tsx';

function OpenList({ id }: { readonly id: string }) {
  const read = useQuery(OpenWorkOrders, { errorPolicy: 'all' });
  const page = read.data?.workOrders;
  return (
    <section className="open" aria-label="Open work orders">
      <h2>Open work orders</h2>
      <ReadStatus read={read}>{page?.edges.length === 0 && <p className="unknown">None</p>}</ReadStatus>
      <ResultList
        results={(page?.edges ?? []).map(({ node: { id: workOrderId, title, status, customer } }) => ({
          id: workOrderId,
          href: createHref('work', workOrderId),
          title,
          details: [customer && getCustomerTitle(customer), status !== 'OPEN' && formatStatus(status)],
          isCurrent: workOrderId === id,
        }))}
      />
      {page?.pageInfo.hasNextPage && (
        <LoadMore items="work orders" onLoad={() => loadPage(read.client, OpenWorkOrders, { after: page.pageInfo.endCursor })} />
      )}
    </section>
  );
}

function SelectedWorkOrder({ id }: { readonly id: string }) {
  const place = useRef<HTMLDivElement>(null);
  // On a narrow screen, the clicked link no longer exists, so the focus would be lost.
  useLayoutEffect(() => place.current?.focus(), []);
  const read = useQuery(WorkOrderNow, { variables: { id }, errorPolicy: 'all' });
  const workOrder = read.data?.workOrder;
  useTitle(workOrder?.title ?? 'Work order');
  const problems = workOrder?.customer?.problems;
  const reload = async () => !(await read.refetch()).error;
  return (
    <div className="chosen" tabIndex={-1} ref={place}>
      <a className="back" href={createHref('work')}>
        All open work orders
      </a>
      <ReadStatus read={read}>{workOrder === null && !read.error && <p className="notice failed">Work order not found.</p>}</ReadStatus>
      {workOrder && (
        <>
          <WorkOrderCard workOrder={workOrder} reload={reload} />
          <section aria-label="Customer problems">
            <h3>Customer problems</h3>
            {!problems && <p className="unknown">Couldn’t be loaded</p>}
            {problems?.edges.length === 0 && <p className="unknown">None</p>}
            {problems?.edges.map(({ node }) => (
              <ProblemCard key={node.id} problem={node} reload={reload} />
            ))}
            {problems?.pageInfo.hasNextPage && <p className="unknown">Only the 10 newest problems are listed.</p>}
          </section>
        </>
      )}
    </div>
  );
}

function NoneSelected() {
  useTitle('Work orders');
  return <p className="unknown">Select a work order.</p>;
}

/** The open work orders, next to the selected one. */
export function WorkView({ id }: { readonly id: string }) {
  return (
    <div className={id ? 'work has-choice' : 'work'}>
      <OpenList id={id} />
      {id ? <SelectedWorkOrder key={id} id={id} /> : <NoneSelected />}
    </div>
  );
}
