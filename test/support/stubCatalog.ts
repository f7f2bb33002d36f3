import type { Transport, UpstreamRequest, UpstreamResponse } from '../../src/upstream/transport/transport.ts';

/** A product at some moment. */
export interface Version {
  readonly id: string;
  readonly name: string;
}

/** Products in memory, of which any may be listed: for thousands of requests, between which the list is another one. */
export class StubCatalog implements Transport {
  /** All products by id, as they are now. */
  readonly all = new Map<string, Version>();
  /** Ids that the list shows, in its order. */
  listed: string[] = [];
  /** Ids that the list shows and a get does not find. */
  readonly refused = new Set<string>();
  /** Calls, without `Me`. */
  calls = 0;
  /** Called before each answer. */
  onCall: () => void | Promise<void> = () => {};

  async send({ path, body }: UpstreamRequest): Promise<UpstreamResponse> {
    const answer = (json: object, status = 200): UpstreamResponse => ({ status, headers: {}, body: JSON.stringify(json) });
    if (path.endsWith('/Me')) return answer({ workspace: { id: 'w' }, apiKey: { scopes: ['catalog:read'] } });
    this.calls += 1;
    await this.onCall();
    const { id, page, pageSize } = JSON.parse(body);
    if (path.endsWith('/ListProducts')) {
      const rows = this.listed.slice((page - 1) * pageSize, page * pageSize).map((each) => this.all.get(each));
      return answer({ products: rows, page, pageSize, hasMore: this.listed.length > page * pageSize });
    }
    const product = this.refused.has(id) ? undefined : this.all.get(id);
    return product ? answer({ product }) : answer({ code: 'not_found', message: 'There is none.' }, 404);
  }

  async close(): Promise<void> {}
}
