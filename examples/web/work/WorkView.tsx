import { useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { formatStatus } from '../formatStatus.ts';
import { createHref } from '../route.ts';
import { OpenWorkOrders, WorkOrderNow } from './documents.ts';
import { ProblemCard } from './ProblemCard.tsx';
import { WorkOrderCard } from './WorkOrderCard.tsx';

function OpenList({ id }: { readonly id: string }) {
  const { data, error, loading, fetchMore } = useQuery(OpenWorkOrders, { errorPolicy: 'all' });
  const page = data?.workOrders;
  return (
    <section className="open" aria-label="Open work orders">
      <h2>Open work orders</h2>
      <div role="status">
        {loading && <p>Loading…</p>}
        {error && <p className="notice failed">{error.message}</p>}
        {page?.edges.length === 0 && <p className="unknown">None</p>}
      </div>
      <ul>
        {page?.edges.map(({ node }) => (
          <li key={node.id}>
            <a href={createHref('work', node.id)} aria-current={node.id === id ? 'true' : undefined}>
              {node.title}
              <small>
                {node.customer?.title}
                {node.status !== 'OPEN' && ` · ${formatStatus(node.status)}`}
              </small>
            </a>
          </li>
        ))}
      </ul>
      {page?.pageInfo.hasNextPage && (
        <button type="button" className="quiet" onClick={() => void fetchMore({ variables: { after: page.pageInfo.endCursor } })}>
          Load more work orders
        </button>
      )}
    </section>
  );
}

function SelectedWorkOrder({ id }: { readonly id: string }) {
  const place = useRef<HTMLDivElement>(null);
  // On a narrow screen, the clicked link no longer exists, so the focus would be lost.
  useEffect(() => place.current?.focus(), []);
  const { data, error, loading, refetch } = useQuery(WorkOrderNow, { variables: { id }, errorPolicy: 'all' });
  const workOrder = data?.workOrder;
  const problems = workOrder?.customer?.problems;
  const reload = async () => !(await refetch()).error;
  return (
    <div className="chosen" tabIndex={-1} ref={place}>
      <a className="back" href={createHref('work')}>
        All open work orders
      </a>
      <div role="status">
        {loading && !data && <p>Loading…</p>}
        {error && <p className="notice failed">{error.message}</p>}
        {data?.workOrder === null && !error && <p className="notice failed">Work order not found.</p>}
      </div>
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

/** The open work orders, next to the selected one. */
export function WorkView({ id }: { readonly id: string }) {
  return (
    <div className={id ? 'work has-choice' : 'work'}>
      <OpenList id={id} />
      {id ? <SelectedWorkOrder key={id} id={id} /> : <p className="unknown">Select a work order.</p>}
    </div>
  );
}
