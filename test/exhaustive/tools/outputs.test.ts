import type { Tool } from '@modelcontextprotocol/client';
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createToolServer } from '../../../src/tools/toolServer.ts';
import type { Tools } from '../../../src/tools/tools.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools, PROTOCOL_MODES, type ToolResult } from '../../support/toolClient.ts';
import { READS } from '../../support/toolReads.ts';
import { createToolDefinitions } from '../../support/toolSchemas.ts';

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

const DEFINITIONS = { planned: createToolDefinitions('confirm'), direct: createToolDefinitions('direct') };
type Form = keyof typeof DEFINITIONS;

type ValidateFunction = ReturnType<typeof ajv.compile>;

const validators = new Map<string, ValidateFunction>();

/** The validator of a tool's results. Errors have additional properties, which depend on their codes. Arguments are the caller's. */
function getValidator(name: string, form: Form): ValidateFunction {
  const key = `${form} ${name}`;
  const known = validators.get(key);
  if (known) return known;
  const schema = DEFINITIONS[form].getResultSchema(name) as Schema;
  const { errors = {}, arguments: args = {}, truncated = {} } = schema.properties ?? {};
  const closed = closeSchema(schema);
  const validate = ajv.compile({ ...closed, properties: { ...closed.properties, errors, arguments: args, truncated } });
  validators.set(key, validate);
  return validate;
}

const outlines = new WeakMap<Tool, ValidateFunction>();

/** The validator of what the list of tools describes of a tool's results, without undeclared properties in records. */
function getOutline(tool: Tool): ValidateFunction {
  const outline = outlines.get(tool) ?? ajv.compile(tool.outputSchema as Schema);
  outlines.set(tool, outline);
  return outline;
}

/** Validation errors of a result against the schema of its tool, and against the outline in the list of tools. */
function validateResult(tool: Tool | undefined, { structured, body }: ToolResult, form: Form = 'planned'): readonly string[] {
  if (!tool) throw new Error('The tool isn’t listed.');
  expect(structured).toEqual(body);
  return [getValidator(tool.name, form), getOutline(tool)].flatMap((validate) =>
    validate(structured)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`),
  );
}

/** Yields copies of a value with one member removed, or one value replaced. */
function* mutate(value: unknown): Generator<unknown> {
  const replacements = [null, 7.5, 'mutated', true, [], {}];
  for (const replacement of replacements) if (JSON.stringify(replacement) !== JSON.stringify(value)) yield replacement;
  if (Array.isArray(value)) {
    for (const changed of value.length > 0 ? mutate(value[0]) : []) yield [changed, ...value.slice(1)];
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
      for (const changed of mutate(member)) yield { ...value, [name]: changed };
    }
}

/** A server whose tools return the given result. Returns whether it sends the result. */
async function openStubServer() {
  let result: unknown;
  const tools = {
    has: () => true,
    call: async () => ({ content: [], structuredContent: result }),
    getResultSchema: (name: string) => DEFINITIONS.planned.getResultSchema(name),
  } as unknown as Tools;
  const failures: unknown[] = [];
  const server = await createToolServer(
    tools,
    (error) => failures.push(error),
    () => {},
  );
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const authInfo = { token: '', clientId: '', scopes: [], extra: { caller: {} } };
  const sends = async (name: string, mutated: unknown): Promise<boolean> => {
    result = mutated;
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await server.fetch(request, { authInfo, parsedBody: body });
    return (await response.text()).includes('"result":');
  };
  return { sends, failures };
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
    expect([result.isError, validateResult(tools.findTool(name), result, 'direct')]).toEqual([false, []]);
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

  it.each(['svc_customer_overview', 'svc_work_order_search', 'svc_free_times'])(
    'becomes an error if it’s mutated so that it doesn’t match the schema of %s',
    async (name) => {
      const tools = await connect(testGraph.url);
      const { structured } = await tools.call(name, { ...READS[name.replace('svc_', '')] });
      const complete = ajv.compile(DEFINITIONS.planned.getResultSchema(name));
      const server = await openStubServer();
      expect(await server.sends(name, structured)).toBe(true);
      const mutated = [...mutate(structured)].filter((each) => !complete(each) && typeof each === 'object' && each !== null);
      expect(mutated.length).toBeGreaterThan(50);
      const sent: unknown[] = [];
      for (const each of mutated) if (await server.sends(name, each)) sent.push(each);
      expect([sent, server.failures.length]).toEqual([[], mutated.length]);
      expect(String(server.failures[0])).toContain(`The result of ${name} doesn’t match its schema`);
    },
  );
});
