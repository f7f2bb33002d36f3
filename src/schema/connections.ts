import type { ObjectRef } from '@pothos/core';
import { builder, type Types } from './builder.ts';
import { HOLDS_RECORDS } from './cost.ts';
import { encodeCursor, type Fingerprint, type Slice } from './window.ts';

/** A row in its place. */
class Edge<Row> {
  readonly node: Row;
  readonly #offset: number;
  readonly #fingerprint: Fingerprint;

  constructor(node: Row, offset: number, fingerprint: Fingerprint) {
    this.node = node;
    this.#offset = offset;
    this.#fingerprint = fingerprint;
  }

  get cursor(): string {
    return encodeCursor(this.#offset, this.#fingerprint);
  }
}

class PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly #edges: readonly Edge<unknown>[];

  constructor({ hasNextPage, hasPreviousPage }: Slice<unknown>, edges: readonly Edge<unknown>[]) {
    this.hasNextPage = hasNextPage;
    this.hasPreviousPage = hasPreviousPage;
    this.#edges = edges;
  }

  get startCursor(): string | null {
    return this.#edges.at(0)?.cursor ?? null;
  }

  get endCursor(): string | null {
    return this.#edges.at(-1)?.cursor ?? null;
  }
}

/** One page of a list, as connection types resolve it. Its cursors are made when they are asked for. */
export class ConnectionPage<Row> {
  readonly edges: Edge<Row>[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number | null;
  /** On lists of which the upstream only shows the beginning. */
  readonly isTruncated: boolean;

  constructor(slice: Slice<Row>, fingerprint: Fingerprint, { totalCount, isTruncated = false }: ListFacts = {}) {
    this.edges = slice.rows.map((node, index) => new Edge(node, slice.offsets[index] ?? 0, fingerprint));
    this.pageInfo = new PageInfo(slice, this.edges);
    this.totalCount = totalCount ?? null;
    this.isTruncated = isTruncated;
  }
}

/** What is known of a list beyond the page. */
interface ListFacts {
  readonly totalCount?: number;
  readonly isTruncated?: boolean;
}

const declared = new Map<object, unknown>();

/** The connection type of a node type, declared once: `QuoteConnection` with `QuoteEdge`. */
export function connectionOf<Row extends object>(
  node: ObjectRef<Types, Row>,
  { isPrefix = false } = {},
): ObjectRef<Types, ConnectionPage<Row>> {
  const known = declared.get(node);
  if (known) return known as ObjectRef<Types, ConnectionPage<Row>>;
  const connection = builder.connectionObject(
    {
      type: node,
      name: `${node.name}Connection`,
      description: `A list of ${node.name} objects, one page at a time.`,
      extensions: HOLDS_RECORDS,
    },
    { name: `${node.name}Edge`, description: `A ${node.name} in a list.`, extensions: HOLDS_RECORDS },
  ) as unknown as ObjectRef<Types, ConnectionPage<Row>>;
  if (isPrefix) {
    builder.objectField(connection, 'isTruncated', (t) =>
      t.boolean({
        description: 'Whether the list may hold more than the upstream lets anyone read. Narrow it down by its filters.',
        nullable: false,
        resolve: ({ isTruncated }) => isTruncated,
      }),
    );
  }
  declared.set(node, connection);
  return connection;
}
