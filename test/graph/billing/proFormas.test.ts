import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { changeOrder } from '../../sandbox/billing/orders.ts';
import { START } from '../../sandbox/sandbox.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createOrder } = createQuoting(testGraph);

const PRO_FORMA = 'id rawId referenceNumber orderVersion totalOnce { minorUnits currencyCode } createdAt';
const CREATE = `mutation ($input: ProFormaCreateInput!) { proFormaCreate(input: $input) { __typename
  ... on ProFormaCreatePayload { proForma { ${PRO_FORMA} } order { rawId } effect }
  ... on VersionConflictError { expectedVersion currentVersion current { ... on Order { version } } }
  ... on TransitionBlockedError { blockers { message } }
  ... on MutationError { code } } }`;
const READ = `query ($id: ID!) { proForma(id: $id) { ${PRO_FORMA} } }`;
const OF_ORDER = 'query ($id: ID!) { order(id: $id) { proFormas(first: 10) { nodes { rawId } } } }';

/** Returns the payload or the error. */
const create = async (orderId: string, fields: object = {}) =>
  (await testGraph.execute(CREATE, { input: { orderId, idempotencyKey: randomUUID(), ...fields } })).data.proFormaCreate;
const listProFormas = async (id: string) => (await testGraph.execute(OF_ORDER, { id })).data.order.proFormas.nodes;

describe('Mutation.proFormaCreate', () => {
  it('creates a document from the current order', async () => {
    const orderId = await createOrder();
    const [result, calls] = await testGraph.recordCalls(() => create(orderId));
    const { rawId } = result.proForma;
    expect(result).toEqual({
      __typename: 'ProFormaCreatePayload',
      proForma: {
        id: toGlobalId('ProForma', rawId),
        rawId: expect.any(String),
        referenceNumber: expect.stringMatching(/^PF-\d+$/),
        orderVersion: '1',
        totalOnce: { minorUnits: '2000', currencyCode: 'EUR' },
        createdAt: new Date(START * 1000).toISOString().replace('.000Z', 'Z'),
      },
      order: { rawId: orderId },
      effect: 'DONE',
    });
    expect(calls).toEqual(['ProForma/CreateProForma']);
  });

  it('returns the existing document until the order changes, even with another idempotency key', spec('4.7.17'), async () => {
    const orderId = await createOrder();
    const { proForma } = await create(orderId);
    expect((await create(orderId)).proForma).toEqual(proForma);
    changeOrder(testGraph, orderId);
    const next = (await create(orderId)).proForma;
    expect(next).toMatchObject({ orderVersion: '2', totalOnce: { minorUnits: '2500' } });
    expect(next.rawId).not.toBe(proForma.rawId);
    expect((await testGraph.execute(READ, { id: proForma.id })).data.proForma).toEqual(proForma);
    expect(await listProFormas(orderId)).toEqual([{ rawId: next.rawId }, { rawId: proForma.rawId }]);
  });

  it('returns VersionConflictError and creates nothing if the order version doesn’t match', async () => {
    const orderId = await createOrder();
    changeOrder(testGraph, orderId);
    expect(await create(orderId, { expectedOrderVersion: '1' })).toMatchObject({
      __typename: 'VersionConflictError',
      expectedVersion: '1',
      currentVersion: '2',
      current: { version: '2' },
    });
    expect(await listProFormas(orderId)).toEqual([]);
    expect(await create(orderId, { expectedOrderVersion: '2' })).toMatchObject({ proForma: { orderVersion: '2' } });
  });

  it('returns TransitionBlockedError for a canceled order', async () => {
    const orderId = await createOrder();
    await testGraph.execute('mutation ($input: OrderCancelInput!) { orderCancel(input: $input) { __typename } }', {
      input: { orderId, expectedVersion: '1', idempotencyKey: randomUUID() },
    });
    expect(await create(orderId)).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.stringMatching(/is canceled, so no documents can be created for it/) }],
    });
  });
});

describe('proFormas', () => {
  const KEYS = 'proFormas(first: 1) { nodes { rawId order { id rawId } customer { id rawId } } }';

  it('lists the pro-formas of a customer and the IDs of related records with one call', spec('4.7.19'), async () => {
    const orderId = await createOrder();
    const { proForma } = await create(orderId);
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(`query ($id: ID!) { customer(id: $id) { ${KEYS} } }`, { id: CUSTOMER }),
    );
    const order = { id: toGlobalId('Order', orderId), rawId: orderId };
    const customer = { id: toGlobalId('Customer', CUSTOMER), rawId: CUSTOMER };
    expect(data.customer.proFormas.nodes).toEqual([{ rawId: proForma.rawId, order, customer }]);
    expect(calls).toEqual(['ProForma/ListProFormas']);
  });

  it('lists only the pro-formas of the order and fetches the order for its customer ID', async () => {
    const orderId = await createOrder();
    const { proForma } = await create(orderId);
    await create(await createOrder());
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(OF_ORDER, { id: orderId }));
    expect(data.order.proFormas.nodes).toEqual([{ rawId: proForma.rawId }]);
    expect(calls).toEqual(['Order/GetOrder', 'ProForma/ListProFormas']);
  });
});
