import { describe, expect, it } from 'vitest';
import { domain, service } from '../../../sandbox/kernel/service.ts';
import { Portfolio } from '../../../src/upstream/contract/generated/publicapi/v1/portfolios_pb.ts';

const handler = { permission: 'boardAccess:READ_WRITE', run: () => ({}) } as const;
const creating = domain(Portfolio, { handlers: { createPortfolio: handler } });
const patching = domain(Portfolio, { handlers: { patchPortfolioDataFields: handler } });

describe('service', () => {
  it('contains the operations of all domains by path', () => {
    const { endpoints } = service(Portfolio, [patching, creating]);
    expect(endpoints.map(({ name, path }) => [name, path])).toEqual([
      ['Portfolio/CreatePortfolio', '/public-api/publicapi.v1.Portfolio/CreatePortfolio'],
      ['Portfolio/PatchPortfolioDataFields', '/public-api/publicapi.v1.Portfolio/PatchPortfolioDataFields'],
    ]);
  });

  it('doesn’t compile without a handler for each operation', () => {
    // @ts-expect-error: the list of domains lacks `patchPortfolioDataFields`.
    expect(() => service(Portfolio, [creating])).toThrow('no handler for PatchPortfolioDataFields');
    // @ts-expect-error: the service has no such operation.
    expect(() => domain(Portfolio, { handlers: { getContact: handler } })).not.toThrow();
  });

  it('accepts one handler per operation', () => {
    expect(() => service(Portfolio, [creating, patching, creating])).toThrow('createPortfolio of Portfolio must have one handler');
  });
});
