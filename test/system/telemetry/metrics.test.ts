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

/** A member that no contract has, in the answers to one list. */
const drifting = interceptCalls(async (request, usual) => {
  const answer = await usual(request);
  return request.path.endsWith('ListProducts') ? { ...answer, body: answer.body.replace('{', '{"surplus":1,') } : answer;
});

// Stands still: the quota of a key is a series until its window ends, and the state of the upstream until it's outdated.
const clock = new TestClock();
const testGraph = useTestGraph({}, undefined, {
  clock,
  app: { clock },
  env: { ADMIN_PORT: '0' },
  transport: drifting,
  upstream: { breaker: { threshold: 0.5, calls: 4, minCalls: 2, halfOpenAfterMs: 3_600_000 } },
});

const series = async () => parseSeries(await scrape(testGraph.adminUrl));

describe('/metrics', () => {
  it('counts the calls that the breaker has kept back', async () => {
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 500, times: 10 });
    for (const first of [1, 2, 3, 4]) await testGraph.execute(`{ contacts(first: ${first}) { nodes { rawId } } }`);
    testGraph.sandbox.faults.clear();
    const before = sumByLabels(await series(), 'upstream_unsent_calls_total', ['reason']).breaker ?? 0;
    const [, calls] = await testGraph.recordCalls(async () => {
      for (const first of [5, 6, 7]) await testGraph.execute(`{ contacts(first: ${first}) { nodes { rawId } } }`);
    });
    expect(calls).toEqual([]);
    expect(sumByLabels(await series(), 'upstream_unsent_calls_total', ['reason']).breaker).toBe(before + 3);
  });

  it('counts each difference from the contract, in the first three answers of an operation', async () => {
    for (const first of [1, 2, 3, 4, 5]) await testGraph.execute(`{ products(first: ${first}) { nodes { rawId } } }`);
    expect(sumByLabels(await series(), 'graph_contract_drift_total', ['coordinate', 'kind'])).toEqual({
      'ListProductsResponse.surplus UNKNOWN_MEMBER': 3,
    });
  });

  it('has no more series after 1,000 documents, keys and paths than after the first', async () => {
    const one = async (number: number) => {
      const query = `query Name${number} { alias${number}: __typename }`;
      const headers = { 'content-type': 'application/json', authorization: `Bearer key-${number}`, 'user-agent': `agent-${number}` };
      const { status } = await fetch(`${testGraph.url}/graphql?number=${number}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      expect(status).toBe(200);
    };
    await one(0);
    const before = new Set((await series()).keys());
    const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1).values();
    const caller = async () => {
      for (const number of numbers) await one(number);
    };
    await Promise.all(Array.from({ length: 16 }, caller));
    const after = await series();
    expect(new Set(after.keys())).toEqual(before);
    expect(sumByLabels(after, 'graphql_operation_duration_seconds_count', ['document_id', 'outcome'])['ad-hoc ok']).toBeGreaterThan(1_000);
  });
});

/** Labels that Prometheus itself adds. */
const ADDED = ['job', 'instance', 'le', '__name__'];

/** Metrics of a text, as queries name them, with their labels, as their series have them. */
function known(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) labels.set(name + suffix, new Set(ADDED));
  for (const [, name = '', own = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of own.matchAll(/(\w+)="/g)) labels.get(name)?.add(label);
  return labels;
}

/** Metrics that an expression names, and labels. Functions are followed by a parenthesis. */
function namesIn(expression: string): { readonly metrics: readonly string[]; readonly labels: readonly string[] } {
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

/** All expressions of a dashboard, those of its variables too. */
function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    if (name === 'expr') return [String(each)];
    return name === 'query' && typeof each === 'string' && each.includes('(') ? [each] : expressionsIn(each);
  });
}

describe('deploy/prometheus', () => {
  it('names no metric and no label that the graph does not have', async () => {
    // Labels are known by their series: something of each kind has to have happened.
    const create = 'mutation { contactCreate(input: { lastName: "Once", idempotencyKey: "names" }) { __typename } }';
    await testGraph.execute(create);
    await testGraph.execute('{ products(first: 6) { nodes { rawId } } }');
    const metrics = known(await scrape(testGraph.adminUrl));
    const dashboard: unknown = JSON.parse(readFileSync('deploy/prometheus/dashboard.json', 'utf8'));
    const expressions = [...alerts.map(({ expr }) => expr), ...expressionsIn(dashboard)];
    const unknown = expressions.flatMap((expression) => {
      const names = namesIn(expression);
      const labels = new Set(names.metrics.flatMap((name) => [...(metrics.get(name) ?? [])]));
      return [...names.metrics.filter((name) => !metrics.has(name)), ...names.labels.filter((label) => !labels.has(label))].map((name) => [
        name,
        expression,
      ]);
    });
    expect(unknown).toEqual([]);
    expect(expressions.length).toBeGreaterThan(25);
    expect(expressions.every((expression) => namesIn(expression).metrics.length > 0)).toBe(true);
  });

  const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

  it.skipIf(!hasPrometheus)(
    'is understood by a Prometheus that scrapes the graph (skipped where Debian’s prometheus is not installed)',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
      const config = {
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [join(process.cwd(), 'deploy/prometheus/alerts.yaml')],
        scrape_configs: [{ job_name: 'graph', static_configs: [{ targets: [new URL(testGraph.adminUrl ?? '').host] }] }],
      };
      writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
      const port = await freePort();
      const flags = [`--config.file=${join(folder, 'prometheus.yaml')}`, `--storage.tsdb.path=${folder}/data`];
      const child = spawn('prometheus', [...flags, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'], { stdio: 'ignore' });
      const ended = once(child, 'close');
      try {
        const ask = async (query: string) => {
          const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
          const answer = await fetch(url).catch(() => null);
          // It answers 503 in words until its storage is open.
          if (!answer?.ok) return undefined;
          const body = (await answer.json()) as { readonly data?: { readonly result: readonly Result[] } };
          return body.data?.result.map(({ metric, value: [, value] }) => [metric.service ?? metric.job, value]);
        };
        // Another program, on a scale of seconds: there is no event to wait for.
        const until = async (query: string) => {
          for (let answer = await ask(query); ; answer = await ask(query)) {
            if (answer?.length) return answer;
            await wait(100);
          }
        };
        expect(await until('up == 1')).toEqual([['graph', '1']]);
        const open = alerts.find(({ alert }) => alert === 'GraphBreakerOpen')?.expr ?? '';
        expect(await until(open)).toEqual([['Contact', '1']]);
        expect(await ask(alerts.find(({ alert }) => alert === 'GraphQueueTooLong')?.expr ?? '')).toEqual([]);
        // The rules were loaded, and the open breaker waits for its five minutes.
        expect(await until('ALERTS{alertname="GraphBreakerOpen"}')).toEqual([['Contact', '1']]);
      } finally {
        child.kill('SIGKILL');
        await ended;
      }
    },
  );
});

interface Result {
  readonly metric: { readonly job?: string; readonly service?: string };
  readonly value: readonly [time: number, value: string];
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
