import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { scrape } from '../../support/telemetry/scrape.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, { env: { ADMIN_PORT: '0' } });

const promtool = (args: readonly string[], input?: string) => spawnSync('promtool', args, { encoding: 'utf8', input });
const hasPromtool = promtool(['--version']).status === 0;

describe.skipIf(!hasPromtool)(`promtool${hasPromtool ? '' : ' (skipped: it isn’t installed)'}`, () => {
  it('accepts the metrics of a graph that has sent calls', async () => {
    await testGraph.execute('{ contacts(first: 1) { nodes { id } } }');
    const { status, stderr, stdout } = promtool(['check', 'metrics'], await scrape(testGraph.adminUrl));
    expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' });
  });

  it('accepts the alert rules', () => {
    const { status, stderr, stdout } = promtool(['check', 'rules', 'deploy/prometheus/alerts.yaml']);
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  });
});
