import type { Transport, UpstreamRequest, UpstreamResponse } from '../../src/upstream/transport/transport.ts';

/** A version of a product. */
export interface Version {
  readonly id: string;
  readonly name: string;
}

/** An in-memory catalog whose list can change between requests. Fast enough for thousands of requests. */
export class StubCatalog implements Transport {
  /** Current products by ID. */
  readonly all = new Map<string, Version>();
  /** IDs in the list, in list order. */
  listed: string[] = [];
  /** IDs that the list contains but a get doesn't find. */
  readonly refused = new Set<string>();
  /** Number of calls, except `Me`. */
  calls = 0;
  /** Called before each response. */
  onCall: () => void | Promise<void> = () => {};

  async send({ path, body }: UpstreamRequest): Promise<UpstreamResponse> {
    const respond = (json: object, status = 200): UpstreamResponse => ({ status, headers: {}, body: JSON.stringify(json) });
    if (path.endsWith('/Me')) return respond({ workspace: { id: 'w' }, apiKey: { scopes: ['catalog:read'] } });
    this.calls += 1;
    await this.onCall();
    const { id, page, pageSize } = JSON.parse(body);
    if (path.endsWith('/ListProducts')) {
      const rows = this.listed.slice((page - 1) * pageSize, page * pageSize).map((each) => this.all.get(each));
      return respond({ products: rows, page, pageSize, hasMore: this.listed.length > page * pageSize });
    }
    const product = this.refused.has(id) ? undefined : this.all.get(id);
    return product ? respond({ product }) : respond({ code: 'not_found', message: 'There is none.' }, 404);
  }

  async close(): Promise<void> {}
}
