import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { UpstreamResponse } from '../../src/upstream/transport/transport.ts';
import { interceptCalls } from './interceptCalls.ts';
import type { GraphResult, TestGraphOptions } from './testGraph.ts';

const folder = mkdtempSync(join(tmpdir(), 'sort-direction-'));

function writeOverlay(sortDirection: string): string {
  const file = join(folder, `${sortDirection}.yaml`);
  writeFileSync(file, `operations: { AnalyticsService/ExecuteQuery: { sortDirection: ${sortDirection} } }`);
  return file;
}

const REJECTION: UpstreamResponse = {
  status: 400,
  headers: {},
  body: JSON.stringify({ code: 'invalid_argument', message: 'query.sort[0].direction is unknown.' }),
};

/** The sandbox without directions in typed queries. */
const withoutDirections = interceptCalls(async (request, usual) =>
  request.path.endsWith('/ExecuteQuery') && request.body.includes('"direction"') ? REJECTION : usual(request),
);

/** Options of a graph with this `sortDirection`, whose upstream has no directions in typed queries. */
export const createSortOptions = (sortDirection: string): TestGraphOptions => ({
  transport: withoutDirections,
  env: { CONTRACT_OVERLAY: writeOverlay(sortDirection) },
});

/** Fields that each search can be sorted by. */
const SORT_FIELDS = {
  orderSearch: ['CREATED_AT', 'UPDATED_AT', 'CANCELLED_AT', 'STATUS'],
  quoteSearch: ['CREATED_AT', 'UPDATED_AT', 'STATUS'],
  paymentSearch: ['CREATED_AT', 'UPDATED_AT', 'PAID_AT', 'STATUS'],
  workOrderSearch: ['CREATED_AT', 'UPDATED_AT', 'COMPLETED_AT', 'CANCELLED_AT', 'STATUS'],
  problemSearch: ['CREATED_AT', 'UPDATED_AT', 'RESOLVED_AT', 'STATUS'],
  appointmentSearch: ['CREATED_AT', 'UPDATED_AT', 'STARTS_AT', 'ENDS_AT', 'CANCELLED_AT', 'STATUS'],
  customerSearch: ['CREATED_AT', 'UPDATED_AT', 'EXPECTED_CLOSE_AT'],
};

/** Each search with each of its fields. */
export const sortCases = Object.entries(SORT_FIELDS).flatMap(([search, fields]) => fields.map((field) => [search, field] as const));

interface Graph {
  readonly execute: (query: string) => Promise<GraphResult>;
}

/** Reads up to this many pages of `size` rows, forward or backward from the end. Returns the IDs and cursors of each. */
export async function walkSearch(
  graph: Graph,
  search: string,
  orderBy: string,
  isBackward: boolean,
  [pages, size]: readonly [number, number] = [2, 9],
) {
  const found: unknown[] = [];
  let position = '';
  for (let page = 0; page < pages; page += 1) {
    const window = `${isBackward ? 'last' : 'first'}: ${size}`;
    const { data, errors } = await graph.execute(
      `{ ${search}(${window}, orderBy: ${orderBy}${position}) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    );
    expect(errors).toBeUndefined();
    const { pageInfo } = data[search];
    found.push(data[search]);
    if (!(isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) break;
    position = isBackward ? `, before: "${pageInfo.startCursor}"` : `, after: "${pageInfo.endCursor}"`;
  }
  return found;
}
