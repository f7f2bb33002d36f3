import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey, MAIN, VAN } from '../../sandbox/stock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const ISSUES = '__typename ... on ValidationError { issues { path code message } }';
const fetchIssues = async (name: string, input: object) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data } = await testGraph.execute(`mutation ($input: ${type}!) { ${name}(input: $input) { ${ISSUES} } }`, {
    input: { ...input, idempotencyKey: createIdempotencyKey() },
  });
  return data[name].issues;
};

const [productId, other] = [demoId('product 1'), demoId('product 2')];
const line = { productId, sourceLocationId: MAIN, quantity: 1 };
const moveInput = { destinationLocationId: VAN, lines: [line, { ...line, productId: other }] };
const adjustInput = { productId, locationId: MAIN, reason: 'Count', change: { quantityDelta: 1 } };

describe('ValidationError.issues from the Workspace API', () => {
  it.each<[upstreamMessage: string, path: string[], message: string]>([
    [
      'lines[1].source_location_id must differ from the destination.',
      ['lines', '1', 'sourceLocationId'],
      'must differ from the destination.',
    ],
    ['lines[0].quantity: is odd [move.odd]', ['lines', '0', 'quantity'], 'is odd [move.odd]'],
    ['destination_location_id is closed.', ['destinationLocationId'], 'is closed.'],
    ['lines[7].quantity is odd.', [], 'lines[7].quantity is odd.'],
    ['truck is full.', [], 'truck is full.'],
    ['lines', [], 'lines'],
    ['__proto__ is odd.', [], '__proto__ is odd.'],
  ])('maps the message to a path if the input has the field: %s', async (upstreamMessage, path, message) => {
    const body = JSON.stringify({ code: 'invalid_argument', message: upstreamMessage });
    testGraph.sandbox.faults.add({ operation: 'Inventory/MoveInventory', status: 400, body });
    expect(await fetchIssues('inventoryMove', moveInput)).toEqual([{ path, code: 'OTHER', message }]);
  });

  it('uses the input’s name of the field', async () => {
    const body = JSON.stringify({ code: 'invalid_argument', message: 'quantity_delta is too much.' });
    testGraph.sandbox.faults.add({ operation: 'Inventory/AdjustInventory', status: 400, body });
    expect(await fetchIssues('inventoryAdjust', adjustInput)).toEqual([
      { path: ['change', 'quantityDelta'], code: 'OTHER', message: 'is too much.' },
    ]);
  });
});
