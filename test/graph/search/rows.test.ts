import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const QUERY = 'AnalyticsService/ExecuteQuery';
const GET = 'Order/GetOrder';

const SEARCH = '{ orderSearch(first: 4) { nodes { id referenceNumber } } }';

describe('SEARCH_ROWS=records', () => {
  const byRecord = useTestGraph({}, undefined, { env: { SEARCH_ROWS: 'records' } });

  it('reads the record of every row, and includes that in the cost', async () => {
    const [{ data, errors, cost }, calls] = await byRecord.recordCalls(() => byRecord.execute(SEARCH));
    expect(errors).toBeUndefined();
    expect(data.orderSearch.nodes).toHaveLength(4);
    expect(calls).toEqual(['AnalyticsService/ListCatalog', QUERY, GET, GET, GET, GET]);
    expect(cost?.predictedCalls).toBe(14);
  });
});
