import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, SMALL } from '../../../sandbox/demo.ts';
import { table } from '../../../sandbox/kernel/table.ts';
import { canSeeCustomer, getVisibleFields, isProductAvailable, requireVisibleFields } from '../../../sandbox/kernel/visibility.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { ProFormaRecordSchema } from '../../../src/upstream/contract/generated/publicapi/v1/pro_formas_pb.ts';
import { demoId, SEED, START } from '../sandbox.ts';

/** A table that no domain defines, for any record with a `customer_id`. */
const visitTable = table('visits', ProFormaRecordSchema, { also: { workspace_id: 'TEXT' } });
const secretVisitTable = table('secret_visits', ProFormaRecordSchema, { also: { workspace_id: 'TEXT' }, isConcealed: true });

let world: World;
beforeAll(() => {
  world = openWorld({ data: ':memory:', seed: SEED, clock: () => START * 1000 }, SMALL);
  for (const each of [visitTable, secretVisitTable]) {
    world.store.exec(each.ddl);
    for (const [id, customer] of [
      ['seen', 'customer 0'],
      ['hidden', 'customer 1'],
      ['unassigned', ''],
    ] as const) {
      const money = { currency: 'EUR', total_once_minor: 0, total_monthly_minor: 0, total_yearly_minor: 0 };
      const row = { id, workspace_id: demoId('workspace'), customer_id: customer && demoId(customer), order_id: '', order_version: 1 };
      each.insert(world.store, { ...row, ...money, reference_number: id, created_at: START });
    }
  }
});
afterAll(() => world.close());

/** Runs `work` with the visibility of a member of the demo workspace, as in a call. */
const as = <Result>(member: string, work: (scope: Parameters<typeof getVisibleFields>[0]) => Result): Result => {
  const principal = { memberId: demoId(`member ${member}`) };
  return world.visibility.runAs(principal, () => work({ store: world.store, workspaceId: demoId('workspace'), principal }));
};

describe('table with a customer ID', () => {
  it('returns only rows of visible customers, for any SQL', () => {
    const listVisibleIds = () => world.store.all<{ id: string }>('SELECT id FROM visits ORDER BY rowid').map(({ id }) => id);
    expect(as('regional planner', listVisibleIds)).toEqual(['seen', 'unassigned']);
    expect(as('regional planner', ({ store }) => visitTable.find(store, { id: 'hidden' }))).toBeUndefined();
    expect(as('owner', listVisibleIds)).toEqual(['seen', 'hidden', 'unassigned']);
    expect(listVisibleIds()).toEqual(['seen', 'hidden', 'unassigned']);
  });

  it('denies other rows by ID, or reports them as missing if it’s concealed', () => {
    const getVisit = (each: typeof visitTable, id: string) => as('regional planner', (scope) => each.getOrThrow(scope, id, 'visit'));
    expect(getVisit(visitTable, 'seen').id).toBe('seen');
    expect(() => getVisit(visitTable, 'hidden')).toThrow(expect.objectContaining({ code: 'permission_denied' }));
    expect(() => getVisit(visitTable, 'none')).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(getVisit(secretVisitTable, 'seen').id).toBe('seen');
    expect(() => getVisit(secretVisitTable, 'hidden')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('can be written by any member, and is rolled back with the call', () => {
    const fail = () =>
      as('regional planner', ({ store }) =>
        store.transaction(() => {
          visitTable.update(store, 'seen', { reference_number: 'changed' });
          throw new Error('on purpose');
        }),
      );
    expect(fail).toThrow('on purpose');
    expect(visitTable.find(world.store, { id: 'seen' })?.reference_number).toBe('seen');
    // The failed call has restored the visibility.
    expect(visitTable.find(world.store, { id: 'hidden' })).toBeDefined();
  });
});

describe('visibility of the caller', () => {
  const customers = ['customer 0', 'customer 1', 'absent'].map(demoId);

  it('determines whether a customer can be seen', () => {
    expect(as('regional planner', (scope) => customers.map((id) => canSeeCustomer(scope, id)))).toEqual([true, false, false]);
    expect(as('owner', (scope) => customers.map((id) => canSeeCustomer(scope, id)))).toEqual([true, true, false]);
  });

  it('determines the visible data fields', () => {
    expect(as('owner', getVisibleFields)).toBeNull();
    expect(as('subcontractor', getVisibleFields)?.has('site_address')).toBe(true);
    expect(() => as('subcontractor', (scope) => requireVisibleFields(scope, ['site_address']))).not.toThrow();
    expect(() => as('subcontractor', (scope) => requireVisibleFields(scope, ['site_address', 'billing_address']))).toThrow(
      'billing_address',
    );
  });

  it('determines whether a product is available', () => {
    // Products in folders 0 and 2.
    const products = ['product 0', 'product 2'].map(demoId);
    expect(as('subcontractor', (scope) => products.map((id) => isProductAvailable(scope, id)))).toEqual([true, false]);
    expect(as('owner', (scope) => products.map((id) => isProductAvailable(scope, id)))).toEqual([true, true]);
  });
});
