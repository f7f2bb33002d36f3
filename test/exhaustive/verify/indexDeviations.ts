import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { changeResponses, createError, type Deviation, type DeviationCase } from './deviations.ts';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly operators: readonly string[];
}

interface Entity {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly relationships: readonly { readonly name: string; readonly entity: string }[];
}

/** Changes one root of the catalog. Null removes it. */
const changeEntity = (root: string, change: (entity: Entity) => Entity | null): Deviation =>
  changeResponses('AnalyticsService/ListCatalog', ({ entities, ...rest }) => ({
    ...rest,
    entities: (entities as readonly Entity[]).flatMap((entity) => (entity.name === root ? (change(entity) ?? []) : [entity])),
  }));

const changeField = (root: string, name: string, change: (field: Field) => Field | null): Deviation =>
  changeEntity(root, (entity) => ({
    ...entity,
    fields: entity.fields.flatMap((field) => (field.name === name ? (change(field) ?? []) : [field])),
  }));

const isExecution = ({ path }: UpstreamRequest) => path.includes('.AnalyticsService/Execute');
const isOf = (root: string, request: UpstreamRequest) =>
  isExecution(request) && new RegExp(`"entity":"${root}"|FROM ${root} `).test(request.body);

/** Renames a name of one root in the catalog, in queries and in the columns of results. */
const renameInQueries =
  (inCatalog: Deviation, root: string, own: string, other: string): Deviation =>
  async (request, send) => {
    if (!isOf(root, request)) return inCatalog(request, send);
    if (new RegExp(`\\b${own}\\b`).test(request.body)) return createError(400, 'invalid_argument');
    const response = await send({ ...request, body: request.body.replaceAll(new RegExp(`\\b${other}\\b`, 'g'), own) });
    return { ...response, body: response.body.replaceAll(`"id":"${own}"`, `"id":"${other}"`) };
  };

/** Renames a root in the catalog and in queries. */
function renameRoot(own: string, other: string): Deviation {
  const rename = (name: string) => (name === own ? other : name);
  const changeCatalog = changeResponses('AnalyticsService/ListCatalog', ({ entities, ...rest }) => ({
    ...rest,
    entities: (entities as readonly Entity[]).map((entity) => ({
      ...entity,
      name: rename(entity.name),
      relationships: entity.relationships.map((each) => ({ ...each, entity: rename(each.entity) })),
    })),
  }));
  return async (request, send) => {
    if (request.path.endsWith('/ListCatalog')) return changeCatalog(request, send);
    if (isOf(own, request)) return createError(400, 'invalid_argument');
    return send(isExecution(request) ? { ...request, body: request.body.replaceAll(new RegExp(`\\b${other}\\b`, 'g'), own) } : request);
  };
}

type Result = { readonly columns: readonly { readonly id: string }[]; readonly rows: readonly { readonly cells: readonly unknown[] }[] };

/** Changes the results of queries about one root that match a pattern. */
const changeResults =
  (root: string, pattern: RegExp, change: (result: Result) => object): Deviation =>
  async (request, send) => {
    const response = await send(request);
    if (!isOf(root, request) || !pattern.test(request.body) || response.status !== 200) return response;
    const { result, ...rest } = JSON.parse(response.body) as { readonly result: Result };
    return { ...response, body: JSON.stringify({ ...rest, result: change(result) }) };
  };

const removeOperator = (operator: string) => (field: Field) => ({
  ...field,
  operators: field.operators.filter((each) => each !== `ANALYTICS_OPERATOR_${operator}`),
});

const DIRECTION = '"direction":"ANALYTICS_SORT_DIRECTION_DESC"';
const rejectDirection: Deviation = async (request, send) =>
  request.body.includes(DIRECTION) ? createError(400, 'invalid_argument') : send(request);
const ignoreDirection: Deviation = (request, send) => send({ ...request, body: request.body.replaceAll(`,${DIRECTION}`, '') });
const rejectSql: Deviation = async (request, send) =>
  request.path.endsWith('/ExecuteSQL') ? createError(400, 'invalid_argument') : send(request);

const reverse = ({ rows, ...rest }: Result) => ({ ...rest, rows: rows.toReversed() });

function replaceCells({ columns, rows }: Result, name: string, cell: object): object {
  const position = columns.findIndex(({ id }) => id === name);
  return { columns, rows: rows.map(({ cells }) => ({ cells: cells.with(position, cell) })) };
}

/** Both deviations. */
const combine =
  (one: Deviation, other: Deviation): Deviation =>
  (request, send): Promise<UpstreamResponse> =>
    one(request, (changed) => other(changed, send));

/** Deviations of the analytics catalog and of analytics queries. */
export const INDEXES: readonly DeviationCase[] = [
  ['another name of a root', renameRoot('workorders', 'work_orders'), 'indexes.workorders INDEX_NAME', true],
  ['a catalog without a root', changeEntity('problems', () => null), 'indexes.problems INDEX_MISSING', true],
  [
    'another name of a column',
    renameInQueries(
      changeField('orders', 'quote_id', (field) => ({ ...field, name: 'origin' })),
      'orders',
      'quote_id',
      'origin',
    ),
    'indexes.orders.quote_id INDEX_NAME',
    true,
  ],
  [
    'a similar name of the column that pages are sorted by',
    renameInQueries(
      changeField('payments', 'created_at', (field) => ({ ...field, name: 'createdAt' })),
      'payments',
      'created_at',
      'createdAt',
    ),
    'indexes.payments.created_at INDEX_NAME',
    true,
  ],
  [
    'a catalog without a column',
    renameInQueries(
      changeField('orders', 'total_yearly', () => null),
      'orders',
      'total_yearly',
      'none',
    ),
    'indexes.orders.total_yearly INDEX_MISSING',
    true,
  ],
  ['a catalog without the IDs of a root', changeField('offers', 'id', () => null), 'indexes.offers.id INDEX_MISSING', true],
  [
    'another type of a column',
    changeField('offers', 'version', (field) => ({ ...field, type: 'ANALYTICS_FIELD_TYPE_DECIMAL' })),
    'indexes.offers.version INDEX_TYPE',
    false,
  ],
  [
    'a column without an operator',
    changeField('payments', 'created_at', removeOperator('LT')),
    'indexes.payments.created_at INDEX_OPERATOR',
    false,
  ],
  [
    'IDs of customers without the operator that `query` needs',
    changeField('customers', 'id', removeOperator('IN')),
    'indexes.customers.id INDEX_OPERATOR',
    false,
  ],
  [
    'another name of a relationship',
    changeEntity('orders', (entity) => ({
      ...entity,
      relationships: entity.relationships.map((each) => (each.name === 'offer' ? { ...each, name: 'quote' } : each)),
    })),
    'indexes.orders.offer INDEX_NAME',
    true,
  ],
  [
    'a catalog without a relationship',
    changeEntity('orders', (entity) => ({ ...entity, relationships: entity.relationships.filter(({ name }) => name !== 'payments') })),
    'indexes.orders.payments INDEX_MISSING',
    true,
  ],
  [
    'rows that differ from their records',
    changeResults('orders', /"reference_number"/, (result) =>
      replaceCells(result, 'reference_number', { status: 'ANALYTICS_CELL_STATUS_READY', text: 'old' }),
    ),
    'indexes.orders.reference_number INDEX_ROW',
    false,
  ],
  [
    'a rejected query',
    async (request, send) => (isOf('appointments', request) ? createError(400, 'invalid_argument') : send(request)),
    'indexes.appointments INDEX_QUERY',
    false,
  ],
  ['rows that aren’t sorted by ID', changeResults('orders', /"reference_number"/, reverse), 'indexes.orders.id ID_ORDER', false],
  [
    'timestamps that equal no row',
    changeResults('problems', /_EQ"/, (result) => ({ ...result, rows: [] })),
    'indexes.problems.created_at TIMESTAMP_EQ',
    false,
  ],
  ['rejected sort directions', rejectDirection, 'AnalyticsService/ExecuteQuery SORT_DIRECTION', true],
  ['ignored sort directions', ignoreDirection, 'AnalyticsService/ExecuteQuery SORT_DIRECTION', true],
  ['no descending order at all', combine(ignoreDirection, rejectSql), 'AnalyticsService/ExecuteQuery SORT_DIRECTION', true],
];
