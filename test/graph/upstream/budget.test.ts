import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { CALLS_PER_REQUEST, useTestGraph } from '../../support/testGraph.ts';

// Without batching, each contact costs one call.
const testGraph = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' } });

describe('UPSTREAM_CALLS_PER_REQUEST', () => {
  it('limits the upstream calls of a query, and the other fields return QUERY_TOO_EXPENSIVE', async () => {
    const fieldCount = CALLS_PER_REQUEST + 50;
    const fields = Array.from({ length: fieldCount }, (_, index) => `a${index}: contact(id: "absent ${index}") { lastName }`);
    const [{ status, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${fields.join(' ')} }`));
    expect([status, calls.length, errors?.length]).toEqual([294, CALLS_PER_REQUEST, 50]);
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['QUERY_TOO_EXPENSIVE']));
  });

  it('doesn’t count repeated reads of a record', async () => {
    const id = demoId('contact 0');
    const fields = Array.from({ length: CALLS_PER_REQUEST + 40 }, (_, index) => `a${index}: contact(id: "${id}") { lastName }`);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${fields.join(' ')} }`));
    expect([errors, calls]).toEqual([undefined, ['Contact/GetContact']]);
  });

  it('limits the writes of a mutation', async () => {
    const fieldCount = CALLS_PER_REQUEST + 5;
    const fields = Array.from(
      { length: fieldCount },
      (_, index) => `a${index}: contactCreate(input: { lastName: "Budget" }) { __typename }`,
    );
    const { data } = await testGraph.execute(`mutation { ${fields.join(' ')} }`);
    const created = Object.values(data).filter((result) => result !== null);
    const { length } = testGraph.sandbox.world.store.all('SELECT 1 FROM contacts WHERE last_name = :name', { name: 'Budget' });
    expect([created.length, length]).toEqual([CALLS_PER_REQUEST, CALLS_PER_REQUEST]);
  });
});
