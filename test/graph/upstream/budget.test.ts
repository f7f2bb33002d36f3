import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { CALLS_PER_REQUEST, useTestGraph } from '../../support/testGraph.ts';

// Each contact by its id.
const testGraph = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' } });

describe('a request', () => {
  it('makes no more upstream calls than it may, and says which part was not sent', async () => {
    const wanted = CALLS_PER_REQUEST + 50;
    const fields = Array.from({ length: wanted }, (_, index) => `a${index}: contact(id: "nobody ${index}") { lastName }`);
    const [{ status, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${fields.join(' ')} }`));
    expect([status, calls.length, errors?.length]).toEqual([294, CALLS_PER_REQUEST, 50]);
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['QUERY_TOO_EXPENSIVE']));
  });

  it('does not count what it has asked before', async () => {
    const id = demoId('contact 0');
    const fields = Array.from({ length: CALLS_PER_REQUEST + 40 }, (_, index) => `a${index}: contact(id: "${id}") { lastName }`);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${fields.join(' ')} }`));
    expect([errors, calls]).toEqual([undefined, ['Contact/GetContact']]);
  });

  it('changes nothing past its calls', async () => {
    const wanted = CALLS_PER_REQUEST + 5;
    const fields = Array.from({ length: wanted }, (_, index) => `a${index}: contactCreate(input: { lastName: "Budget" }) { __typename }`);
    const { data } = await testGraph.execute(`mutation { ${fields.join(' ')} }`);
    const made = Object.values(data).filter((answer) => answer !== null);
    const { length } = testGraph.sandbox.world.store.all('SELECT 1 FROM contacts WHERE last_name = :name', { name: 'Budget' });
    expect([made.length, length]).toEqual([CALLS_PER_REQUEST, CALLS_PER_REQUEST]);
  });
});
