import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unresolvedSnapshotTable } from '../../../sandbox/analytics/snapshots.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
// Removes the unresolved snapshots of the demo data and of earlier tests.
beforeEach(() => testGraph.sandbox.world.store.exec('DELETE FROM unresolved_snapshots'));
afterEach(() => testGraph.sandbox.faults.clear());

/** Runs the program like `node examples/client/revenue.ts`. */
async function run(key = 'demo-owner') {
  const env = { ...process.env, GRAPH_URL: `${testGraph.url}/graphql`, API_KEY: key };
  const program = spawn(process.execPath, ['examples/client/revenue.ts'], { env });
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  return { lines: output.trimEnd().split('\n'), errors: errors.trimEnd(), code };
}

const CANCELLED = 3;

/** Expected output for the orders of a quarter by month in the workspace's local time. */
function expectedQuarter(from: string, to: string): string[] {
  const rows = testGraph.sandbox.world.store.all<{ month: string; orders: number; revenue: number | null; cancelled: number | null }>(
    // Amsterdam is one or two hours ahead of UTC in both quarters, but the demo has no order within these hours of a month's end.
    `SELECT strftime('%Y-%m', created_at, 'unixepoch') AS month, count(*) AS orders,
      sum(total_once_minor) FILTER (WHERE status <> ${CANCELLED}) AS revenue, sum(total_once_minor) FILTER (WHERE status = ${CANCELLED}) AS cancelled
     FROM orders WHERE workspace_id = :workspace AND created_at >= unixepoch(:from) AND created_at < unixepoch(:to) GROUP BY month ORDER BY month`,
    { workspace: demoId('workspace'), from, to },
  );
  const amount = (minor: number | null) => (minor === null ? 'none' : (minor / 100).toFixed(2));
  return rows.map(({ month, orders, revenue, cancelled }) => [month, 'EUR', orders, amount(revenue), amount(cancelled)].join(' '));
}

/** Lines without padding. */
const trimLines = (lines: readonly string[]) => lines.map((line) => line.trim().replace(/ +/g, ' '));

describe('revenue of the example client', () => {
  it('prints two quarters by month and currency with one document', async () => {
    const [{ lines, errors, code }, calls] = await testGraph.recordCalls(() => run());
    expect([errors, code]).toEqual(['', 0]);
    const [now, before] = [expectedQuarter('2026-01-01', '2026-04-01'), expectedQuarter('2025-10-01', '2026-01-01')];
    expect(now.length).toBeGreaterThan(1);
    const table = (rows: readonly string[]) => (rows.length > 0 ? ['month currency orders revenue canceled', ...rows] : ['no orders']);
    expect(trimLines(lines)).toEqual(['This quarter', ...table(now), 'Last quarter', ...table(before)]);
    expect(lines.join('\n')).toContain('none');
    expect(calls.filter((name) => name !== 'AnalyticsService/ListCatalog')).toEqual([
      'AnalyticsService/ExecuteQuery',
      'AnalyticsService/ExecuteQuery',
    ]);
  });

  it('prints which amounts are unknown', async () => {
    const [{ id } = { id: '' }] = testGraph.sandbox.world.store.all<{ id: string }>(
      `SELECT id FROM orders WHERE workspace_id = :workspace AND status <> ${CANCELLED} ORDER BY created_at DESC LIMIT 1`,
      { workspace: demoId('workspace') },
    );
    unresolvedSnapshotTable.insert(testGraph.sandbox.world.store, { workspace_id: demoId('workspace'), kind: 'order', record_id: id });
    const { lines } = await run();
    expect(trimLines(lines).filter((line) => line.includes('not known'))).toEqual([
      expect.stringMatching(/^2026-0\d EUR \d+ not known (none|\d+\.\d\d)$/),
    ]);
  });

  it('explains why a key gets no data', async () => {
    const { lines, errors, code } = await run('demo-regional');
    expect([lines, code]).toEqual([[''], 1]);
    expect(errors).toMatch(/boardAccess:FULL_ACCESS/);
  });
});
