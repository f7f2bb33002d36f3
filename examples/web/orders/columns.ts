import type { OrderBoardQuery, OrderCardPartsFragment, OrderStatus } from '../gql/graphql.ts';

const COLUMNS = [
  { name: 'open', status: 'OPEN', title: 'Open' },
  { name: 'fulfilled', status: 'FULFILLED', title: 'Fulfilled' },
  { name: 'canceled', status: 'CANCELLED', title: 'Canceled' },
] as const satisfies readonly { readonly name: keyof OrderBoardQuery; readonly status: OrderStatus; readonly title: string }[];

/** A column of the board. */
export interface Column {
  readonly status: (typeof COLUMNS)[number]['status'];
  readonly title: string;
  /** The loaded orders with the status of the column, latest change first. Null if the column couldn't be read. */
  readonly orders: readonly OrderCardPartsFragment[] | null;
  /** Number of matching orders with the status. Null if it couldn't be read. */
  readonly count: number | null;
  /** Cursor of the next page. Null if all orders are loaded. */
  readonly nextCursor: string | null;
}

/** An order with the status that the search returned it for. */
interface FoundOrder {
  readonly order: OrderCardPartsFragment;
  readonly foundStatus: OrderStatus;
}

const getTime = ({ updatedAt }: OrderCardPartsFragment) => (updatedAt ? Date.parse(updatedAt) : -Infinity);

/** The loaded orders with a status, each once. Those that the search returned for the status precede moved ones with the same timestamp. */
function listOrders(found: readonly FoundOrder[], status: OrderStatus): OrderCardPartsFragment[] {
  const current = found.filter(({ order }) => order.status === status);
  const inPlaceFirst = [
    ...current.filter(({ foundStatus }) => foundStatus === status),
    ...current.filter(({ foundStatus }) => foundStatus !== status),
  ];
  const orders = new Map(inPlaceFirst.map(({ order }) => [order.id, order]));
  return [...orders.values()].sort((one, other) => getTime(other) - getTime(one));
}

/** The number of orders that have left a status since the board was read, or have got it. */
const countMoves = (found: readonly FoundOrder[], status: OrderStatus): number =>
  found.filter(({ order, foundStatus }) => foundStatus !== status && order.status === status).length -
  found.filter(({ order, foundStatus }) => foundStatus === status && order.status !== status).length;

/**
 * Arranges the loaded orders by their current status. The status may differ from the one that an order was found with: a mutation or the dialog has then
 * updated the order in the cache, so it moves to its column, and the counts change with it.
 */
export function createColumns(board: OrderBoardQuery): Column[] {
  const found = COLUMNS.flatMap(({ name, status }) =>
    (board[name]?.edges ?? []).map(({ node }): FoundOrder => ({ order: node, foundStatus: status })),
  );
  const facets = board.counts?.facets?.byStatus;
  return COLUMNS.map(({ name, status, title }) => {
    const page = board[name];
    const foundCount = facets && (facets.find((facet) => facet.status === status)?.count ?? 0);
    return {
      status,
      title,
      orders: page && listOrders(found, status),
      count: foundCount === undefined ? null : foundCount + countMoves(found, status),
      nextCursor: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null,
    };
  });
}
