import { afterEach, describe, expect, it } from 'vitest';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact, ListContacts } from '../../../src/upstream/contract/generated/operations.ts';
import type { Operation } from '../../../src/upstream/contract/operation.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

/** An operation that the sandbox implements, marked as an expensive read. */
const ExpensiveRead: typeof ListContacts = { ...ListContacts, effect: 'EXPENSIVE_READ' };
const REQUEST = { page: 1, pageSize: 2 };

/** An upstream with a response cache of one minute. */
const openUpstream = () => createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10, readCacheMs: 60_000 });

const countCalls = async (execute: () => Promise<unknown>, operation: Operation) => {
  const [, calls] = await testGraph.recordCalls(execute);
  return calls.filter((name) => name === operation.name).length;
};

describe('expensive read', () => {
  it('costs one call per request, never shared', async () => {
    const send = async (operation: typeof ListContacts) => {
      const shared = openUpstream();
      const [one, other] = [
        shared.openSession(createKeyCredential('demo-owner'), 'one'),
        shared.openSession(createKeyCredential('demo-owner'), 'other'),
      ];
      await Promise.all([one.call(operation, REQUEST), one.call(operation, REQUEST), other.call(operation, REQUEST)]);
      await other.call(operation, REQUEST);
    };
    expect(await countCalls(() => send(ExpensiveRead), ExpensiveRead)).toBe(2);
    expect(await countCalls(() => send(ListContacts), ListContacts)).toBe(1);
  });

  it('has no retry and no unknown outcome', async () => {
    testGraph.sandbox.faults.add({ operation: ExpensiveRead.name, status: 503, times: 1 });
    const session = openUpstream().openSession(createKeyCredential('demo-owner'), 'one');
    const expectFailure = () => expect(session.call(ExpensiveRead, REQUEST)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await countCalls(expectFailure, ExpensiveRead)).toBe(1);
    expect(await countCalls(expectFailure, ExpensiveRead)).toBe(0);
    expect(
      await countCalls(
        () => openUpstream().openSession(createKeyCredential('demo-owner'), 'other').call(ExpensiveRead, REQUEST),
        ExpensiveRead,
      ),
    ).toBe(1);
  });

  it('doesn’t invalidate earlier reads', async () => {
    const session = openUpstream().openSession(createKeyCredential('demo-owner'), 'one');
    const send = async () => {
      await session.call(GetContact, { id: demoId('contact 0') });
      await session.call(ExpensiveRead, REQUEST);
      await session.call(GetContact, { id: demoId('contact 0') });
    };
    expect(await countCalls(send, GetContact)).toBe(1);
  });
});
