import { describe, expect, it } from 'vitest';
import { locationTable } from '../../../sandbox/inventory/stock.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const LIST = 'Inventory/SearchInventoryLocations';

describe('more locations than the lookup limit', () => {
  const testGraph = useTestGraph();

  it('returns NOT_FOUND for a location beyond the limit', async () => {
    const { store } = testGraph.sandbox.world;
    const row = locationTable.find(store, { id: demoId('location 0') });
    if (!row) throw new Error('The demo has no location.');
    store.transaction(() => {
      for (let index = 0; index < 1_000; index += 1)
        locationTable.insert(store, { ...row, id: `early ${index}`, name: `  Early ${index}` });
    });
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(`{ location: inventoryLocation(id: "${demoId('location 0')}") { name } }`),
    );
    expect(data.location).toBeNull();
    expect(errors).toMatchObject([
      {
        path: ['location'],
        message: expect.stringContaining('isn’t among the first 1000 records of its list'),
        extensions: { code: 'NOT_FOUND' },
      },
    ]);
    expect(calls).toEqual(Array(10).fill(LIST));
    expect((await testGraph.execute('{ inventoryLocation(id: "early 999") { name } }')).data.inventoryLocation).toEqual({
      name: '  Early 999',
    });
  });
});

describe('locations within the lookup limit', () => {
  const testGraph = useTestGraph();

  it('resolves Query.inventoryLocation to null for an unknown ID', async () => {
    const { data, errors } = await testGraph.execute('{ inventoryLocation(id: "nothing") { name } }');
    expect([data.inventoryLocation, errors]).toEqual([null, undefined]);
  });
});
