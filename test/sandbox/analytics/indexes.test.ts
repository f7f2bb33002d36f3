import { describe, expect, it, vi } from 'vitest';
import { ENTITIES } from '../../../sandbox/analytics/entities.ts';
import type { Bindings } from '../../../sandbox/kernel/store.ts';
import { useSandbox } from '../sandbox.ts';
import { createQuery, sendQuery, sortBy } from './queryHelpers.ts';

const opened = useSandbox();

/** The steps of SQLite's plan for the statement that an analytics query executes. */
async function explain(query: object): Promise<string[]> {
  const { store } = opened.sandbox.world;
  const rows = vi.spyOn(store, 'rows');
  await sendQuery(opened.call, query);
  const [sql, bindings] = rows.mock.lastCall ?? ['', {}];
  rows.mockRestore();
  return store.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, bindings as Bindings).map(({ detail }) => detail);
}

/** The timestamps by which clients read many records. `SANDBOX_EXTRA_ORDERS` only adds records of the last three. */
const SORTED = [
  ...ENTITIES.map(({ name }) => [name, name === 'appointment_results' ? 'starts_at' : 'created_at'] as const),
  ...['customers', 'offers', 'orders'].map((name) => [name, 'updated_at'] as const),
];

describe('projection', () => {
  it.each(SORTED)('reads a page of %s sorted by %s from an index', async (entity, field) => {
    const page = { records: { fields: ['id', field] }, sort: [sortBy(field), sortBy('id')] };
    const timestamp = { start: '2025-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' };
    for (const query of [createQuery(entity, page), createQuery(entity, { ...page, timeRange: { field, timestamp } })]) {
      const plan = await explain(query);
      expect(plan[0]).toMatch(/^SEARCH row USING (COVERING )?INDEX \w+_by_(age|update|start) /);
      expect(plan).not.toContain('USE TEMP B-TREE FOR ORDER BY');
    }
  });
});
