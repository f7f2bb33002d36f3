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
  AppointmentSearchFilterInput: { customerId: ['x'] },
  CustomerSearchFilterInput: { contactId: ['x'] },
  OrderSearchFilterInput: { customerId: ['x'] },
  PaymentSearchFilterInput: { customerId: ['x'] },
  ProblemSearchFilterInput: { customerId: ['x'] },
  QuoteSearchFilterInput: { customerId: ['x'] },
  WorkOrderSearchFilterInput: { customerId: ['x'] },
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
  return { ...base, limitOf, ownLimit, limit: ownLimit ?? idLimit ?? DEFAULTS[limitOf], item };
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
  'Query.appointments': { scheduledBetween: { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' } },
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

const testGraph = useTestGraph({}, undefined, { env: { LIVE: 'on' } });

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
