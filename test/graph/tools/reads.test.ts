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

const logLines: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
// Disables compilation: comparing results would send each analytics query twice.
const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', COMPILE_AFTER: '0' }, logger });
afterEach(() => testGraph.sandbox.faults.clear());

const scopesByOperation = new Map(operations.map(({ name, scopes }) => [name, scopes]));

describe('every read tool', () => {
  it('has a test here', () => {
    const changes = CHANGES.map(({ tool }) => tool);
    const names = readdirSync('src/tools/documents').map((file) => file.replace('.graphql', ''));
    expect(Object.keys(READS)).toEqual(names.filter((name) => !changes.includes(name)).toSorted());
  });

  it.each(Object.entries(READS))('%s requires exactly the scopes that it reports as missing', spec('1.16'), async (name, args) => {
    const withoutScopes = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read'] }));
    const rejected = await withoutScopes.call(`svc_${name}`, { ...args });
    const scopes: string[] = rejected.body.errors[0].missingScopes;
    await withoutScopes.close();
    const tools = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...scopes] }));
    const [result, calls] = await testGraph.recordCalls(() => tools.call(`svc_${name}`, { ...args }));
    expect([result.isError, result.body.errors, result.body.truncated]).toEqual([false, undefined, undefined]);
    expect(JSON.stringify(result.body.data)).toMatch(/"(id|name)":"/);
    // The tool requires no scope that no call needs.
    expect([...new Set(calls.flatMap((call) => scopesByOperation.get(call) ?? []))].filter((scope) => !scopes.includes(scope))).toEqual([]);
    await tools.close();
    for (const missing of scopes) {
      const others = await connectTools(
        testGraph.url,
        makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...scopes.filter((scope) => scope !== missing)] }),
      );
      const [denied, sent] = await testGraph.recordCalls(() => others.call(`svc_${name}`, { ...args }));
      expect([denied.body.errors[0].missingScopes, sent]).toEqual([[missing], []]);
      await others.close();
    }
  });

  it.each(Object.entries(READS))('%s returns one text content shorter than the limit', async (name, args) => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { content } = await tools.client.callTool({ name: `svc_${name}`, arguments: { ...args } });
    expect((content as object[]).length).toBe(1);
    expect(JSON.stringify(content).length).toBeLessThan(24 * 1024);
    await tools.close();
  });
});

describe('analytics tools', () => {
  const COUNT = "SELECT count(*) FROM orders WHERE svc.timezone('Europe/Amsterdam') LIMIT 100";

  it('have the same names as the upstream’s', spec('1.17', '4.12.2', '4.12.8'), async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    expect((await tools.names()).filter((name) => name.includes('analytics'))).toEqual(['svc_analytics_catalog', 'svc_analytics_query']);
    await tools.close();
  });

  it('count with SQL in one call without a retry', spec('4.12.6'), async () => {
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

  it('report the position of an error in the SQL', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { isError, body } = await tools.call('svc_analytics_query', { sql: COUNT.replace('count(*)', 'rank()') });
    expect([isError, body.data.analyticsSql]).toMatchObject([true, { line: 1, column: 8 }]);
    await tools.close();
  });

  it('accept at most 32 KiB of SQL', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const [{ isError }, calls] = await testGraph.recordCalls(() =>
      tools.call('svc_analytics_query', { sql: `${COUNT}${' '.repeat(32 * 1024)}` }),
    );
    expect([isError, calls]).toEqual([true, []]);
    await tools.close();
  });

  it('return FORBIDDEN without partial data to a member without full access', async () => {
    const tools = await connectTools(testGraph.url, 'demo-regional');
    const { isError, body } = await tools.call('svc_analytics_query', { sql: COUNT });
    expect([isError, body.errors[0]]).toMatchObject([true, { code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE' }]);
    await tools.close();
  });

  it('require the scope by name, without wildcards', spec('5.9'), async () => {
    const tools = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read', '*', 'analytics:*'] }));
    expect(await tools.names()).toEqual([]);
    expect((await tools.call('svc_analytics_query', { sql: COUNT })).body.errors[0].missingScopes).toEqual(['analytics:read']);
    await tools.close();
  });
});

describe('tool result', () => {
  it('truncates its longest lists if it is too large, and reports this', async () => {
    const small = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_MAX_RESULT_BYTES: '2048' } });
    const tools = await connectTools(small.app.url, 'demo-owner');
    const unlimited = await connectTools(testGraph.url, 'demo-owner');
    const { body, text } = await tools.call('svc_open_work_orders');
    const { body: all } = await unlimited.call('svc_open_work_orders');
    const { nodes } = body.data.workOrders;
    expect(JSON.stringify(text).length).toBeLessThanOrEqual(2048);
    expect(body.truncated).toEqual({
      lists: [{ path: 'data.workOrders.nodes', shown: nodes.length, of: all.data.workOrders.nodes.length }],
      advice: expect.stringContaining('Request smaller pages'),
    });
    expect(nodes).toEqual(all.data.workOrders.nodes.slice(0, nodes.length));
    expect(nodes.length).toBeGreaterThan(0);
    await Promise.all([tools.close(), unlimited.close()]);
    await small.close();
  });

  it('contains the successful parts and an error for each failed part', async () => {
    testGraph.sandbox.faults.add({ operation: 'Quote/ListQuotes', status: 500 });
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { isError, body } = await tools.call('svc_customer_overview', { customerId: demoId('customer 0') });
    const { draftQuotes, openOrders } = body.data.customer;
    expect([isError, draftQuotes, openOrders.nodes.length > 0]).toEqual([false, null, true]);
    expect(body.errors).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', path: 'customer.draftQuotes' }]);
    await tools.close();
  });

  it('reports an error if the whole call fails', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const { isError, body } = await tools.call('svc_open_quotes', { customerId: 5.5 });
    expect([isError, body.errors[0].code]).toEqual([true, 'BAD_USER_INPUT']);
    await tools.close();
  });

  it('reports an error for an argument with a prototype key', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const trap = JSON.parse('{"query": {"__proto__": {"x": 1}}}');
    const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call('svc_find_customer', trap));
    expect([isError, body.errors[0].code, calls]).toEqual([true, 'BAD_USER_INPUT', []]);
    await tools.close();
  });

  it('cannot cost more calls than COST_LIMIT', async () => {
    const limited = startTestGraph({}, undefined, { env: { MCP: 'true', COST_LIMIT: '5' } });
    await expect(limited).rejects.toThrow(/customer_overview.graphql: This operation may require more than 5 upstream calls/);
  });
});

describe('log', () => {
  it('contains one line per call with the tool, a key hash prefix, the outcome, and the duration', async () => {
    logLines.length = 0;
    const tools = await connectTools(testGraph.url, 'demo-owner');
    await tools.call('svc_find_customer', { query: 'Finn Adler' });
    await tools.call('svc_order_status', { orderId: 'nothing' });
    await tools.close();
    const lines = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'tool call');
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
    expect(logLines.join('')).not.toMatch(/Finn|Adler|demo-owner/);
  });
});

describe('tool documents', () => {
  it('have the names of their operations and fewer than 150 lines', () => {
    for (const file of readdirSync('src/tools/documents')) {
      const text = readFileSync(`src/tools/documents/${file}`, 'utf8');
      const names = parse(text).definitions.map((definition) => ('name' in definition ? definition.name?.value : ''));
      expect([names[0], text.split('\n').length < 150]).toEqual([file.replace('.graphql', ''), true]);
    }
  });
});
