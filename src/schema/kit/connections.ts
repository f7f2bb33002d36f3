import type { ObjectRef } from '@pothos/core';
import { toPlural, toWords } from '../../lib/words.ts';
import type { Page } from '../../upstream/contract/operation.ts';
import { builder, type Types } from './builder.ts';
import { HOLDS_RECORDS } from './costExtensions.ts';
import { encodeCursor, type Fingerprint, type Position } from './cursors.ts';
import { withArticle } from './globalIds.ts';
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
  /** Number of rows of the list. Undefined if it isn’t known. */
  readonly totalCount: number | undefined;
  /** Whether the list may have rows that can't be read. */
  readonly isTruncated: boolean;
  readonly #slice: Slice<Row, Position>;
  readonly #fingerprint: Fingerprint;

  constructor(slice: Slice<Row, Position>, fingerprint: Fingerprint, { totalCount, isTruncated = false }: ListMetadata = {}) {
    this.nodes = slice.rows;
    this.pageInfo = new PageInfo(slice, fingerprint);
    this.totalCount = totalCount;
    this.isTruncated = isTruncated;
    this.#slice = slice;
    this.#fingerprint = fingerprint;
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

/** The paging of a list, as far as the connection type depends on it: the upstream's, or that of an index. */
type Paging = Pick<Page, 'maxPage'> & { readonly kind: Page['kind'] | 'INDEX' };

/** Describes why a list may have rows that can't be read, depending on its paging. Undefined if the end of the list can always be reached. */
function describeTruncation({ kind, maxPage }: Paging): string | undefined {
  if (kind === 'PREFIX')
    return 'Whether items may be missing because the Workspace API limits the length of this list. Use `query` or `filter`, if available, to narrow it.';
  if (kind === 'WINDOW')
    return 'Whether the list ends early because more items start at the same time than the Workspace API can return. Use `filter` to narrow it.';
  if (maxPage === undefined) return undefined;
  return 'Whether the list ends early at this page because the Workspace API doesn’t return items beyond it.';
}

const definedConnections = new Map<string, { readonly connection: object; readonly paging: Paging }>();

/**
 * Defines the connection type of a node type, once: `QuoteConnection` with `QuoteEdge`, or with another prefix than the node's name. `totalCount` is never null
 * on a list that is read as a whole, and missing on a list by time. A list that may be cut off has `isTruncated`. Searches of an index define both themselves.
 */
export function defineConnection<Row extends object>(
  node: ObjectRef<Types, Row>,
  paging: Paging,
  name: string = node.name,
): ObjectRef<Types, ConnectionPage<Row>> {
  const existing = definedConnections.get(name);
  if (existing && (existing.paging.kind !== paging.kind || existing.paging.maxPage !== paging.maxPage))
    throw new Error(`Lists of ${node.name} are paginated in two ways. Give each its own connection type, because their fields differ.`);
  if (existing) return existing.connection as ObjectRef<Types, ConnectionPage<Row>>;
  const connection = builder.connectionObject(
    {
      type: node,
      name: `${name}Connection`,
      description: `A paginated list of ${toPlural(toWords(node.name))}.`,
      extensions: HOLDS_RECORDS,
    },
    { name: `${name}Edge`, description: `An edge in ${withArticle(toWords(node.name))} connection.`, extensions: HOLDS_RECORDS },
  ) as unknown as ObjectRef<Types, ConnectionPage<Row>>;
  // Not defined by `nodesOnConnection`, which would create an edge for each node.
  builder.objectField(connection, 'nodes', (t) =>
    t.field({
      type: [node],
      description: 'Items of this page, without their cursors.',
      nullable: { list: false, items: false },
      resolve: ({ nodes }) => nodes,
    }),
  );
  if (paging.kind === 'WHOLE') {
    builder.objectField(connection, 'totalCount', (t) =>
      t.int({
        description: 'Number of items in the list.',
        nullable: false,
        resolve: ({ totalCount }) => totalCount as number,
      }),
    );
  } else if (paging.kind !== 'WINDOW' && paging.kind !== 'INDEX') {
    builder.objectField(connection, 'totalCount', (t) =>
      t.int({
        description: 'Number of items in the list. Null if it isn’t known without further calls.',
        resolve: ({ totalCount }) => totalCount,
      }),
    );
  }
  const truncation = describeTruncation(paging);
  if (truncation) {
    builder.objectField(connection, 'isTruncated', (t) =>
      t.boolean({ description: truncation, nullable: false, resolve: ({ isTruncated }) => isTruncated }),
    );
  }
  definedConnections.set(name, { connection, paging });
  return connection;
}
