import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LedgerUnavailableError } from '../../../src/failures/failures.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { BREAKER } from '../../../src/upstream/traffic/breakers.ts';
import { TransportError, type UpstreamRequest, type UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { formatInputSeries, recordTimeline, type Timeline } from '../../support/telemetry/timeline.ts';
import { postQuery, startTestGraph, type TestGraph, type TestGraphOptions } from '../../support/testGraph.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const RULES = join(process.cwd(), 'deploy/prometheus/alerts.yaml');
const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Length of a scenario in minutes: longer than the wait of any alert. */
const MINUTES = 25;
/** Excludes the event loop lag of a busy machine from the scenarios. */
const isSimulated = ([name]: readonly [string, unknown]) => !name.startsWith('nodejs_');

type InputSeries = readonly { readonly series: string; readonly values: string }[];

let files = 0;

/** Expects exactly these alerts to fire at a minute. */
function expectFiring(input: InputSeries, minute: number, alerts: readonly string[]): void {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  const test = {
    interval: '1m',
    input_series: input,
    promql_expr_test: [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${minute}m`,
        exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  };
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [test] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect(status === 0 ? '' : stdout + stderr).toBe('');
}

type Send = (request: UpstreamRequest, usual: (request: UpstreamRequest) => Promise<UpstreamResponse>) => Promise<UpstreamResponse>;

interface Scenario extends TestGraphOptions {
  readonly send?: Send;
  readonly action?: (testGraph: TestGraph, minute: number) => Promise<unknown>;
}

let queries = 0;

/** Sends a query whose response isn't shared with another one. */
const sendQuery = async ({ app }: TestGraph, key: string | null = 'demo-owner') => {
  queries += 1;
  return postQuery(app.url, key, `{ a${queries}: contacts(first: 3) { nodes { rawId } } b: products(first: 2) { nodes { rawId } } }`);
};

/** Records the metrics of a graph while `action` runs once per simulated minute. */
async function recordScenario({ send, action = (testGraph) => sendQuery(testGraph), ...options }: Scenario): Promise<Timeline> {
  const clock = new TestClock();
  const testGraph = await startTestGraph({}, undefined, {
    clock,
    ...(send && { transport: interceptCalls(send) }),
    ...options,
    env: { ADMIN_PORT: '0', ...options.env },
    app: { clock },
    upstream: { breaker: BREAKER, ...options.upstream },
  });
  onTestFinished(() => testGraph.close());
  const { minutes, series } = await recordTimeline(
    () => testGraph.app.adminUrl,
    MINUTES,
    async (minute) => {
      await action(testGraph, minute);
      clock.now += 60_000;
    },
  );
  return { minutes, series: new Map([...series].filter(isSimulated)) };
}

/** The minute at which the upstream goes down. */
const DOWN_AT = 5;

function createFailure(fail: Send): Scenario {
  let isDown = false;
  return {
    send: (request, usual) => (isDown ? fail(request, usual) : usual(request)),
    action: (testGraph, minute) => {
      isDown = minute >= DOWN_AT;
      return sendQuery(testGraph);
    },
  };
}

const createResponse = (status: number, body: string): UpstreamResponse => ({ status, headers: { 'content-type': 'text/html' }, body });

const CREATE = (field = '') => `mutation { contactCreate(input: { lastName: "Alert"${field} }) { __typename } }`;
const isCreation = ({ path }: UpstreamRequest) => path.endsWith('CreateContact');

describe.skipIf(!hasPromtool)(`alert rules${hasPromtool ? '' : ' (skipped: promtool isn’t installed)'}`, { timeout: LONG_TEST_MS }, () => {
  it('don’t fire while the graph works or has no traffic', async () => {
    expectFiring(formatInputSeries(await recordScenario({})), MINUTES, []);
    expectFiring(formatInputSeries(await recordScenario({ action: async () => {} })), MINUTES, []);
  });

  it.each<readonly [string, Send, readonly string[]]>([
    [
      'refuses connections',
      async () => {
        throw new TransportError(false, false);
      },
      ['GraphBreakerOpen', 'GraphOperationsFailing', 'GraphUpstreamDown', 'GraphUpstreamHighErrorRate'],
    ],
    [
      'doesn’t respond',
      async () => {
        throw new TransportError(true, true);
      },
      ['GraphBreakerOpen', 'GraphOperationsFailing', 'GraphUpstreamDown', 'GraphUpstreamHighErrorRate'],
    ],
    [
      'returns 503',
      async () => createResponse(503, ''),
      ['GraphBreakerOpen', 'GraphOperationsFailing', 'GraphUpstreamDown', 'GraphUpstreamHighErrorRate'],
    ],
    [
      'returns 503 to valid keys only',
      async (request, usual) => (request.apiKey === 'probe' ? usual(request) : createResponse(503, '')),
      ['GraphBreakerOpen', 'GraphOperationsFailing', 'GraphUpstreamHighErrorRate'],
    ],
    ['returns a maintenance page with status 200', async () => createResponse(200, '<html>'), ['GraphOperationsFailing']],
  ])('fire if the upstream %s', async (_name, fail, alerts) => {
    expectFiring(formatInputSeries(await recordScenario(createFailure(fail))), MINUTES, alerts);
  });

  it('fire if the upstream is down and the graph has no traffic', async () => {
    const send = async () => {
      throw new TransportError(false, false);
    };
    const timeline = await recordScenario({ send, action: async () => {} });
    expectFiring(formatInputSeries(timeline), MINUTES, ['GraphBreakerOpen', 'GraphUpstreamDown', 'GraphUpstreamHighErrorRate']);
  });

  it('fire if one process of several can’t reach the upstream', async () => {
    const healthy = formatInputSeries(await recordScenario({}), 'one:9464');
    const cutOff = formatInputSeries(
      await recordScenario(
        createFailure(async () => {
          throw new TransportError(false, false);
        }),
      ),
      'two:9464',
    );
    expectFiring([...healthy, ...cutOff], MINUTES, [
      'GraphBreakerOpen',
      'GraphOperationsFailing',
      'GraphUpstreamDown',
      'GraphUpstreamHighErrorRate',
    ]);
  });

  it('don’t fire for errors that clients cause', async () => {
    const action = async (testGraph: TestGraph) => {
      await sendQuery(testGraph, 'unknown-key');
      await sendQuery(testGraph, null);
      await postQuery(testGraph.app.url, 'demo-owner', CREATE(' idempotencyKey: " "'));
      await postQuery(testGraph.app.url, 'demo-owner', '{ nonsense }');
    };
    expectFiring(formatInputSeries(await recordScenario({ action })), MINUTES, []);
  });

  it('fire if the ledger is unavailable', async () => {
    class LostStore extends SqliteLedgerStore {
      override claim(): Promise<never> {
        return Promise.reject(new LedgerUnavailableError());
      }
    }
    const ledger = createMemoryLedger({ store: new LostStore(':memory:') });
    const action = async (testGraph: TestGraph, minute: number) => {
      for (let times = 0; times < 5; times += 1) await sendQuery(testGraph);
      // Too rare for a high rate of failed operations.
      if (minute === 20) await postQuery(testGraph.app.url, 'demo-owner', CREATE(' idempotencyKey: "alert"'));
    };
    expectFiring(formatInputSeries(await recordScenario({ ledger, action })), 22, ['GraphLedgerUnavailable']);
  });

  it('fire if all writes fail, regardless of successful queries', async () => {
    const timeline = await recordScenario({
      send: async (request, usual) => (isCreation(request) ? createResponse(502, '') : usual(request)),
      upstream: { breaker: null },
      action: async (testGraph) => {
        for (let times = 0; times < 30; times += 1) await sendQuery(testGraph);
        await postQuery(testGraph.app.url, 'demo-owner', CREATE());
      },
    });
    expectFiring(formatInputSeries(timeline), MINUTES, ['GraphLedgerOutcomesUnknown', 'GraphOperationsFailing']);
  });

  it.each([
    ['with an idempotency key', ' idempotencyKey: "alert"'],
    ['without one', ''],
  ])('fire for the first write with an unknown outcome %s', async (_name, field) => {
    const timeline = await recordScenario({
      send: async (request, usual) => {
        if (isCreation(request)) throw new TransportError(true, false);
        return usual(request);
      },
      // Reconciliation finds nothing, because the write wasn't applied.
      action: async (testGraph, minute) => {
        for (let times = 0; times < 20; times += 1) await sendQuery(testGraph);
        if (minute === 20) await postQuery(testGraph.app.url, 'demo-owner', CREATE(field));
      },
    });
    expectFiring(formatInputSeries(timeline), 22, ['GraphLedgerOutcomesUnknown']);
  });

  it('fire for the first difference from the contract', async () => {
    const timeline = await recordScenario({
      send: async (request, usual) => {
        const response = await usual(request);
        return request.path.endsWith('ListTeams') ? { ...response, body: response.body.replace('{', '{"surplus":1,') } : response;
      },
      action: async (testGraph, minute) => {
        if (minute === 20) await postQuery(testGraph.app.url, 'demo-owner', '{ teams(first: 1) { nodes { rawId } } }');
      },
    });
    expectFiring(formatInputSeries(timeline), 22, ['GraphContractDrift']);
    expectFiring(formatInputSeries(timeline), 20, []);
  });

  it('fire if operations are rejected because a key’s quota is exhausted, although the upstream isn’t called', async () => {
    let key = '';
    const timeline = await recordScenario({
      action: async (testGraph, minute) => {
        key ||= makeKey(testGraph.sandbox.world, {});
        if (minute === 0) testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 429, retryAfter: 3_000, times: 1 });
        await sendQuery(testGraph, key);
      },
    });
    expectFiring(formatInputSeries(timeline), MINUTES, ['GraphQuotaExhausted']);
  });

  it('fire if no graph is scraped', () => {
    expectFiring([], 10, ['GraphNotScraped']);
  });

  it('fire for a long queue, a slow event loop, and dropped log lines', () => {
    const labels = '{job="graph",instance="graph:9464"}';
    const up = [{ series: `upstream_queue_length${labels}`, values: '0x25' }];
    const lag = (le: string, by: number) => ({
      series: `nodejs_eventloop_lag_seconds_bucket{job="graph",instance="graph:9464",le="${le}"}`,
      values: `0+${by}x25`,
    });
    expectFiring([{ series: `upstream_queue_length${labels}`, values: '101x25' }], MINUTES, ['GraphQueueTooLong']);
    expectFiring([...up, lag('0.25', 90), lag('0.5', 100), lag('+Inf', 100)], MINUTES, ['GraphEventLoopSlow']);
    expectFiring([...up, { series: `log_lines_dropped_total${labels}`, values: '0x20 1x5' }], 22, ['GraphLogLinesDropped']);
  });
});
