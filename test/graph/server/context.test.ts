import { afterEach, describe, expect, it, vi } from 'vitest';
import { createContext, releaseContext } from '../../../src/context.ts';
import { loaderForOperation } from '../../../src/loaders/loaderForOperation.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetCustomer } from '../../../src/upstream/contract/generated/operations.ts';
import { Session } from '../../../src/upstream/session.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const id = demoId('customer 0');
const TITLE = 'query ($id: ID!) { customer(id: $id) { title } }';

describe('loaders of a request', () => {
  const testGraph = useTestGraph();
  afterEach(() => vi.restoreAllMocks());

  it('fetch a record once per request and cache nothing beyond it', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const context = createContext(upstream.openSession(createKeyCredential('demo-owner'), 'a request'), createMemoryLedger(), 1e9);
    const [, calls] = await testGraph.recordCalls(async () => {
      await context.loaders.get(loaderForOperation(GetCustomer)).load(id);
      await context.loaders.get(loaderForOperation(GetCustomer)).load(id);
      releaseContext(context);
      await context.loaders.get(loaderForOperation(GetCustomer)).load(id);
    });
    expect(calls).toEqual(['Customer/GetCustomer', 'Customer/GetCustomer']);
  });

  it.each([
    ['a plain POST', {}],
    ['a request through Yoga', { accept: 'multipart/mixed, application/json' }],
  ])('release their records once after %s', async (_name, headers) => {
    const forget = vi.spyOn(Session.prototype, 'forget');
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', ...headers },
      body: JSON.stringify({ query: TITLE, variables: { id } }),
    });
    expect(await response.text()).toContain('"title":"');
    expect(forget).toHaveBeenCalledOnce();
  });
});
