import type { ObjectRef } from '@pothos/core';
import { builder, type Types } from './builder.ts';
import { HOLDS_RECORDS } from './cost.ts';
import { encodeCursor, type Slice } from './window.ts';

/** One page of a list, as connection types resolve it. */
export interface ConnectionPage<Row> {
  readonly edges: { readonly cursor: string; readonly node: Row }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number | null;
  /** On lists of which the upstream only shows the beginning. */
  readonly isTruncated?: boolean;
}

/** A slice with its cursors. */
export function toConnection<Row>({ rows, offsets, hasNextPage, hasPreviousPage }: Slice<Row>, fingerprint: string): ConnectionPage<Row> {
  const edges = rows.map((node, index) => ({ node, cursor: encodeCursor(offsets[index] ?? 0, fingerprint) }));
  return {
    edges,
    pageInfo: { hasNextPage, hasPreviousPage, startCursor: edges.at(0)?.cursor ?? null, endCursor: edges.at(-1)?.cursor ?? null },
    totalCount: null,
  };
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
        resolve: ({ isTruncated }) => isTruncated ?? false,
      }),
    );
  }
  declared.set(node, connection);
  return connection;
}
