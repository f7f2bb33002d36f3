import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { parseSeries, scrape, sumByLabels } from '../../support/telemetry/scrape.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** Adds a field to the responses of a list that the contract doesn't declare. */
const driftingTransport = interceptCalls(async (request, usual) => {
  const response = await usual(request);
  return request.path.endsWith('ListProducts') ? { ...response, body: response.body.replace('{', '{"surplus":1,') } : response;
});

// The clock stands still, because the quota series of a key lasts until its window ends, and the state of the upstream until it's outdated.
const clock = new TestClock();
const testGraph = useTestGraph({}, undefined, {
  clock,
  app: { clock },
  env: { ADMIN_PORT: '0' },
  transport: driftingTransport,
  upstream: { breaker: { threshold: 0.5, calls: 4, minCalls: 2, halfOpenAfterMs: 3_600_000 } },
});

const fetchSeries = async () => parseSeries(await scrape(testGraph.adminUrl));

describe('/metrics', () => {
  it('counts the calls that the circuit breaker has rejected', async () => {
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 500, times: 10 });
    for (const first of [1, 2, 3, 4]) await testGraph.execute(`{ contacts(first: ${first}) { nodes { rawId } } }`);
    testGraph.sandbox.faults.clear();
    const before = sumByLabels(await fetchSeries(), 'upstream_unsent_calls_total', ['reason']).breaker ?? 0;
    const [, calls] = await testGraph.recordCalls(async () => {
      for (const first of [5, 6, 7]) await testGraph.execute(`{ contacts(first: ${first}) { nodes { rawId } } }`);
    });
    expect(calls).toEqual([]);
    expect(sumByLabels(await fetchSeries(), 'upstream_unsent_calls_total', ['reason']).breaker).toBe(before + 3);
  });

  it('counts each difference from the contract in the first three responses of an operation', async () => {
    for (const first of [1, 2, 3, 4, 5]) await testGraph.execute(`{ products(first: ${first}) { nodes { rawId } } }`);
    expect(sumByLabels(await fetchSeries(), 'graph_contract_drift_total', ['coordinate', 'kind'])).toEqual({
      'ListProductsResponse.surplus UNKNOWN_MEMBER': 3,
    });
  });

  it('keeps the number of series constant over 1,000 documents, keys, and paths', async () => {
    const sendRequest = async (number: number) => {
      const query = `query Name${number} { alias${number}: __typename }`;
      const headers = { 'content-type': 'application/json', authorization: `Bearer key-${number}`, 'user-agent': `agent-${number}` };
      const { status } = await fetch(`${testGraph.url}/graphql?number=${number}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      expect(status).toBe(200);
    };
    await sendRequest(0);
    const before = new Set((await fetchSeries()).keys());
    const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1).values();
    const caller = async () => {
      for (const number of numbers) await sendRequest(number);
    };
    await Promise.all(Array.from({ length: 16 }, caller));
    const after = await fetchSeries();
    expect(new Set(after.keys())).toEqual(before);
    expect(sumByLabels(after, 'graphql_operation_duration_seconds_count', ['document_id', 'outcome'])['ad-hoc ok']).toBeGreaterThan(1_000);
  });
});

/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance', 'le', '__name__'];

/** Metrics of an exposition by the names that queries use, with the labels of their series. */
function parseMetrics(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) labels.set(name + suffix, new Set(ADDED));
  for (const [, name = '', own = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of own.matchAll(/(\w+)="/g)) labels.get(name)?.add(label);
  return labels;
}

/** Metrics and labels that an expression refers to. Functions are followed by a parenthesis. */
function parseNames(expression: string): { readonly metrics: readonly string[]; readonly labels: readonly string[] } {
  const grouped = Array.from(expression.matchAll(/\b(?:by|without|on) ?\(([^)]*)\)/g), ([, list = '']) => list.split(/, ?/)).flat();
  const matched = Array.from(expression.matchAll(/(\w+)(?:=~|!~|!=|=)"/g), ([, label = '']) => label);
  const bare = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(?:by|without|on) ?\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '');
  return {
    metrics: Array.from(bare.matchAll(/\b([a-z]+(?:_[a-z]+)+)\b(?! ?\()/g), ([, name = '']) => name),
    labels: [...grouped, ...matched],
  };
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const alerts = (parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);

/** All expressions of a dashboard, including those of its variables. */
function listExpressions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    if (name === 'expr') return [String(each)];
    return name === 'query' && typeof each === 'string' && each.includes('(') ? [each] : listExpressions(each);
  });
}

describe('deploy/prometheus', () => {
  it('refers only to metrics and labels of the graph', async () => {
    // Labels only appear in series, so each kind of series must exist.
    const create = 'mutation { contactCreate(input: { lastName: "Once", idempotencyKey: "names" }) { __typename } }';
    await testGraph.execute(create);
    await testGraph.execute('{ products(first: 6) { nodes { rawId } } }');
    const metrics = parseMetrics(await scrape(testGraph.adminUrl));
    const dashboard: unknown = JSON.parse(readFileSync('deploy/prometheus/dashboard.json', 'utf8'));
    const expressions = [...alerts.map(({ expr }) => expr), ...listExpressions(dashboard)];
    const unknown = expressions.flatMap((expression) => {
      const names = parseNames(expression);
      const labels = new Set(names.metrics.flatMap((name) => [...(metrics.get(name) ?? [])]));
      return [...names.metrics.filter((name) => !metrics.has(name)), ...names.labels.filter((label) => !labels.has(label))].map((name) => [
        name,
        expression,
      ]);
    });
    expect(unknown).toEqual([]);
    expect(expressions.length).toBeGreaterThan(25);
    expect(expressions.every((expression) => parseNames(expression).metrics.length > 0)).toBe(true);
  });

  const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

  it.skipIf(!hasPrometheus)('works in a Prometheus that scrapes the graph (skipped if Debian’s prometheus isn’t installed)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(process.cwd(), 'deploy/prometheus/alerts.yaml')],
      scrape_configs: [{ job_name: 'graph', static_configs: [{ targets: [new URL(testGraph.adminUrl ?? '').host] }] }],
    };
    writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
    const port = await findFreePort();
    const flags = [`--config.file=${join(folder, 'prometheus.yaml')}`, `--storage.tsdb.path=${folder}/data`];
    const child = spawn('prometheus', [...flags, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'], { stdio: 'ignore' });
    const ended = once(child, 'close');
    try {
      const runQuery = async (query: string) => {
        const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
        const response = await fetch(url).catch(() => null);
        // Prometheus returns 503 with a text until its storage is open.
        if (!response?.ok) return undefined;
        const body = (await response.json()) as { readonly data?: { readonly result: readonly Result[] } };
        return body.data?.result.map(({ metric, value: [, value] }) => [metric.service ?? metric.job, value]);
      };
      // Poll, because another program provides no event to wait for.
      const pollQuery = async (query: string) => {
        for (let response = await runQuery(query); ; response = await runQuery(query)) {
          if (response?.length) return response;
          await wait(100);
        }
      };
      expect(await pollQuery('up == 1')).toEqual([['graph', '1']]);
      const open = alerts.find(({ alert }) => alert === 'GraphBreakerOpen')?.expr ?? '';
      expect(await pollQuery(open)).toEqual([['Contact', '1']]);
      expect(await runQuery(alerts.find(({ alert }) => alert === 'GraphQueueTooLong')?.expr ?? '')).toEqual([]);
      // The rules are loaded, and the alert of the open breaker is pending for five minutes.
      expect(await pollQuery('ALERTS{alertname="GraphBreakerOpen"}')).toEqual([['Contact', '1']]);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
});

interface Result {
  readonly metric: { readonly job?: string; readonly service?: string };
  readonly value: readonly [time: number, value: string];
}

/** Returns a free port. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
