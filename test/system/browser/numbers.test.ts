import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unresolvedSnapshotTable } from '../../../sandbox/analytics/snapshots.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { useBrowser } from './browser.ts';
import { signInWithKey, usePage } from './page.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
const example = usePage(testGraph);
// Removes the unresolved snapshots of the demo data and of earlier tests.
beforeEach(() => testGraph.sandbox.world.store.exec('DELETE FROM unresolved_snapshots'));
afterEach(() => testGraph.sandbox.faults.clear());

/** Opens the dashboard with a key. */
async function visit({ key = 'demo-owner' } = {}) {
  const visited = await browser.open(`${example.url}#numbers`);
  const { page } = visited;
  await signInWithKey(page, key);
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  return {
    ...visited,
    revenue: panel('Revenue by month'),
    workOrders: panel('Work orders by status'),
    results: panel('Appointments by result'),
  };
}

/** The cell texts of each row of a panel's table. */
async function readTable(panel: Locator): Promise<string[][]> {
  const rows = panel.getByRole('table').getByRole('row');
  await rows.nth(1).waitFor();
  return Promise.all((await rows.all()).slice(1).map((row) => row.locator('th, td').allInnerTexts()));
}

const selectRows = <Row>(sql: string) => testGraph.sandbox.world.store.all<Row>(sql, { workspace: demoId('workspace') });

const FROM_LIVE_ORDERS = "FROM orders WHERE workspace_id = :workspace AND status <> 3 AND created_at >= unixepoch('2025-04-01')";
const amount = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

describe('dashboard', () => {
  it('shows charts and tables with one query each', async () => {
    // Creates a month without orders, which responses omit.
    testGraph.sandbox.world.store.exec("UPDATE orders SET status = 3 WHERE strftime('%Y-%m', created_at, 'unixepoch') = '2025-05'");
    const [{ revenue, workOrders, results, origins, problems }, calls] = await testGraph.recordCalls(async () => {
      const visited = await visit();
      await Promise.all([visited.revenue, visited.workOrders, visited.results].map((panel) => readTable(panel)));
      return visited;
    });
    expect(calls.filter((name) => name === 'AnalyticsService/ExecuteQuery')).toHaveLength(3);

    const sums = selectRows<{ at: number; cents: number }>(
      `SELECT min(created_at) AS at, sum(total_once_minor) AS cents ${FROM_LIVE_ORDERS} GROUP BY strftime('%Y-%m', created_at, 'unixepoch') ORDER BY at`,
    );
    const table = await readTable(revenue);
    expect(table).toHaveLength(12);
    expect(table.slice(0, 2)).toEqual([
      ['April 2025', expect.stringMatching(/^€/)],
      ['May 2025', 'no orders'],
    ]);
    const filled = sums.map(({ at, cents }) => [month.format(at * 1000), amount.format(cents / 100)]);
    expect(table.filter(([, sum]) => sum !== 'no orders')).toEqual(filled);
    // The chart is hidden from screen readers.
    const bars = revenue.locator('[aria-hidden="true"] .recharts-bar-rectangle path');
    expect(await bars.count()).toBe(filled.length);

    const states = selectRows<{ count: number }>(
      'SELECT count(*) AS count FROM work_orders WHERE workspace_id = :workspace GROUP BY status ORDER BY count DESC',
    );
    expect((await readTable(workOrders)).map(([, count]) => Number(count))).toEqual(states.map(({ count }) => count));
    expect((await readTable(workOrders)).map(([state]) => state)).toContain('open');

    const named = selectRows<{ name: string; count: number }>(
      `SELECT c.name, count(*) AS count FROM appointments a JOIN appointment_result_codes c ON c.id = a.result_code_id
       WHERE a.workspace_id = :workspace GROUP BY c.name ORDER BY count DESC, c.name`,
    );
    expect(await readTable(results)).toEqual(named.map(({ name, count }) => [name, String(count)]));
    expect([origins(), problems]).toEqual([[new URL(example.url).origin], []]);
  });

  it('shows which amount is unknown and marks its place in the chart', async () => {
    const [{ id, at } = { id: '', at: 0 }] = selectRows<{ id: string; at: number }>(
      `SELECT id, created_at AS at ${FROM_LIVE_ORDERS} ORDER BY created_at DESC LIMIT 1`,
    );
    unresolvedSnapshotTable.insert(testGraph.sandbox.world.store, { workspace_id: demoId('workspace'), kind: 'order', record_id: id });
    const { revenue } = await visit();
    expect(await readTable(revenue)).toContainEqual([month.format(at * 1000), 'unknown']);
    expect(await revenue.locator('[aria-hidden="true"] text', { hasText: '?' }).count()).toBe(1);
  });

  it('explains why it is unavailable to a member with restricted visibility', async () => {
    const { page, revenue, problems } = await visit({ key: 'demo-regional' });
    await revenue.getByText('You don’t have access to this. Ask an administrator of the workspace.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('reloads a failed panel independently of the others', async () => {
    const { revenue, workOrders, results, page } = await visit();
    await Promise.all([readTable(revenue), readTable(workOrders), readTable(results)]);
    testGraph.sandbox.faults.add({ operation: 'AnalyticsService/ExecuteQuery', status: 503, times: 1_000 });
    await revenue.getByRole('button', { name: 'Reload' }).click();
    const failed = page.locator('section.numbers', { has: page.locator('.notice.failed') });
    await failed.waitFor();
    expect(await failed.count()).toBe(1);
    testGraph.sandbox.faults.clear();
    await failed.getByRole('button', { name: 'Try again' }).click();
    await Promise.all([readTable(revenue), readTable(workOrders)]);
    await failed.waitFor({ state: 'detached' });
  });
});
