import { type GraphQLEnumType, type GraphQLInputObjectType, type GraphQLObjectType, getNamedType } from 'graphql';
import type { World } from '../../../sandbox/kernel/world.ts';
import { getMember } from '../../../src/schema/kit/operations.ts';
import { indexes } from '../../../src/upstream/contract/generated/messages.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import type { GraphResult, useTestGraph } from '../../support/testGraph.ts';

export type Environment = ReturnType<typeof useTestGraph>;

/** Upstream operations. */
export const CATALOG = 'AnalyticsService/ListCatalog';
export const QUERY = 'AnalyticsService/ExecuteQuery';
export const SEARCH_CUSTOMERS = 'Customer/SearchCustomers';

export type SearchName =
  | 'orderSearch'
  | 'quoteSearch'
  | 'paymentSearch'
  | 'workOrderSearch'
  | 'problemSearch'
  | 'appointmentSearch'
  | 'customerSearch';

/** A search, with what a naive implementation needs. */
export interface SearchTraits {
  readonly name: SearchName;
  /** The root in the analytics catalog. */
  readonly root: keyof typeof indexes;
  /** The table of the sandbox. */
  readonly table: string;
  /** GraphQL type of the records. */
  readonly type: string;
  /** The operation that reads a record. */
  readonly get: string;
  /** A field that the index doesn't have. */
  readonly recordField: string;
}

const TRAITS: readonly (readonly [SearchName, SearchTraits['root'], table: string, type: string, get: string, recordField: string])[] = [
  ['orderSearch', 'orders', 'orders', 'Order', 'Order/GetOrder', 'paid { minorUnits }'],
  ['quoteSearch', 'offers', 'quotes', 'Quote', 'Quote/GetQuote', 'title'],
  ['paymentSearch', 'payments', 'payments', 'Payment', 'Payment/GetPayment', 'description'],
  ['workOrderSearch', 'workorders', 'work_orders', 'WorkOrder', 'WorkOrder/GetWorkOrder', 'description'],
  ['problemSearch', 'problems', 'problems', 'Problem', 'Problem/GetProblem', 'description'],
  ['appointmentSearch', 'appointments', 'appointments', 'Appointment', 'Appointment/GetAppointment', 'description'],
  ['customerSearch', 'customers', 'customers', 'Customer', 'Customer/GetCustomer', 'email'],
];

export const SEARCHES: readonly SearchTraits[] = TRAITS.map(([name, root, table, type, get, recordField]) => ({
  name,
  root,
  table,
  type,
  get,
  recordField,
}));

export function getTraits(name: SearchName): SearchTraits {
  const traits = SEARCHES.find((each) => each.name === name);
  if (!traits) throw new Error(`There is no search ${name}.`);
  return traits;
}

export const { schema } = getGraph();

function getSortInput({ name }: SearchTraits): GraphQLInputObjectType {
  const sort = schema
    .getQueryType()
    ?.getFields()
    [name]?.args.find((argument) => argument.name === 'orderBy');
  if (!sort) throw new Error(`${name} has no argument orderBy.`);
  return getNamedType(sort.type) as GraphQLInputObjectType;
}

/** Sort fields of a search, from the schema. */
export function listSortFields(traits: SearchTraits): readonly string[] {
  const { field } = getSortInput(traits).getFields();
  return field ? (getNamedType(field.type) as GraphQLEnumType).getValues().map(({ name }) => name) : [];
}

/** Selects all fields of a search's records whose values the index has, from the schema. */
export function selectIndexFields({ type, root }: SearchTraits): string {
  const { columns } = indexes[root];
  const fields = Object.values((schema.getType(type) as GraphQLObjectType).getFields());
  const served = fields.filter((field) => Object.hasOwn(columns, getMember(field) ?? '') && field.args.length === 0);
  const isObject = (name: string) => 'getFields' in (schema.getType(name) ?? {});
  return served
    .map(({ name, type: each }) => {
      const target = getNamedType(each).name;
      if (target === 'Money') return `${name} { minorUnits amount currencyCode }`;
      return isObject(target) ? `${name} { id }` : name;
    })
    .join(' ');
}

/** Rows of the demo workspace in a table of the sandbox. */
export const listRows = <Row extends object = Readonly<Record<string, unknown>>>({ store }: World, table: string, more = ''): Row[] =>
  store.all<Row>(`SELECT * FROM ${table} WHERE workspace_id = :id ${more}`, { id: demoId('workspace') });

/** Adds what the demo data lacks: other currencies, with other numbers of decimal places, and appointments for work orders. */
export function diversify({ store }: World): void {
  for (const table of ['orders', 'quotes', 'payments']) {
    store.run(`UPDATE ${table} SET currency = 'USD' WHERE rowid % 5 = 0`);
    store.run(`UPDATE ${table} SET currency = 'JPY' WHERE rowid % 5 = 1`);
  }
  store.run(
    `UPDATE appointments SET work_order_id = (
      SELECT id FROM work_orders WHERE work_orders.workspace_id = appointments.workspace_id ORDER BY (work_orders.rowid + appointments.rowid) % 7 LIMIT 1
    ) WHERE rowid % 3 = 0`,
  );
}

export interface SearchArguments {
  readonly query?: string;
  readonly filter?: object;
  readonly orderBy?: { readonly field: string; readonly direction?: 'ASC' | 'DESC' };
  readonly first?: number;
  readonly after?: string | null;
  readonly last?: number;
  readonly before?: string | null;
}

const ARGUMENTS = ['query', 'filter', 'orderBy', 'first', 'after', 'last', 'before'] as const;

/** Declares the variables of a search's arguments, with a suffix if the document has several. */
const declareVariables = (traits: SearchTraits, suffix = ''): string =>
  [
    `query${suffix}: String`,
    `filter${suffix}: ${traits.type}SearchFilterInput`,
    `orderBy${suffix}: ${getSortInput(traits).name}! = { field: CREATED_AT }`,
    ...['first', 'last'].map((name) => `${name}${suffix}: Int`),
    ...['after', 'before'].map((name) => `${name}${suffix}: String`),
  ]
    .map((variable) => `$${variable}`)
    .join(', ');

const passVariables = (suffix = ''): string => ARGUMENTS.map((name) => `${name}: $${name}${suffix}`).join(', ');

/** A search of a document. */
export interface SelectedSearch {
  readonly traits: SearchTraits;
  readonly args: SearchArguments;
  readonly selection: string;
}

/** Creates a document of searches, `s0`, `s1` and so on, with its variables. */
export function createDocument(searches: readonly SelectedSearch[]) {
  const declared = searches.map(({ traits }, index) => declareVariables(traits, String(index)));
  const fields = searches.map(
    ({ traits: { name }, selection }, index) => `s${index}: ${name}(${passVariables(String(index))}) { ${selection} }`,
  );
  const variables = searches.flatMap(({ args }, index) => Object.entries(args).map(([name, value]) => [`${name}${index}`, value]));
  return { document: `query (${declared.join(', ')}) { ${fields.join(' ')} }`, variables: Object.fromEntries(variables) as object };
}

/** Executes a search, as `demo-owner` by default. Returns its connection, errors, upstream calls without that for the catalog, and cost. */
export async function executeSearch(
  testGraph: Pick<Environment, 'executeAs' | 'recordCalls'>,
  name: SearchName,
  args: SearchArguments,
  selection: string,
  key = 'demo-owner',
) {
  const document = `query (${declareVariables(getTraits(name))}) { result: ${name}(${passVariables()}) { ${selection} } }`;
  const [{ data, errors, cost, status }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, args));
  return { result: data?.result, errors, cost, status, calls: calls.filter((call) => call !== CATALOG) };
}

const PAGE = 'nodes { rawId } isTruncated pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** Reads all pages of a search, in either direction. Returns the IDs in list order. `between` is called after each page. */
export async function walk(
  testGraph: Environment,
  name: SearchName,
  args: SearchArguments,
  { size = 100, isForward = true, between = async () => {} }: WalkOptions = {},
): Promise<string[]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  for (;;) {
    const window = isForward ? { first: size, after: cursor } : { last: size, before: cursor };
    const { result, errors } = await executeSearch(testGraph, name, { ...args, ...window }, PAGE);
    if (errors) throw new Error(JSON.stringify(errors));
    if (result.isTruncated) throw new Error('Rows are missing.');
    pages.push(result.nodes.map(({ rawId }: { rawId: string }) => rawId));
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = result.pageInfo;
    if (!(isForward ? hasNextPage : hasPreviousPage)) return (isForward ? pages : pages.reverse()).flat();
    cursor = isForward ? endCursor : startCursor;
    await between(pages.length);
  }
}

interface WalkOptions {
  readonly size?: number;
  readonly isForward?: boolean;
  readonly between?: (page: number) => Promise<void> | void;
}

/** The only error of a result, in short. */
export function getError(errors: GraphResult['errors']): Readonly<Record<string, unknown>> {
  if (errors?.length !== 1) throw new Error(`There must be one error, but there are: ${JSON.stringify(errors)}`);
  const [{ message, path, extensions } = { message: '', extensions: {} }] = errors;
  return { message, path, ...extensions };
}
