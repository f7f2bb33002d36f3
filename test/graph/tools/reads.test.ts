import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'graphql';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { spec } from '../../support/spec.ts';
import { startTestGraph, useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';
import { READS } from '../../support/toolReads.ts';

const logged: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
// Nothing is compiled: to compare answers, an expensive read would be sent again.
const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', COMPILE_AFTER: '0' }, logger });
afterEach(() => testGraph.sandbox.faults.clear());

const scopesOf = new Map(operations.map(({ name, scopes }) => [name, scopes]));

describe('every tool that reads', () => {
  it('has a line here', () => {
    const changes = CHANGES.map(({ tool }) => tool);
    const names = readdirSync('src/tools/documents').map((file) => file.replace('.graphql', ''));
    expect(Object.keys(READS)).toEqual(names.filter((name) => !changes.includes(name)).toSorted());
  });

  it.each(Object.entries(READS))(
    '%s answers data with exactly the scopes that its missing ones tell, one by one',
    spec('1.16'),
    async (name, args) => {
      const bare = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read'] }));
      const refused = await bare.call(`svc_${name}`, { ...args });
      const scopes: string[] = refused.body.errors[0].missingScopes;
      await bare.close();
      const tools = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...scopes] }));
      const [answer, calls] = await testGraph.recordCalls(() => tools.call(`svc_${name}`, { ...args }));
      expect([answer.isError, answer.body.errors, answer.body.truncated]).toEqual([false, undefined, undefined]);
      expect(JSON.stringify(answer.body.data)).toMatch(/"(id|name)":"/);
      // No scope is asked for that no call takes.
      expect([...new Set(calls.flatMap((call) => scopesOf.get(call) ?? []))].filter((scope) => !scopes.includes(scope))).toEqual([]);
      await tools.close();
      for (const left of scopes) {
        const others = await connectTools(
          testGraph.url,
          makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...scopes.filter((scope) => scope !== left)] }),
        );
        const [denied, sent] = await testGraph.recordCalls(() => others.call(`svc_${name}`, { ...args }));
        expect([denied.body.errors[0].missingScopes, sent]).toEqual([[left], []]);
        await others.close();
      }
    },
  );

  it.each(Object.entries(READS))('%s returns one text, which is shorter than the limit', async (name, args) => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { content } = await tools.client.callTool({ name: `svc_${name}`, arguments: { ...args } });
    expect((content as object[]).length).toBe(1);
    expect(JSON.stringify(content).length).toBeLessThan(24 * 1024);
    await tools.close();
  });
});

describe('the tools of analytics', () => {
  const COUNT = "SELECT count(*) FROM orders WHERE svc.timezone('Europe/Amsterdam') LIMIT 100";

  it('have the names that the upstream gives them', spec('1.17', '4.12.2', '4.12.8'), async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    expect((await tools.names()).filter((name) => name.includes('analytics'))).toEqual(['svc_analytics_catalog', 'svc_analytics_query']);
    await tools.close();
  });

  it('count by SQL, in one call that is not sent again', spec('4.12.6'), async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const [{ body }, calls] = await testGraph.recordCalls(() => tools.call('svc_analytics_query', { sql: COUNT }));
    expect(body.data.analyticsSql).toMatchObject({
      status: 'READY',
      isTruncated: false,
      timezone: 'Europe/Amsterdam',
      columns: [{ name: 'count' }],
    });
    expect(Number(body.data.analyticsSql.rows[0].cells[0].value)).toBeGreaterThan(0);
    expect(calls).toEqual(['AnalyticsService/ExecuteSQL']);
    await tools.close();
  });

  it('tell where a text is wrong, as an error', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { isError, body } = await tools.call('svc_analytics_query', { sql: COUNT.replace('count(*)', 'rank()') });
    expect([isError, body.data.analyticsSql]).toMatchObject([true, { line: 1, column: 8 }]);
    await tools.close();
  });

  it('take at most 32 KiB of SQL, and send no more', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const [{ isError }, calls] = await testGraph.recordCalls(() =>
      tools.call('svc_analytics_query', { sql: `${COUNT}${' '.repeat(32 * 1024)}` }),
    );
    expect([isError, calls]).toEqual([true, []]);
    await tools.close();
  });

  it('answer nothing to a member without full access, and nothing partial', async () => {
    const tools = await connectTools(testGraph.url, 'demo-regional');
    const { isError, body } = await tools.call('svc_analytics_query', { sql: COUNT });
    expect([isError, body.errors[0]]).toMatchObject([true, { code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE' }]);
    await tools.close();
  });

  it('are shown to no wildcard', spec('5.9'), async () => {
    const tools = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read', '*', 'analytics:*'] }));
    expect(await tools.names()).toEqual([]);
    expect((await tools.call('svc_analytics_query', { sql: COUNT })).body.errors[0].missingScopes).toEqual(['analytics:read']);
    await tools.close();
  });
});

describe('an answer', () => {
  it('that is too large is cut at its longest lists, and says so', async () => {
    const small = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_MAX_RESULT_BYTES: '2048' } });
    const tools = await connectTools(small.app.url, 'demo-owner');
    const whole = await connectTools(testGraph.url, 'demo-owner');
    const { body, text } = await tools.call('svc_open_work_orders');
    const { body: all } = await whole.call('svc_open_work_orders');
    const { nodes } = body.data.workOrders;
    expect(JSON.stringify(text).length).toBeLessThanOrEqual(2048);
    expect(body.truncated).toEqual({
      lists: [{ path: 'data.workOrders.nodes', shown: nodes.length, of: all.data.workOrders.nodes.length }],
      advice: expect.stringContaining('Request smaller pages'),
    });
    expect(nodes).toEqual(all.data.workOrders.nodes.slice(0, nodes.length));
    expect(nodes.length).toBeGreaterThan(0);
    await Promise.all([tools.close(), whole.close()]);
    await small.close();
  });

  it('contains the parts that succeeded, and an error for each that failed', async () => {
    testGraph.sandbox.faults.add({ operation: 'Quote/ListQuotes', status: 500 });
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { isError, body } = await tools.call('svc_customer_overview', { customerId: demoId('customer 0') });
    const { draftQuotes, openOrders } = body.data.customer;
    expect([isError, draftQuotes, openOrders.nodes.length > 0]).toEqual([false, null, true]);
    expect(body.errors).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', path: 'customer.draftQuotes' }]);
    await tools.close();
  });

  it('that fails as a whole is an error', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { isError, body } = await tools.call('svc_open_quotes', { customerId: 5.5 });
    expect([isError, body.errors[0].code]).toEqual([true, 'BAD_USER_INPUT']);
    await tools.close();
  });

  it('is no answer where an argument is a trap', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const trap = JSON.parse('{"query": {"__proto__": {"x": 1}}}');
    const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call('svc_find_customer', trap));
    expect([isError, body.errors[0].code, calls]).toEqual([true, 'BAD_USER_INPUT', []]);
    await tools.close();
  });

  it('waits for no more calls than the cost limit allows', async () => {
    const poor = startTestGraph({}, undefined, { env: { MCP: 'true', COST_LIMIT: '5' } });
    await expect(poor).rejects.toThrow(/customer_overview.graphql: This operation may require more than 5 upstream calls/);
  });
});

describe('the log', () => {
  it('has a line of each call: the tool, a part of the hash of the key, how it ended and how long it took, and no more', async () => {
    logged.length = 0;
    const tools = await connectTools(testGraph.url, 'demo-owner');
    await tools.call('svc_find_customer', { query: 'Finn Adler' });
    await tools.call('svc_order_status', { orderId: 'nothing' });
    await tools.close();
    const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'tool call');
    const line = { key: expect.stringMatching(/^[\w-]{8}$/), ms: expect.any(Number), requestId: expect.any(String), msg: 'tool call' };
    expect(lines).toMatchObject([
      { ...line, tool: 'svc_find_customer', outcome: 'ANSWERED' },
      { ...line, tool: 'svc_order_status' },
    ]);
    expect(Object.keys(lines[0]).toSorted()).toEqual([
      'hostname',
      'key',
      'level',
      'ms',
      'msg',
      'outcome',
      'pid',
      'requestId',
      'time',
      'tool',
    ]);
    expect(logged.join('')).not.toMatch(/Finn|Adler|demo-owner/);
  });
});

describe('the documents', () => {
  it('are named as their operations, and none is longer than a page', () => {
    for (const file of readdirSync('src/tools/documents')) {
      const text = readFileSync(`src/tools/documents/${file}`, 'utf8');
      const names = parse(text).definitions.map((definition) => ('name' in definition ? definition.name?.value : ''));
      expect([names[0], text.split('\n').length < 150]).toEqual([file.replace('.graphql', ''), true]);
    }
  });
});
