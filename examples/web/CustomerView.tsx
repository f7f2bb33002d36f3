import { useQuery } from '@apollo/client/react';
import { type ReactNode, useEffect, useState } from 'react';
import { CardHead } from './CardHead.tsx';
import { CustomerByNumber, MoreOrders, MoreQuotes } from './documents.ts';
import type { CustomerByNumberQuery, OrderPartsFragment } from './gql/graphql.ts';
import { Lines } from './Lines.tsx';
import { Problems, useProblems } from './problems.ts';
import { QuoteCard } from './QuoteCard.tsx';
import { createHref } from './route.ts';

type Customer = NonNullable<CustomerByNumberQuery['customersByIdentifier']>[number];

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * Nodes without duplicates. If a record is added between two page requests, the others shift, so that a page can start with the last nodes of the previous one.
 */
const removeDuplicates = <Node extends { readonly id: string }>(edges: Connection<Node>['edges']): Node[] => [
  ...new Map(edges.map(({ node }) => [node.id, node])).values(),
];

interface PagedListProps<Node> {
  readonly title: string;
  readonly connection: Connection<Node> | null;
  readonly onMore: (after: string | null) => Promise<void>;
  readonly children: (node: Node) => ReactNode;
}

function PagedList<Node extends { readonly id: string }>({ title, connection, onMore, children }: PagedListProps<Node>) {
  const [isLoading, setIsLoading] = useState(false);
  const loadMore = async () => {
    if (isLoading) return;
    setIsLoading(true);
    await onMore(connection?.pageInfo.endCursor ?? null).finally(() => setIsLoading(false));
  };
  const nodes = removeDuplicates(connection?.edges ?? []);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {!connection && <p className="unknown">Couldn’t be loaded</p>}
      {connection && nodes.length === 0 && <p className="unknown">None</p>}
      {nodes.map(children)}
      {connection?.pageInfo.hasNextPage && (
        <button type="button" className="quiet" onClick={loadMore} aria-busy={isLoading} aria-label={`Load more ${title.toLowerCase()}`}>
          {isLoading ? 'Loading…' : 'Load more'}
        </button>
      )}
    </section>
  );
}

function Contact({ customer }: { readonly customer: Customer }) {
  const { referenceNumber, title, customerName, email, phone } = customer;
  return (
    <section className="card" aria-labelledby={customer.id}>
      <p className="over">{referenceNumber}</p>
      <h2 id={customer.id}>{title ?? customerName ?? referenceNumber}</h2>
      <dl>
        <dt>Name</dt>
        <dd>{customerName ?? '—'}</dd>
        <dt>Email</dt>
        <dd>{email ? <a href={`mailto:${email}`}>{email}</a> : '—'}</dd>
        <dt>Phone</dt>
        <dd>{phone ? <a href={`tel:${phone}`}>{phone}</a> : '—'}</dd>
      </dl>
    </section>
  );
}

function OrderCard({ order }: { readonly order: OrderPartsFragment }) {
  return (
    <article className="card" aria-labelledby={order.id}>
      <CardHead record={order} />
      <Lines lines={order.lines} />
    </article>
  );
}

/** A customer with quotes and orders. */
export function CustomerView({ referenceNumber }: { readonly referenceNumber: string }) {
  const { data, error, loading, client } = useQuery(CustomerByNumber, { variables: { referenceNumber }, errorPolicy: 'all' });
  const { problems, addError } = useProblems();
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error is recorded once, when it occurs
  useEffect(() => addError(error), [error]);

  const customer = data?.customersByIdentifier?.[0];
  const createPageLoader = (query: typeof MoreQuotes | typeof MoreOrders) => async (after: string | null) => {
    if (!customer) return;
    // Without `after`, fetches the first page, which replaces the current nodes.
    const variables = { customerId: customer.id, after };
    const { error: problem } = await client.query({ query, variables, fetchPolicy: 'network-only', errorPolicy: 'all' });
    addError(problem);
  };
  return (
    <Problems value={problems}>
      <a href={createHref('customer')}>All customers</a>
      <div role="status">
        {loading && <p>Loading…</p>}
        {data?.customersByIdentifier?.length === 0 && <p className="notice failed">No customer found with number {referenceNumber}.</p>}
        {problems.messages.map((message) => (
          <p className="notice failed" key={message}>
            {message}
          </p>
        ))}
      </div>
      {customer && (
        <>
          <Contact customer={customer} />
          <div className="lists">
            <PagedList title="Quotes" connection={customer.quotes} onMore={createPageLoader(MoreQuotes)}>
              {(quote) => <QuoteCard key={quote.id} quote={quote} onConfirmed={() => void createPageLoader(MoreOrders)(null)} />}
            </PagedList>
            <PagedList title="Orders" connection={customer.orders} onMore={createPageLoader(MoreOrders)}>
              {(order) => <OrderCard key={order.id} order={order} />}
            </PagedList>
          </div>
        </>
      )}
    </Problems>
  );
}
