import type { ObjectRef } from '@pothos/core';
import { toPlural, toWords } from '../../lib/words.ts';
import { builder, type Types } from '../kit/builder.ts';
import { HOLDS_RECORDS } from '../kit/costExtensions.ts';
import { withArticle } from '../kit/globalIds.ts';
import { encodeCursor, type Fingerprint, type Position } from './cursors.ts';
import type { Slice } from './window.ts';

/** Creates the cursor of a row by its index in a slice. Null if there is no such row. */
function createCursor({ offsets, getAnchor }: Slice<unknown, Position>, index: number, fingerprint: Fingerprint): string | null {
  const position = offsets[index];
  return position === undefined ? null : encodeCursor(position, fingerprint, getAnchor?.(index));
}

/** A row and its cursor. */
class Edge<Row> {
  readonly node: Row;
  readonly #index: number;
  readonly #slice: Slice<Row, Position>;
  readonly #fingerprint: Fingerprint;

  constructor(node: Row, index: number, slice: Slice<Row, Position>, fingerprint: Fingerprint) {
    this.node = node;
    this.#index = index;
    this.#slice = slice;
    this.#fingerprint = fingerprint;
  }

  get cursor(): string | null {
    return createCursor(this.#slice, this.#index, this.#fingerprint);
  }
}

class PageInfo {
  readonly #slice: Slice<unknown, Position>;
  readonly #fingerprint: Fingerprint;

  constructor(slice: Slice<unknown, Position>, fingerprint: Fingerprint) {
    this.#slice = slice;
    this.#fingerprint = fingerprint;
  }

  get hasNextPage(): boolean {
    return this.#slice.hasNextPage;
  }

  get hasPreviousPage(): boolean {
    return this.#slice.hasPreviousPage;
  }

  get startCursor(): string | null {
    const { ends } = this.#slice;
    return ends ? encodeCursor(ends[0], this.#fingerprint) : createCursor(this.#slice, 0, this.#fingerprint);
  }

  get endCursor(): string | null {
    const { ends, rows } = this.#slice;
    return ends ? encodeCursor(ends[1], this.#fingerprint) : createCursor(this.#slice, rows.length - 1, this.#fingerprint);
  }
}

/** A page of a list, as connection types resolve it. Edges and cursors are created on demand: most documents select only the records. */
export class ConnectionPage<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: PageInfo;
  /** Whether the list may have rows that can't be read. */
  readonly isTruncated: boolean;
  /** Counts the rows of the list in an index, if their number isn't known otherwise. Null if it isn't available. */
  countInIndex: (() => Promise<number | null>) | undefined;
  readonly #slice: Slice<Row, Position>;
  readonly #fingerprint: Fingerprint;
  readonly #totalCount: number | undefined;

  constructor(slice: Slice<Row, Position>, fingerprint: Fingerprint, { totalCount, isTruncated = false }: ListMetadata = {}) {
    this.nodes = slice.rows;
    this.pageInfo = new PageInfo(slice, fingerprint);
    this.#totalCount = totalCount;
    this.isTruncated = isTruncated;
    this.#slice = slice;
    this.#fingerprint = fingerprint;
  }

  /** Number of rows of the list. Null or undefined if it isn’t known. */
  countRows(): Promise<number | null> | number | undefined {
    return this.#totalCount ?? this.countInIndex?.();
  }

  get edges(): Edge<Row>[] {
    return this.nodes.map((node, index) => new Edge(node, index, this.#slice, this.#fingerprint));
  }
}

/** Metadata of the whole list. */
interface ListMetadata {
  readonly totalCount?: number | undefined;
  readonly isTruncated?: boolean;
}

const edges = new Map<string, ObjectRef<Types, object>>();
const connections = new Map<string, object>();

/** Defines the edge type of a node type, once: all connections of the node share it. */
function defineEdge<Row extends object>(node: ObjectRef<Types, Row>): ObjectRef<Types, object> {
  const edge =
    edges.get(node.name) ??
    (builder.edgeObject({
      type: node,
      name: `${node.name}Edge`,
      description: `An edge in ${withArticle(toWords(node.name))} connection.`,
      extensions: HOLDS_RECORDS,
    }) as ObjectRef<Types, object>);
  edges.set(node.name, edge);
  return edge;
}

/**
 * Defines the connection type of a node type, once: all lists of the node share `QuoteConnection`, however the upstream pages them. Only a search with further
 * fields has a type of its own, by another prefix than the node's name.
 */
export function defineConnection<Row extends object>(
  node: ObjectRef<Types, Row>,
  name: string = node.name,
): ObjectRef<Types, ConnectionPage<Row>> {
  const existing = connections.get(name);
  if (existing) return existing as ObjectRef<Types, ConnectionPage<Row>>;
  const connection = builder.connectionObject(
    {
      type: node,
      name: `${name}Connection`,
      description: `A paginated list of ${toPlural(toWords(node.name))}.`,
      extensions: HOLDS_RECORDS,
    },
    defineEdge(node) as never,
  ) as ObjectRef<Types, ConnectionPage<Row>>;
  builder.objectFields(connection, (t) => ({
    // Not defined by `nodesOnConnection`, which would create an edge for each node.
    nodes: t.field({
      type: [node],
      description: 'Items of this page, without their cursors.',
      nullable: { list: false, items: false },
      resolve: ({ nodes }) => nodes,
    }),
    totalCount: t.int({
      description:
        'Number of items in the list. If it isn’t known without further calls, it’s counted in the analytics index, or null if that doesn’t have the list or isn’t available to the key.',
      resolve: (page) => page.countRows(),
    }),
    isTruncated: t.boolean({
      description:
        'Whether items may be missing because the Workspace API can’t return all of them. Use arguments, if available, to narrow the list.',
      nullable: false,
      resolve: ({ isTruncated }) => isTruncated,
    }),
  }));
  connections.set(name, connection);
  return connection;
}
