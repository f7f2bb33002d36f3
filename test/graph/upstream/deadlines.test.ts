import { expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const GET = 'Contact/GetContact';

/** Timeouts of the reads of contacts, in milliseconds. */
const timeouts: number[] = [];
const testGraph = useTestGraph({}, undefined, {
  transport: (usual) => ({
    send: (request) => {
      if (request.path.endsWith(GET)) timeouts.push(request.timeoutMs);
      return usual.send(request);
    },
    close: () => usual.close(),
  }),
});

it('limits each retry to the remaining time of the whole call', async () => {
  testGraph.sandbox.faults.add({ operation: GET, status: 503, times: 2 });
  const { data } = await testGraph.execute('query ($id: ID!) { contact(id: $id) { rawId } }', { id: demoId('contact 0') });
  expect(data.contact.rawId).toBe(demoId('contact 0'));
  const [first = 0, second = 0, third = 0, ...more] = timeouts;
  expect(more).toEqual([]);
  expect(second).toBeLessThan(first);
  expect(third).toBeLessThan(second);
});
