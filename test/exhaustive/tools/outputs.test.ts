import type { Tool } from '@modelcontextprotocol/client';
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
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

/** The schema with `additionalProperties: false` everywhere, so that tests detect undeclared properties. */
function closeSchema(schema: Schema): Schema {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: closeSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(closeSchema) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, closeSchema(member)])),
      additionalProperties: false,
    }),
  };
}

type ValidateFunction = ReturnType<typeof ajv.compile>;

const validators = new WeakMap<Tool, ValidateFunction>();

/** The validator of a tool's results. Errors have additional properties, which depend on their codes. Arguments are the caller's. */
function getValidator(tool: Tool): ValidateFunction {
  const known = validators.get(tool);
  if (known) return known;
  const schema = tool.outputSchema as Schema;
  const { errors = {}, arguments: args = {}, truncated = {} } = schema.properties ?? {};
  const closed = closeSchema(schema);
  const validate = ajv.compile({ ...closed, properties: { ...closed.properties, errors, arguments: args, truncated } });
  validators.set(tool, validate);
  return validate;
}

/** Validation errors of a result against its tool's output schema. */
function validateResult(tool: Tool | undefined, { structured, body }: ToolResult): readonly string[] {
  if (!tool) throw new Error('The tool isn’t listed.');
  const validate = getValidator(tool);
  expect(structured).toEqual(body);
  return validate(structured)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

async function openConnection(url: string) {
  const tools = await connectTools(url, 'demo-owner');
  // Listing the tools also makes the client validate results.
  const { tools: listed } = await tools.client.listTools();
  return { ...tools, findTool: (name: string) => listed.find((tool) => tool.name === name) };
}

/** Connections by URL, because listing the tools compiles all their schemas. */
const connections = new Map<string, ReturnType<typeof openConnection>>();
afterAll(async () => {
  for (const connection of connections.values()) await (await connection).close();
});

function connect(url: string): ReturnType<typeof openConnection> {
  const connection = connections.get(url) ?? openConnection(url);
  connections.set(url, connection);
  return connection;
}

const openRecords = ({ sandbox }: typeof testGraph) => new Records({ url: sandbox.url, world: sandbox.world });

describe('structured content', () => {
  it.each(PROTOCOL_MODES)('has a valid schema in every tool in the %s protocol era', async (era) => {
    const { client, close } = await connectTools(testGraph.url, 'demo-owner', era);
    const { tools } = await client.listTools();
    expect(tools.length).toBe(Object.keys(READS).length + CHANGES.length);
    for (const { outputSchema } of tools)
      expect([outputSchema?.type, ajv.validateSchema(outputSchema as object)]).toEqual(['object', true]);
    await close();
  });

  it.each(Object.entries(READS))('equals the text content and matches the schema for %s', async (name, args) => {
    const tools = await connect(testGraph.url);
    const result = await tools.call(`svc_${name}`, { ...args });
    expect([result.isError, validateResult(tools.findTool(`svc_${name}`), result)]).toEqual([false, []]);
  });

  it.each(CHANGES)('matches the schema for a plan, a result, a replay, and an error of $tool', async ({ tool, args: createArgs }) => {
    const tools = await connect(testGraph.url);
    const name = `svc_${tool}`;
    const args = await createArgs(openRecords(testGraph));
    const plan = await tools.call(name, args);
    const confirmed = { ...args, confirmation: plan.body.confirmation };
    const results = [
      plan,
      await tools.call(name, confirmed),
      await tools.call(name, confirmed),
      await tools.call(name, { ...args, confirmation: 'no' }),
      await tools.call(name, {}),
      await tools.call(name, Object.fromEntries(Object.keys(args).map((argument) => [argument, 'nothing']))),
    ];
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, true, true, true]);
    for (const result of results) expect(validateResult(tools.findTool(name), result)).toEqual([]);
  });

  it.each(CHANGES)('matches the schema for a failed write of $tool', async ({ tool, operation, args: createArgs }) => {
    const tools = await connect(testGraph.url);
    const name = `svc_${tool}`;
    for (const status of [429, 503, 400]) {
      const args = await createArgs(openRecords(testGraph));
      const { body } = await tools.call(name, args);
      testGraph.sandbox.faults.add({ operation, status });
      const failed = await tools.call(name, { ...args, confirmation: body.confirmation });
      testGraph.sandbox.faults.clear();
      expect([status, failed.isError, validateResult(tools.findTool(name), failed)]).toEqual([status, true, []]);
    }
  });

  it.each(CHANGES)('matches the schema for a direct write of $tool', async ({ tool, args: createArgs }) => {
    const tools = await connect(direct.url);
    const name = `svc_${tool}`;
    const { orderId, ...args } = await createArgs(openRecords(direct));
    const order = orderId && (await direct.execute('query ($id: ID!) { order(id: $id) { version } }', { id: orderId })).data.order;
    const guards = { idempotencyKey: `direct ${tool}`, ...(order && { orderId, expectedVersion: order.version }) };
    const result = await tools.call(name, { ...args, ...guards });
    expect([result.isError, validateResult(tools.findTool(name), result)]).toEqual([false, []]);
  });

  it('matches the schema if parts of a result failed or lists were truncated', async () => {
    const tools = await connect(testGraph.url);
    testGraph.sandbox.faults.add({ operation: 'Quote/ListQuotes', status: 500 });
    const partial = await tools.call('svc_customer_overview', { customerId: demoId('customer 0') });
    expect([partial.body.errors.length, validateResult(tools.findTool('svc_customer_overview'), partial)]).toEqual([1, []]);
    const few = await connect(small.url);
    const truncated = await few.call('svc_open_work_orders');
    expect([truncated.body.truncated.lists.length, validateResult(few.findTool('svc_open_work_orders'), truncated)]).toEqual([1, []]);
  });
});
