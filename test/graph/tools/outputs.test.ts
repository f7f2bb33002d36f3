import type { Tool } from '@modelcontextprotocol/client';
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools, PROTOCOL_MODES, type ToolResult } from '../../support/toolClient.ts';
import { READS } from '../../support/toolReads.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', COMPILE_AFTER: '0' } });
const small = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', MCP_MAX_RESULT_BYTES: '2048' } });
const direct = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'direct' } });
afterEach(() => testGraph.sandbox.faults.clear());

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats(ajv);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The schema without room for members that it doesn't name, so that a test finds members that the schema omits. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, closed(member)])),
      additionalProperties: false,
    }),
  };
}

/** Errors of a result by the output schema of its tool. */
function problemsOf(tool: Tool | undefined, { structured, body }: ToolResult): readonly string[] {
  const schema = tool?.outputSchema as Schema;
  // Errors have further members, which depend on their codes, and arguments are those of the caller.
  const { errors = {}, arguments: args = {}, truncated = {} } = schema.properties ?? {};
  const validate = ajv.compile({ ...closed(schema), properties: { ...closed(schema).properties, errors, arguments: args, truncated } });
  expect(structured).toEqual(body);
  return validate(structured)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

async function connect(url: string) {
  const tools = await connectTools(url, 'demo-owner');
  // The client also checks results, once it has listed the tools.
  const { tools: listed } = await tools.client.listTools();
  return { ...tools, toolNamed: (name: string) => listed.find((tool) => tool.name === name), listed };
}

const recordsOf = ({ sandbox }: typeof testGraph) => new Records({ url: sandbox.url, world: sandbox.world });

describe('structured content', () => {
  it.each(PROTOCOL_MODES)('has a valid schema in every tool, in the era %s', async (era) => {
    const { client, close } = await connectTools(testGraph.url, 'demo-owner', era);
    const { tools } = await client.listTools();
    expect(tools.length).toBe(Object.keys(READS).length + CHANGES.length);
    for (const { outputSchema } of tools)
      expect([outputSchema?.type, ajv.validateSchema(outputSchema as object)]).toEqual(['object', true]);
    await close();
  });

  it.each(Object.entries(READS))('of %s is the data of the text, and matches the schema', async (name, args) => {
    const tools = await connect(testGraph.url);
    const answer = await tools.call(`svc_${name}`, { ...args });
    expect([answer.isError, problemsOf(tools.toolNamed(`svc_${name}`), answer)]).toEqual([false, []]);
    await tools.close();
  });

  it.each(CHANGES)('of $tool matches the schema as a plan, a result, a replay, and a rejection', async ({ tool, args: make }) => {
    const tools = await connect(testGraph.url);
    const name = `svc_${tool}`;
    const args = await make(recordsOf(testGraph));
    const plan = await tools.call(name, args);
    const confirmed = { ...args, confirmation: plan.body.confirmation };
    const answers = [
      plan,
      await tools.call(name, confirmed),
      await tools.call(name, confirmed),
      await tools.call(name, { ...args, confirmation: 'no' }),
      await tools.call(name, {}),
      await tools.call(name, Object.fromEntries(Object.keys(args).map((argument) => [argument, 'nothing']))),
    ];
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false, true, true, true]);
    for (const answer of answers) expect(problemsOf(tools.toolNamed(name), answer)).toEqual([]);
    await tools.close();
  });

  it.each(CHANGES)('of $tool matches the schema if the write fails', async ({ tool, operation, args: make }) => {
    const tools = await connect(testGraph.url);
    const name = `svc_${tool}`;
    for (const status of [429, 503, 400]) {
      const args = await make(recordsOf(testGraph));
      const { body } = await tools.call(name, args);
      testGraph.sandbox.faults.add({ operation, status });
      const failed = await tools.call(name, { ...args, confirmation: body.confirmation });
      testGraph.sandbox.faults.clear();
      expect([status, failed.isError, problemsOf(tools.toolNamed(name), failed)]).toEqual([status, true, []]);
    }
    await tools.close();
  });

  it.each(CHANGES)('of $tool matches the schema if it is executed directly', async ({ tool, args: make }) => {
    const tools = await connect(direct.url);
    const name = `svc_${tool}`;
    const { orderId, ...args } = await make(recordsOf(direct));
    const order = orderId && (await direct.execute('query ($id: ID!) { order(id: $id) { version } }', { id: orderId })).data.order;
    const guards = { idempotencyKey: `direct ${tool}`, ...(order && { orderId, expectedVersion: order.version }) };
    const answer = await tools.call(name, { ...args, ...guards });
    expect([answer.isError, problemsOf(tools.toolNamed(name), answer)]).toEqual([false, []]);
    await tools.close();
  });

  it('matches the schema if parts of a result failed, or lists were truncated', async () => {
    const tools = await connect(testGraph.url);
    testGraph.sandbox.faults.add({ operation: 'Quote/ListQuotes', status: 500 });
    const partial = await tools.call('svc_customer_overview', { customerId: demoId('customer 0') });
    expect([partial.body.errors.length, problemsOf(tools.toolNamed('svc_customer_overview'), partial)]).toEqual([1, []]);
    await tools.close();
    const few = await connect(small.url);
    const truncated = await few.call('svc_open_work_orders');
    expect([truncated.body.truncated.lists.length, problemsOf(few.toolNamed('svc_open_work_orders'), truncated)]).toEqual([1, []]);
    await few.close();
  });
});
