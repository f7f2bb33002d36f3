import { afterEach, describe, expect, it } from 'vitest';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact, ListContacts } from '../../../src/upstream/contract/generated/operations.ts';
import type { Operation } from '../../../src/upstream/contract/operation.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

/** An operation that the sandbox serves, as if it were expensive. */
const Expensive: typeof ListContacts = { ...ListContacts, effect: 'EXPENSIVE_READ' };
const REQUEST = { page: 1, pageSize: 2 };

/** An upstream that keeps the answers of reads for a minute. */
const upstream = () => createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10, readCacheMs: 60_000 });

const callsOf = async (act: () => Promise<unknown>, operation: Operation) => {
  const [, calls] = await testGraph.recordCalls(act);
  return calls.filter((name) => name === operation.name).length;
};

describe('an expensive read', () => {
  it('is sent once for each request that asks, and shared by none', async () => {
    const ask = async (operation: typeof ListContacts) => {
      const shared = upstream();
      const [one, other] = [shared.openSession('demo-owner', 'one'), shared.openSession('demo-owner', 'other')];
      await Promise.all([one.call(operation, REQUEST), one.call(operation, REQUEST), other.call(operation, REQUEST)]);
      await other.call(operation, REQUEST);
    };
    expect(await callsOf(() => ask(Expensive), Expensive)).toBe(2);
    expect(await callsOf(() => ask(ListContacts), ListContacts)).toBe(1);
  });

  it('is not sent again, and its failure leaves nothing unknown', async () => {
    testGraph.sandbox.faults.add({ operation: Expensive.name, status: 503, times: 1 });
    const session = upstream().openSession('demo-owner', 'one');
    const failing = () => expect(session.call(Expensive, REQUEST)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await callsOf(failing, Expensive)).toBe(1);
    expect(await callsOf(failing, Expensive)).toBe(0);
    expect(await callsOf(() => upstream().openSession('demo-owner', 'other').call(Expensive, REQUEST), Expensive)).toBe(1);
  });

  it('leaves what was read before in memory', async () => {
    const session = upstream().openSession('demo-owner', 'one');
    const ask = async () => {
      await session.call(GetContact, { id: demoId('contact 0') });
      await session.call(Expensive, REQUEST);
      await session.call(GetContact, { id: demoId('contact 0') });
    };
    expect(await callsOf(ask, GetContact)).toBe(1);
  });
});
