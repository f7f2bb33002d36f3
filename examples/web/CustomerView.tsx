import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { CardHead } from './CardHead.tsx';
import { CustomerByNumber, MoreOrders, MoreQuotes } from './documents.ts';
import type { CustomerByNumberQuery, OrderPartsFragment } from './gql/graphql.ts';
import { Lines } from './Lines.tsx';
import { LoadMore, loadPage } from './LoadMore.tsx';
import { isStockForbidden, StockForbidden, useLastError } from './problems.ts';
import { QuoteCard } from './QuoteCard.tsx';
import { ReadStatus } from './ReadStatus.tsx';
import { createHref } from './route.ts';
import { useTitle } from './useTitle.ts';

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
  readonly onMore: (after: string | null) => ReturnType<typeof loadPage>;
  readonly children: (node: Node) => ReactNode;
}

function PagedList<Node extends { readonly id: string }>({ title, connection, onMore, children }: PagedListProps<Node>) {
  const nodes = removeDuplicates(connection?.edges ?? []);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {!connection && <p className="unknown">Couldn’t be loaded</p>}
      {connection && nodes.length === 0 && <p className="unknown">None</p>}
      {nodes.map(children)}
      {connection?.pageInfo.hasNextPage && <LoadMore items={title.toLowerCase()} onLoad={() => onMore(connection.pageInfo.endCursor)} />}
    </section>
  );
}

/** The name of a customer, for headings. */
const getName = ({ title, customerName, referenceNumber }: Customer) => title || customerName || referenceNumber || 'Customer';

function Contact({ customer }: { readonly customer: Customer }) {
  const { referenceNumber, customerName, email, phone } = customer;
  return (
    <section className="card" aria-labelledby={customer.id}>
      <p className="over">{referenceNumber}</p>
      <h2 id={customer.id}>{getName(customer)}</h2>
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
  const read = useQuery(CustomerByNumber, { variables: { referenceNumber }, errorPolicy: 'all' });
  const customer = read.data?.customersByIdentifier?.[0];
  const error = useLastError(read);
  useTitle(customer ? getName(customer) : referenceNumber);
  // Without `after`, loads the first page, which replaces the current nodes.
  const createPageLoader = (query: typeof MoreQuotes | typeof MoreOrders) => async (after: string | null) =>
    customer && loadPage(read.client, query, { customerId: customer.id, after });
  return (
    <StockForbidden value={isStockForbidden(error)}>
      <a href={createHref('customer')}>All customers</a>
      <ReadStatus read={read}>
        {read.data?.customersByIdentifier?.length === 0 && (
          <p className="notice failed">No customer found with number {referenceNumber}.</p>
        )}
      </ReadStatus>
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
    </StockForbidden>
  );
}
