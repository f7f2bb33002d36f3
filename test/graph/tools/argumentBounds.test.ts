import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCalledOperations } from '../../../src/schema/cost/fieldCalls.ts';
import type { BoundExtensions } from '../../../src/schema/kit/inputs.ts';
import { findArgumentProblems } from '../../../src/tools/argumentProblems.ts';
import type { MessageField } from '../../../src/upstream/contract/fields.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { isRead } from '../../../src/upstream/contract/operation.ts';
import { Records } from '../../support/contract/records.ts';
import { getGraph } from '../../support/getGraph.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';
import { READS } from '../../support/toolReads.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm' } });
const { schema } = getGraph();

const FOLDER = 'src/tools/documents';
const TOOLS = readdirSync(FOLDER).map((file) => basename(file, '.graphql'));
const readTool = (tool: string) => parse(readFileSync(join(FOLDER, `${tool}.graphql`), 'utf8'));

const writes = new Set(operations.filter((operation) => !isRead(operation)).map(({ name }) => name));

type Values = Readonly<Record<string, unknown>>;

/** A value within an argument of a tool that the contract limits. */
interface BoundValue {
  readonly argument: string;
  /** Path within the argument, such as `quantity` in each of `lines`. */
  readonly path: readonly string[];
  readonly field: MessageField;
  readonly typeName: string;
}

/** The limited values within an argument of this type. */
function* listBoundMembers(argument: string, type: GraphQLInputType, path: readonly string[]): Generator<BoundValue> {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return;
  for (const { name, type: memberType, extensions } of Object.values(named.getFields())) {
    const { bound } = extensions as BoundExtensions;
    const at = [...path, ...(isListType(getNullableType(type)) ? ['0'] : []), name];
    if (bound) yield { argument, path: at, field: bound, typeName: getNamedType(memberType).name };
    yield* listBoundMembers(argument, memberType, at);
  }
}

/** The limited values of a tool's arguments, from the contract's fields that the schema's input fields are bound to. */
function listBoundValues(tool: string): readonly BoundValue[] {
  const found = new Map<string, BoundValue>();
  const types = new TypeInfo(schema);
  const [operation] = readTool(tool).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${tool} has no operation.`);
  const add = (value: BoundValue) => found.set([value.argument, ...value.path].join('.'), value);
  /** Fields of the contract for the input fields that contain the visited value, outermost first. */
  const bounds: (MessageField | undefined)[] = [];
  const visitor = visitWithTypeInfo(types, {
    Argument: ({ name, value }) => {
      const field = types.getFieldDef();
      const bound = field ? getCalledOperations(field).flatMap(({ request }) => request.fields[name.value] ?? [])[0] : undefined;
      if (value.kind === Kind.VARIABLE && bound) add({ argument: value.name.value, path: [], field: bound, typeName: 'String' });
    },
    ObjectField: {
      enter: ({ name, value }) => {
        const parent = getNamedType(types.getParentInputType());
        const member = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
        const { bound } = (member?.extensions ?? {}) as BoundExtensions;
        // The minor units of an amount are the contract's field.
        const field = bound ?? (isInputObjectType(parent) && name.value === 'minorUnits' ? bounds.at(-1) : undefined);
        bounds.push(field);
        if (value.kind !== Kind.VARIABLE || !member) return;
        if (field) add({ argument: value.name.value, path: [], field, typeName: getNamedType(member.type).name });
        for (const inner of listBoundMembers(value.name.value, member.type, [])) add(inner);
      },
      leave: () => void bounds.pop(),
    },
  });
  visit(operation, visitor);
  return [...found.values()];
}

const toScalar = ({ typeName }: BoundValue, value: number): unknown => (typeName === 'Int' ? value : String(value));

/** Values just outside and just inside of the limits, in the form of the argument. */
function* listEdges(value: BoundValue): Generator<{ readonly outside: unknown; readonly inside: unknown }> {
  const { field } = value;
  const { refers, list, minItems, maxItems, minLength, maxLength, maxBytes, gt, gte, lte, not } = field;
  const entries = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);
  if (list) {
    if (minItems !== undefined) yield { outside: entries(minItems - 1, null), inside: null };
    if (maxItems !== undefined) yield { outside: entries(maxItems + 1, null), inside: null };
    return;
  }
  if (refers) {
    if (minLength !== undefined) yield { outside: 'x'.repeat(minLength - 1), inside: 'x'.repeat(minLength) };
    return;
  }
  if (minLength !== undefined) yield { outside: 'x'.repeat(minLength - 1), inside: 'x'.repeat(minLength) };
  const longest = maxLength ?? maxBytes;
  if (longest !== undefined) yield { outside: 'é'.repeat(longest + 1), inside: 'é'.repeat(maxLength ?? Math.floor(longest / 2)) };
  if (gt !== undefined)
    for (const below of [0, 1, gt + 1_000]) yield { outside: toScalar(value, gt - below), inside: toScalar(value, gt + 1) };
  if (gte !== undefined) for (const below of [1, 1_000]) yield { outside: toScalar(value, gte - below), inside: toScalar(value, gte) };
  if (lte !== undefined) yield { outside: toScalar(value, lte + 1), inside: toScalar(value, lte) };
  if (not !== undefined) yield { outside: toScalar(value, not), inside: toScalar(value, not + 1) };
}

/** Replaces the value at a path. Entries that are null are copies of the existing first one. */
function replaceAt(current: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) {
    const [first] = Array.isArray(current) ? current : [];
    return Array.isArray(value) && first !== undefined ? value.map((entry) => entry ?? first) : value;
  }
  if (Array.isArray(current)) return current.map((entry, index) => (String(index) === step ? replaceAt(entry, rest, value) : entry));
  return { ...(current as Values), [step]: replaceAt((current as Values)[step], rest, value) };
}

const BOUND = TOOLS.flatMap((tool) => listBoundValues(tool).map((value) => [tool, value] as const)).filter(
  ([, value]) => [...listEdges(value)].length > 0,
);

describe('limits of the contract', () => {
  let tools: Awaited<ReturnType<typeof connectTools>>;
  beforeAll(async () => {
    tools = await connectTools(testGraph.url, 'demo-owner');
  });
  afterAll(() => tools.close());

  it('exist for arguments of many tools', () => {
    expect(new Set(BOUND.map(([tool]) => tool)).size).toBeGreaterThan(15);
    const names = BOUND.map(([tool, { argument, path }]) => [tool, argument, ...path].join('.'));
    expect(names).toEqual(
      expect.arrayContaining([
        'payment_refund.minorUnits',
        'inventory_move.quantity',
        'quote_prepare.lines',
        'quote_prepare.lines.0.quantity',
        'stock_adjust.quantityDelta',
        'find_customer.query',
        'analytics_query.sql',
      ]),
    );
  });

  it('appear in the published schemas, and include their own values', async () => {
    const { tools: listed } = await tools.client.listTools();
    const inputSchema = (tool: string) => listed.find(({ name }) => name === `svc_${tool}`)?.inputSchema ?? {};
    expect(inputSchema('inventory_move')).toMatchObject({ properties: { quantity: { type: 'integer', minimum: 1 } } });
    expect(inputSchema('find_customer')).toMatchObject({ properties: { query: { maxLength: 10_000 } } });
    for (const [tool, value] of BOUND) {
      for (const { inside } of listEdges(value).filter(({ inside }) => inside !== null)) {
        const path = [value.argument, ...value.path].join('.').replace('.0', '[0]');
        const args = replaceAt({ lines: [{ productId: 'x', quantity: 1 }] }, [value.argument, ...value.path], inside);
        const problems = [...findArgumentProblems(args, inputSchema(tool))].filter(({ argument }) => argument === path);
        expect([tool, path, inside, problems]).toEqual([tool, path, inside, []]);
      }
    }
  });

  it.each(TOOLS.filter((tool) => BOUND.some(([name]) => name === tool)))(
    'reject other values before %s plans or calls anything',
    async (tool) => {
      const change = CHANGES.find((each) => each.tool === tool);
      const valid = (await change?.args(new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }))) ?? READS[tool] ?? {};
      for (const [name, value] of BOUND) {
        if (name !== tool) continue;
        for (const { outside } of listEdges(value)) {
          const args = replaceAt(valid, [value.argument, ...value.path], outside) as Record<string, unknown>;
          const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call(`svc_${tool}`, args));
          const at = [tool, value.argument, ...value.path, String(outside).slice(0, 20)].join(' ');
          expect([at, isError, body.confirmation, calls.filter((call) => writes.has(call))]).toEqual([at, true, undefined, []]);
          const errors = body.errors ?? Object.values(body.data);
          expect([at, errors[0].code]).toEqual([at, 'BAD_USER_INPUT']);
        }
      }
    },
  );
});
