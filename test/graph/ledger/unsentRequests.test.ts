import { expect, it } from 'vitest';
import { TransportError } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { DEPOT, SHELF } from '../../sandbox/stock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const PRODUCT = demoId('product 1');

/** Whether connections to the upstream fail for writes. */
let isUnreachable = false;
const testGraph = useTestGraph({}, undefined, {
  transport: (usual) => ({
    send: (request) =>
      isUnreachable && request.path.includes('Create') ? Promise.reject(new TransportError(false, false)) : usual.send(request),
    close: () => usual.close(),
  }),
});

/** Sends a mutation. Returns the type of its result, or its payload's effect, and the upstream calls. */
async function send(mutation: string, input: object) {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${mutation}(input: $input) { __typename ... on MutationPayload { effect } } }`;
  const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { input }));
  const { __typename: result = null, effect = null } = data[mutation] ?? {};
  return { result, effect, calls };
}

async function findState(operation: string, key: string): Promise<string | null> {
  const document =
    'query ($operation: String!, $key: String!) { found: idempotentOperation(operation: $operation, idempotencyKey: $key) { state } }';
  const { data } = await testGraph.execute(document, { operation, key });
  return data.found?.state ?? null;
}

const move = (sourceLocationId: string) => ({
  destinationLocationId: DEPOT,
  lines: [{ productId: PRODUCT, sourceLocationId, quantity: 1 }],
});
const adjust = (quantityDelta: number) => ({
  locationId: SHELF,
  productId: PRODUCT,
  change: { quantityDelta },
  reason: 'COUNT_CORRECTION',
});
const price = (minorUnits: string, currencyCode: string) => ({ productId: PRODUCT, priceMonthly: { minorUnits, currencyCode } });

interface Refusal {
  readonly mutation: string;
  readonly refused: object;
  readonly corrected: object;
  /** Reads that the refusal depends on. */
  readonly reads: readonly string[];
}

it.each<[string, Refusal]>([
  ['adjusts stock by 0', { mutation: 'inventoryAdjust', refused: adjust(0), corrected: adjust(1), reads: [] }],
  ['moves stock to its own location', { mutation: 'inventoryMove', refused: move(DEPOT), corrected: move(SHELF), reads: [] }],
  [
    'sets a price in another currency',
    { mutation: 'productUpdate', refused: price('300', 'USD'), corrected: price('400', 'EUR'), reads: ['Catalog/GetProduct'] },
  ],
])(
  'stores no entry for a mutation that %s, and accepts its key for a corrected one',
  async (name, { mutation, refused, corrected, reads }) => {
    const guards = { idempotencyKey: name };
    for (let attempts = 0; attempts < 2; attempts += 1)
      expect(await send(mutation, { ...refused, ...guards })).toEqual({ result: 'ValidationError', effect: null, calls: reads });
    expect(await findState(mutation, name)).toBeNull();
    expect(await send(mutation, { ...corrected, ...guards })).toMatchObject({ effect: 'DONE' });
    // Now the key has an entry, with another input.
    expect(await send(mutation, { ...refused, ...guards })).toMatchObject({ result: 'IdempotencyKeyReusedError', calls: [] });
    expect(await findState(mutation, name)).toBe('SUCCEEDED');
  },
);

it('stores no entry if no connection to the upstream can be opened', async () => {
  const input = { lastName: 'Adler', idempotencyKey: 'unreachable' };
  isUnreachable = true;
  expect(await send('contactCreate', input)).toMatchObject({ result: null, calls: [] });
  expect(await findState('contactCreate', 'unreachable')).toBeNull();
  isUnreachable = false;
  expect(await send('contactCreate', input)).toMatchObject({ effect: 'DONE', calls: ['Contact/CreateContact'] });
});

it('finds all lines of a move that start at its destination', async () => {
  const line = { productId: PRODUCT, sourceLocationId: DEPOT, quantity: 1 };
  const input = { destinationLocationId: DEPOT, lines: [line, { ...line, sourceLocationId: SHELF }, line], idempotencyKey: 'lines' };
  const document =
    'mutation ($input: InventoryMoveInput!) { inventoryMove(input: $input) { ... on ValidationError { issues { path code } } } }';
  const { data } = await testGraph.execute(document, { input });
  expect(data.inventoryMove.issues).toEqual([
    { path: ['lines', '0', 'sourceLocationId'], code: 'SAME_LOCATION' },
    { path: ['lines', '2', 'sourceLocationId'], code: 'SAME_LOCATION' },
  ]);
});
