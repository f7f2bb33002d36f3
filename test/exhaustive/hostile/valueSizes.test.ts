import { type GraphQLInputType, getNamedType, getNullableType, isInputObjectType, isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { BoundExtensions } from '../../../src/schema/kit/inputs.ts';
import type { InputPosition, SizeExtensions } from '../../../src/schema/kit/valueSizes.ts';
import { ExecuteQuery } from '../../../src/upstream/contract/generated/operations.ts';
import { createDocuments, createInput } from '../../support/documentFor.ts';
import { getGraph } from '../../support/getGraph.ts';
import { takeShare } from '../../support/seeded.ts';
import { openSubscription } from '../../support/subscribe.ts';
import { type GraphResult, useTestGraph } from '../../support/testGraph.ts';

/** Limits of lists and texts that have none of their own. */
const DEFAULTS = { maxItems: 1_000, maxLength: 100_000 };
/** As much as fits into a request body, next to the document. */
const MAX_BYTES = 1_000_000;
const CURSORS = new Set(['after', 'before']);
const NOT_TEXT = new Set(['Int', 'Float', 'Boolean', '_Any']);

/** Values of inputs that contain themselves, with one condition. */
const RECURSIVE: Readonly<Record<string, unknown>> = {
  AnalyticsFilterInput: { compare: { field: 'id', operator: 'IS_NULL' } },
  AppointmentSearchFilterInput: { customerIds: ['x'] },
  CustomerSearchFilterInput: { contactIds: ['x'] },
  OrderSearchFilterInput: { customerIds: ['x'] },
  PaymentSearchFilterInput: { customerIds: ['x'] },
  ProblemSearchFilterInput: { customerIds: ['x'] },
  QuoteSearchFilterInput: { customerIds: ['x'] },
  WorkOrderSearchFilterInput: { customerIds: ['x'] },
};

const { schema } = getGraph();

/** A list or a text in the arguments of a field. */
interface Sized {
  readonly field: readonly [type: string, name: string];
  /** The input field, or the item of one, such as `RoleCreateInput.name`. Undefined for arguments. */
  readonly declaredBy?: string | undefined;
  /** The argument, then input fields and indexes. */
  readonly path: readonly string[];
  readonly argumentType: GraphQLInputType;
  readonly limitOf: keyof SizeExtensions;
  /** Null if it has no limit of its own that the graph checks. */
  readonly ownLimit: number | null;
  readonly limit: number;
  readonly item: unknown;
  /** Name of the type of its innermost values. */
  readonly typeName: string;
}

function createSized(base: Pick<Sized, 'field' | 'path' | 'argumentType' | 'declaredBy'>, { type, extensions }: InputPosition): Sized {
  const limitOf = isListType(getNullableType(type)) ? 'maxItems' : 'maxLength';
  const { bound } = extensions as BoundExtensions;
  const stated = bound?.stated?.includes(limitOf) ? bound[limitOf] : undefined;
  const idLimit = limitOf === 'maxLength' && getNamedType(type).name === 'ID' ? 1_000 : undefined;
  // The length of IDs that refer to no type of the schema isn't checked.
  const isChecked = !bound || bound.refers !== undefined;
  const ownLimit = (extensions as SizeExtensions)[limitOf] ?? stated ?? (isChecked ? idLimit : undefined) ?? null;
  const named = getNamedType(type);
  const item = RECURSIVE[named.name] ?? createInput(named, base.path.at(-1) ?? '', named.name);
  return { ...base, limitOf, ownLimit, limit: ownLimit ?? idLimit ?? DEFAULTS[limitOf], item, typeName: named.name };
}

/** Finds the lists and texts of a position. `seen` has the input types that contain it, because they can be recursive. */
function* findSized(
  base: Pick<Sized, 'field' | 'path' | 'argumentType' | 'declaredBy'>,
  position: InputPosition,
  seen: readonly string[],
): Generator<Sized> {
  const type = getNullableType(position.type);
  if (isListType(type)) {
    yield createSized(base, position);
    yield* findSized(
      { ...base, path: [...base.path, '0'], declaredBy: base.declaredBy && `${base.declaredBy}.0` },
      { type: type.ofType, extensions: {} },
      seen,
    );
  } else if (!isInputObjectType(type)) {
    if (!NOT_TEXT.has(type.name)) yield createSized(base, position);
  } else if (!seen.includes(type.name))
    for (const field of Object.values(type.getFields()))
      yield* findSized({ ...base, path: [...base.path, field.name], declaredBy: `${type.name}.${field.name}` }, field, [
        ...seen,
        type.name,
      ]);
}

/** Identifies what declares a position: an input field or an argument. Cursors are equal everywhere. */
const keyOf = ({ path, field, declaredBy }: Sized) =>
  declaredBy ?? (CURSORS.has(path[0] ?? '') ? path[0] : `${field.join('.')}(${path.join('.')})`);

const all = [
  ...new Map(
    Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !type.name.startsWith('_'))
      .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ type, field })) : []))
      .flatMap(({ type, field }) =>
        field.args.flatMap((arg) => [...findSized({ field: [type.name, field.name], path: [arg.name], argumentType: arg.type }, arg, [])]),
      )
      // The last one of each key is used, which has the shortest path.
      .toSorted((one, other) => other.path.length - one.path.length)
      .map((sized) => [keyOf(sized), sized] as const),
  ).values(),
];

/** Builds the value of an argument that contains `value` at a path. */
function build(declared: GraphQLInputType, [step, ...rest]: readonly string[], value: unknown, name: string): unknown {
  if (step === undefined) return value;
  const type = isNonNullType(declared) ? declared.ofType : declared;
  if (isListType(type)) return [build(type.ofType, rest, value, name)];
  if (!isInputObjectType(type)) throw new Error(`${type.toString()} has no ${step}.`);
  const others = type.isOneOf ? {} : (createInput(type, name, type.name) as object);
  return { ...others, [step]: build(type.getFields()[step]?.type as GraphQLInputType, rest, value, step) };
}

const VALIDATION_ISSUES = '... on ValidationError { issues { path code limit } }';
const ANALYTICS_ISSUES = '... on AnalyticsQueryError { issues { path code limit } }';

/** Required arguments for which the usual value is invalid. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  'Query.appointments': { scheduledBetween: { gte: '2026-06-01T00:00:00Z', lt: '2026-06-02T00:00:00Z' } },
};

/** Documents for fields that no record leads to. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'AnalyticsRow.cell':
    'query ($column: String!) { analyticsSql(sql: "x") { ... on AnalyticsResult { rows { cell(column: $column) { __typename } } } } }',
  'AnalyticsRow.record':
    'query ($column: String!) { analyticsSql(sql: "x") { ... on AnalyticsResult { rows { record(column: $column) { __typename } } } } }',
  'Subscription.recordsChanged': 'subscription ($types: [LiveType!]!, $ids: [ID!]) { recordsChanged(types: $types, ids: $ids) { ids } }',
};

/** The document and variables that pass a value to an argument. */
function createRequest({ field: [type, name], path: [arg = '', ...path], argumentType }: Sized, value: unknown) {
  const variables = { [arg]: build(argumentType, path, value, arg) };
  const own = DOCUMENTS[`${type}.${name}`];
  if (own) return { query: own, variables: { types: ['CUSTOMER'], ...variables } };
  const [document] = createDocuments({ type, field: name, operation: ExecuteQuery }, { [arg]: 'x' });
  const issues = type === 'Mutation' ? VALIDATION_ISSUES : name.startsWith('analytics') ? ANALYTICS_ISSUES : '';
  return {
    query: document?.query.replace('__typename', `__typename ${issues}`) ?? '',
    variables: { ...document?.variables, ...ARGUMENTS[`${type}.${name}`], ...variables },
  };
}

const testGraph = useTestGraph({}, undefined, { env: { LIVE: 'on', MCP: 'true' } });

async function execute(sized: Sized, value: unknown): Promise<Pick<GraphResult, 'data' | 'errors'>> {
  const { query, variables } = createRequest(sized, value);
  if (sized.field[0] !== 'Subscription') return testGraph.execute(query, variables);
  const subscription = await openSubscription(testGraph.url, 'demo-owner', query, variables);
  const result = await subscription.next();
  subscription.close();
  return result ?? { data: undefined, errors: undefined };
}

/** The issues of a result, wherever it has them. */
const listIssues = ({ data, errors = [] }: Pick<GraphResult, 'data' | 'errors'>) =>
  [...errors.map(({ extensions }) => extensions), ...Object.values(data ?? {})].flatMap(
    (each) => (each as { issues?: { path: string[]; code: string; limit: number }[] } | null)?.issues ?? [],
  );

/** Path in issues: those of a mutation start within its input. */
const toIssuePath = ({ path }: Sized) => (path[0] === 'input' ? path.slice(1) : path);

/** Fields that reject such a text by another rule: it isn't a global ID. */
const OTHER_RULES = new Set(['Query.node(id)', 'Query.nodes(ids.0)', 'Mutation.customerFileUploadComplete(input.uploadId)']);

const createText = (length: number) => 'x'.repeat(length);
const titleOf = ({ field, path }: Sized) => `${field.join('.')}(${path.join('.')})`;

describe('value of as much as fits into a request body', () => {
  it('covers every list and text argument', () => {
    expect([all.length > 500, all.some(({ path }) => path.length > 5)]).toEqual([true, true]);
  });

  it.each(takeShare(all, 5).map((sized) => [titleOf(sized), sized] as const))(
    'fails by its limit before any call: %s',
    async (_title, sized) => {
      const value = sized.limitOf === 'maxItems' ? Array.from({ length: MAX_BYTES / 2 }, () => 1) : createText(MAX_BYTES - 10_000);
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => execute(sized, value));
      const issue = { path: toIssuePath(sized), code: 'TOO_LONG', limit: sized.limit, message: expect.any(String) };
      expect([data ?? null, errors?.map(({ extensions }) => [extensions.code, extensions.issues]), calls]).toEqual([
        null,
        [['BAD_USER_INPUT', [issue]]],
        [],
      ]);
    },
  );
});

describe('value that exceeds its own limit by one', () => {
  const limited = all.filter((sized) => sized.ownLimit !== null && !OTHER_RULES.has(titleOf(sized)));

  it.each(limited.map((sized) => [titleOf(sized), sized] as const))('fails before any call: %s', async (_title, sized) => {
    const size = sized.limit + 1;
    const value = sized.limitOf === 'maxItems' ? Array.from({ length: size }, () => sized.item) : createText(size);
    const [result, calls] = await testGraph.recordCalls(() => execute(sized, value));
    // Conditions are counted for the filter as a whole.
    const path = toIssuePath(sized).join('.');
    const issue = listIssues(result).find((each) => path.startsWith(each.path.join('.')));
    expect([issue?.code, issue?.limit, calls]).toEqual(['TOO_LONG', sized.limit, []]);
  });
});

describe('text of characters with two UTF-16 units', () => {
  /** Limits that count bytes, or the characters of JSON. */
  const OTHER_UNITS = new Set(['Query.analyticsSql(sql)']);
  const texts = all.filter(
    (sized) => sized.limitOf === 'maxLength' && sized.ownLimit !== null && sized.typeName !== 'JSON' && !OTHER_UNITS.has(titleOf(sized)),
  );

  it('passes up to its own limit, in every argument', { timeout: 100_000 }, async () => {
    const tooLong: string[] = [];
    for (const sized of texts) {
      const issues = listIssues(await execute(sized, '😀'.repeat(sized.limit)));
      if (issues.some(({ code }) => code === 'TOO_LONG')) tooLong.push(titleOf(sized));
    }
    expect([texts.length > 100, tooLong]).toEqual([true, []]);
  });
});

describe('text that contains U+0000, which the upstream rejects', () => {
  const TEXTS = new Set(['String', 'ID', 'JSON']);
  const texts = all.filter(
    ({ limitOf, typeName, path }) =>
      limitOf === 'maxLength' && TEXTS.has(typeName) && !CURSORS.has(path[0] ?? '') && path.at(-1) !== 'idempotencyKey',
  );

  it('fails with the path of the input, in every argument', { timeout: 100_000 }, async () => {
    const located: string[] = [];
    const wrong: string[] = [];
    for (const sized of texts) {
      const result = await execute(sized, 'a\0b');
      const own = toIssuePath(sized).join('.');
      const issues = listIssues(result).map(({ code, path }) => `${code} ${path.join('.')}`);
      // An entry of a map in the request has the path of its item.
      const isLocated = issues.some(
        (each) =>
          each === `INVALID_FORMAT ${own}` || (each.startsWith('OTHER ') && each !== 'OTHER ' && `OTHER ${own}.`.startsWith(`${each}.`)),
      );
      const isUnsupported = result.errors?.some(({ extensions }) => extensions.code === 'UPSTREAM_UNSUPPORTED');
      if (isLocated) located.push(own);
      else if (isUnsupported || issues.some((each) => each.startsWith('OTHER '))) wrong.push(`${titleOf(sized)}: ${issues.join()}`);
    }
    expect(wrong).toEqual([]);
    expect(located.length).toBeGreaterThan(250);
  });
});

/** As much as fits into a body of `/mcp`, next to the other members. */
const MAX_TOOL_BYTES = 250_000;

describe('member of a body of `/mcp` that has as much as fits into it', () => {
  /** Values as JSON. */
  const VALUES = {
    text: JSON.stringify(createText(MAX_TOOL_BYTES)),
    list: `[${'1,'.repeat(MAX_TOOL_BYTES / 2)}1]`,
    members: `{${Array.from({ length: 20_000 }, (_, index) => `"m${index}":1`).join()}}`,
    nesting: '['.repeat(MAX_TOOL_BYTES / 2) + ']'.repeat(MAX_TOOL_BYTES / 2),
  };
  const SEARCH = '"name":"svc_customer_search"';
  const CALL = '"jsonrpc":"2.0","id":1,"method":"tools/call"';
  const ARGUMENTS = '"arguments":{"query":"x"}';
  const MEMBERS: Readonly<Record<string, (value: string) => string>> = {
    jsonrpc: (value) => `{"jsonrpc":${value},"id":1,"method":"tools/call","params":{${SEARCH},${ARGUMENTS}}}`,
    id: (value) => `{"jsonrpc":"2.0","id":${value},"method":"no/method"}`,
    method: (value) => `{"jsonrpc":"2.0","id":1,"method":${value},"params":{${SEARCH},${ARGUMENTS}}}`,
    params: (value) => `{${CALL},"params":${value}}`,
    name: (value) => `{${CALL},"params":{"name":${value},${ARGUMENTS}}}`,
    arguments: (value) => `{${CALL},"params":{${SEARCH},"arguments":${value}}}`,
    'an argument': (value) => `{${CALL},"params":{${SEARCH},"arguments":{"query":${value}}}}`,
    'an unknown argument': (value) => `{${CALL},"params":{${SEARCH},"arguments":{"query":"x","other":${value}}}}`,
    'a name of an argument': (value) => `{${CALL},"params":{${SEARCH},"arguments":{${JSON.stringify(value)}:1}}}`,
    'an unknown member': (value) => `{${CALL},"params":{${SEARCH},${ARGUMENTS}},"other":${value}}`,
    // Its members belong to extensions of the protocol, so it's only checked to be an object.
    _meta: (value) => `{${CALL},"params":{"name":"none","_meta":${value},${ARGUMENTS}}}`,
  };
  /** Chosen: a list of problems. Only the ID of a message is repeated in its response. */
  const MAX_RESPONSE = 5_000;

  it.each(Object.keys(MEMBERS).flatMap((member) => Object.keys(VALUES).map((kind) => [kind, member] as const)))(
    'fails before any call, and isn’t repeated: %s as %s',
    async (kind, member) => {
      const body = MEMBERS[member]?.(VALUES[kind as keyof typeof VALUES]) ?? '';
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer demo-owner',
      };
      const [text, calls] = await testGraph.recordCalls(async () =>
        (await fetch(`${testGraph.url}/mcp`, { method: 'POST', headers, body })).text(),
      );
      const { error, result } = JSON.parse(text) as { error?: { code: number }; result?: { isError: boolean } };
      const isRepeated = text.length > MAX_RESPONSE && !(member === 'id' && kind === 'text');
      expect([(error?.code ?? 0) < 0 || result?.isError, isRepeated, calls]).toEqual([true, false, []]);
    },
  );
});
