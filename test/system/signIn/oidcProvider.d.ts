/** The part of the package that tests use. It has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): void;
    callback(): RequestListener;
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  /** Creates storage that several providers can use. */
  export function createMemoryAdapter(): (model: string) => object;
}
