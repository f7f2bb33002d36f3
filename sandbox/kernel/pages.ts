import type { Bindings, Wide } from './store.ts';

/** The page that a request selects. Zeros select the first page and the default size. */
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

/** Reads pages; implemented by calls. */
export interface Pager {
  readonly workspaceId: string;
  page<Row>(request: PageRequest, sql: string, bindings: Bindings, wide: Wide<Row>): Page<Row>;
}
