import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { type Admin, startAdmin } from '../../../sandbox/kernel/admin.ts';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import { readOverlay } from '../../../src/upstream/contract/overlay.ts';
import { post } from '../../sandbox/sandbox.ts';
import { codeBlocks, listBlocks } from '../../support/codeBlocks.ts';
import { parseDocumented } from '../../support/documented.ts';
import type { CodeBlock } from '../../support/markdown.ts';
import { parseCurlRequest, parseShellCommands } from '../../support/shellCommands.ts';
import { revenueInput } from '../../support/snippets/revenueByMonth.ts';
import { openSubscription } from '../../support/subscribe.ts';
import { type GraphResult, useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';
import { validateDocumentPart } from '../../support/validateDocumentPart.ts';
import { executeSql, SQL } from '../analytics/queries.ts';

// The seed and sizes of `npm start`.
const SEED = 1;
const testGraph = useTestGraph({ seed: SEED, sizes: FULL }, undefined, { env: { LIVE: 'on', MCP: 'true', MCP_WRITES: 'confirm' } });
let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin(testGraph.sandbox, 0);
});
afterAll(() => admin.close());

const variables = new Set(listBlocks('variables').map(([, block]) => block));
const responses = new Set(listBlocks('response').map(([, block]) => block));

/** The block after the given one if it's in the set. */
function findNext(block: CodeBlock, set: ReadonlySet<CodeBlock>): CodeBlock | undefined {
  const next = codeBlocks[codeBlocks.indexOf(block) + 1];
  return next && set.has(next) ? next : undefined;
}

/** Expects a response without failures and empty lists, and as the page shows it. A page can show a part of the cost. */
function expectDocumented(block: CodeBlock, { data, errors, cost }: Pick<GraphResult, 'data' | 'errors' | 'cost'>): void {
  const documented = findNext(block, responses);
  if (documented) {
    const { extensions, ...result } = parseDocumented(documented.text) as { readonly extensions?: Pick<GraphResult, 'cost'> };
    expect({ data, errors }).toEqual(result);
    if (extensions) expect({ cost }).toMatchObject(extensions);
    return;
  }
  expect(errors).toBeUndefined();
  // Errors in the results of analytics queries and mutations have these.
  for (const result of Object.values(data)) for (const name of ['issues', 'code']) expect(result).not.toHaveProperty(name);
  expect(findEmptyLists(data)).toEqual([]);
}

/** Expects the first signal of a subscription. */
async function expectSignal(document: string): Promise<void> {
  const subscription = await openSubscription(testGraph.url, 'demo-owner', document);
  expect(await subscription.next()).toMatchObject({ data: { recordsChanged: { ids: [], isTruncated: true } } });
  subscription.close();
}

describe('code blocks of the pages', () => {
  it.each(listBlocks('operation'))('%s returns the documented response', async (_, block) => {
    if (!block.text.startsWith('subscription'))
      return expectDocumented(block, await testGraph.execute(block.text, JSON.parse(findNext(block, variables)?.text ?? '{}')));
    const { data } = await testGraph.execute(
      '{ customersByIdentifier(by: { referenceNumber: "C-000001" }) { orders(first: 1) { nodes { id } } } }',
    );
    const [{ id }] = data.customersByIdentifier[0].orders.nodes;
    // The page shortens the ID of an order.
    await expectSignal(block.text.replace('T3JkZXI6…', id));
  });

  it.each(listBlocks('part of a document'))('%s is valid', (_, { text }) => {
    expect(() => validateDocumentPart(text)).not.toThrow();
  });

  it.each(listBlocks('cost'))('%s is the cost of the example', async (_, { text, exampleName = '' }) => {
    const query = readFileSync(`examples/${exampleName}.graphql`, 'utf8');
    const file = `examples/${exampleName}.variables.json`;
    const { cost } = await testGraph.execute(query, JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '{}'));
    const quota = { limit: expect.any(Number), remaining: expect.any(Number), resetsInSeconds: expect.any(Number) };
    expect(cost).toEqual({ ...JSON.parse(text), quota });
  });

  it.each(listBlocks('sql'))('%s is executed', async (_, { text }) => {
    const { result, errors } = await executeSql(testGraph, text);
    expect([result, errors]).toEqual([{ __typename: 'AnalyticsResult', status: expect.any(String) }, undefined]);
  });

  it.each(listBlocks('SQL error'))('%s contains errors of the upstream', async (_, { text }) => {
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(REJECTED_SQL.length);
    for (const [index, sql] of REJECTED_SQL.entries()) {
      const { body } = await post(testGraph.sandbox.url, 'demo-owner', SQL, { sql });
      expect({ message: body.message }).toEqual(parseDocumented(JSON.stringify({ message: lines[index] })));
    }
  });

  // Files that tsc or buf compiles need no other check.
  it.each(listBlocks('source'))('%s is part of a compiled file', (_, { place, text }) => {
    // Readers of the client's page create these files, so it contains them with their imports.
    const isWhole = place.startsWith('client/README.md:');
    expect(
      compiled.filter((file) => (isWhole ? file === text : file.includes(text.trim()))),
      text,
    ).not.toEqual([]);
  });

  it('run if they are part of a program', async () => {
    const { data } = await testGraph.execute('query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { __typename } }', {
      query: revenueInput,
    });
    expect(data).toEqual({ analyticsQuery: { __typename: 'AnalyticsResult' } });
  });

  it.each(listBlocks('overlay'))('%s is accepted', (_, { text }) => {
    expect(readOverlay(text)).not.toHaveProperty('problems');
  });

  it.each(listBlocks('request'))('%s returns the documented response', async (_, block) => {
    for (const { words } of parseShellCommands(block.text)) await send(words.slice(1), block);
  });
});

/** Statements with the errors of docs/analytics-sql.md, in its order. */
const REJECTED_SQL = [
  "SELECT count(*)\nFROM orders\nWHERE svc.timezone('UTC') AND status LIKE 'O%' LIMIT 1",
  "SELECT status, count(*)\nFROM orders\nWHERE svc.timezone('UTC')\nGROUP BY status\n\n\nORDER BY n\nLIMIT 10",
];

/** The contents of the files that match the patterns. Excludes packages that `scripts/install.ts` installed: their sources have over 100 MB. */
const readFiles = (patterns: readonly string[]) =>
  globSync(patterns, { exclude: ['**/node_modules'] }).map((file) => readFileSync(file, 'utf8'));

const compiled = readFiles([
  'examples/**/*.{ts,tsx}',
  'proto/**/*.proto',
  'sandbox/**/*.ts',
  '{src,cli}/**/*.ts',
  'test/support/snippets/*.ts',
]);

/** The URLs of `npm start` and their counterparts in this test. */
const getHosts = (): Readonly<Record<string, string>> => ({
  'http://127.0.0.1:4000': testGraph.url,
  'http://127.0.0.1:4010': testGraph.sandbox.url,
  'http://127.0.0.1:4011': admin.url,
});

/** Paths of the pages in a response that have no rows: what a reader would see if the demo data has no record for a filter. */
const findEmptyLists = (value: object, path = ''): string[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (Array.isArray(member) && member.length === 0 && (name === 'nodes' || name === 'edges')) return [`${path}${name}`];
    return typeof member === 'object' && member !== null ? findEmptyLists(member, `${path}${name}.`) : [];
  });

/** Records of the demo data for the members of a body whose value a page leaves out. */
const SHORTENED: Readonly<Record<string, string>> = {
  id: 'demo view site visits',
  customerId: 'demo customer 0',
  teamIds: 'demo team planning',
};

const fillPlaceholders = (word: string): string =>
  word
    .replace('<key>', 'demo-owner')
    .replaceAll(
      /"(\w+)": (\[?)"…"/g,
      (_, name: string, bracket: string) => `"${name}": ${bracket}"${createUuid(SEED, SHORTENED[name] ?? '')}"`,
    );

/** Sends a request of a page. */
async function send(words: readonly string[], block: CodeBlock): Promise<void> {
  const { url, method, headers, body } = parseCurlRequest(words.map(fillPlaceholders));
  if (headers.Accept === 'text/event-stream') return expectSignal(JSON.parse(body ?? '').query);
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${getHosts()[origin]}${pathname}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  if (pathname !== '/graphql') return;
  const { extensions, ...result } = JSON.parse(text);
  expectDocumented(block, { ...result, cost: extensions?.cost });
}

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The payment of the order that the plan names. The page shortens its ID. */
async function findPayment(): Promise<string> {
  const { data } = await testGraph.execute(
    '{ orderSearch(filter: { referenceNumber: { eq: "O-00440" } }, first: 1) { nodes { payments { nodes { id refundable { amount } } } } } }',
  );
  const payments: readonly { id: string; refundable: { amount: string } }[] = data.orderSearch.nodes[0].payments.nodes;
  return payments.find(({ refundable }) => refundable.amount === '2755.95')?.id ?? '';
}

it('executes the tool calls of docs/agents.md in order, with the documented results', async () => {
  const calls = listBlocks('tool call').map(([, { text }]): Call => JSON.parse(text));
  const results = listBlocks('tool result').map(([, { text }]) => parseDocumented(text));
  expect([calls.length, results.length]).toEqual([2, 3]);
  const paymentId = await findPayment();
  const tools = await connectTools(testGraph.url, 'demo-owner');
  const call = async (index: number, more: object) => {
    const { name, arguments: args } = calls[index] as Call;
    expect({ paymentId, ...more }).toEqual(expect.objectContaining(parseDocumented(JSON.stringify({ paymentId: args.paymentId }))));
    return (await tools.call(name, { ...args, paymentId, ...more })).body;
  };
  const plan = await call(0, {});
  // The page shortens the records.
  expect(plan).toMatchObject(results[0] as object);
  expect(plan).toEqual({ ...(results[0] as object), records: expect.any(Object) });
  expect(await call(1, { confirmation: plan.confirmation })).toEqual(results[1]);
  const rejected = await call(0, { minorUnits: '300000' });
  expect(rejected).toEqual({ ...(results[2] as object), plan: expect.any(Array), records: expect.any(Object) });
  await tools.close();
});

it.each(listBlocks('MCP host'))('connects with the configuration of %s', async (_, { text }) => {
  const { mcpServers } = JSON.parse(text.replace('<key>', 'demo-owner')) as {
    readonly mcpServers: Readonly<
      Record<string, { readonly type: string; readonly url: string; readonly headers: Record<string, string> }>
    >;
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  for (const { type, url, headers } of Object.values(mcpServers)) {
    expect(type).toBe('http');
    const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetch(testGraph.url + new URL(url).pathname, { method: 'POST', headers: { ...accept, ...headers }, body });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('svc_payment_refund')]);
  }
});

describe('tool with a plan of docs/agents.md', () => {
  const [[, plan], ...others] = listBlocks('plan of a tool') as [ReturnType<typeof listBlocks>[number]];
  const folder = mkdtempSync(join(tmpdir(), 'plan-'));
  const [mutation] = readFileSync('src/tools/documents/order_cancel.graphql', 'utf8').split('query order_cancel_plan');
  writeFileSync(join(folder, 'order_cancel.graphql'), `${mutation}\n${plan.text}`);
  const planGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', MCP_DOCUMENTS: folder } });

  it('returns the plan, or explains why the order can’t be canceled', async () => {
    expect(others).toEqual([]);
    const tools = await connectTools(planGraph.url, 'demo-owner');
    const cancel = async (status: string) => {
      const { data } = await planGraph.execute(
        `{ orderSearch(filter: { statuses: [${status}] }, first: 1) { nodes { id referenceNumber } } }`,
      );
      const [{ id, referenceNumber }] = data.orderSearch.nodes;
      return { referenceNumber, body: (await tools.call('svc_order_cancel', { orderId: id })).body };
    };
    const open = await cancel('OPEN');
    expect(open.body.plan).toContain(`    Reference number: ${open.referenceNumber}`);
    const fulfilled = await cancel('FULFILLED');
    expect(fulfilled.body.errors).toMatchObject([{ message: expect.stringMatching(/^The order can’t be canceled: \S/) }]);
    await tools.close();
  });
});
