import { describe, expect, it } from 'vitest';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import { EXAMPLES } from '../../support/examples.ts';
import { createDemoWorld, SEED, START } from '../sandbox.ts';

describe('demo data examples', () => {
  const { store } = createDemoWorld(() => START * 1000);
  const tables = store.all<{ name: string }>(
    "SELECT m.name AS name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type IN ('table', 'view') AND c.name = 'id'",
  );
  const hasRow = (id: string) => tables.some(({ name }) => store.get(`SELECT 1 FROM ${name} WHERE id = :id`, { id }));

  it.each(Object.entries(EXAMPLES))('include a row for each %s', (_type, names) => {
    expect(names.filter((name) => !hasRow(createUuid(SEED, `demo ${name}`)))).toEqual([]);
  });
});

describe('demo data', () => {
  it('links visits to open work orders of their customer', () => {
    const { store } = createDemoWorld(() => START * 1000);
    const linked = store.all<{ readonly isOfCustomer: number; readonly isOpen: number }>(
      `SELECT w.customer_id = a.customer_id AS isOfCustomer, w.completed_at IS NULL AND w.cancelled_at IS NULL AS isOpen
       FROM appointments AS a JOIN work_orders AS w ON w.id = a.work_order_id WHERE a.starts_at > ${START}`,
    );
    expect(linked.length).toBeGreaterThan(5);
    expect(linked.filter(({ isOfCustomer, isOpen }) => !isOfCustomer || !isOpen)).toEqual([]);
  });
});
