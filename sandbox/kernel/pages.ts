import type { Bindings, Wide } from './store.ts';

/** The page that a request asks for: zeros stand for the first one, and for the default size. */
export interface PageRequest {
  readonly page?: number;
  readonly pageSize: number;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly page: number;
  readonly pageSize: number;
  readonly hasMore: boolean;
}

/** Whoever reads pages, as calls do. */
export interface Pager {
  readonly workspaceId: string;
  page<Row>(request: PageRequest, sql: string, bindings: Bindings, wide: Wide<Row>): Page<Row>;
}
