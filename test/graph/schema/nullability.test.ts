import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type ConstDirectiveNode,
  type GraphQLField,
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { printClientSchema } from '../../../src/subgraph/print.ts';
import { buildRecordsQuery, createRecordsQueryVariables } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph, sdl } = getGraph();
const client = buildSchema(printClientSchema(graph));

type Field = GraphQLField<unknown, unknown>;
const isMarked = ({ astNode }: Field) =>
  astNode?.directives?.some(({ name }: ConstDirectiveNode) => name.value === 'semanticNonNull') ?? false;
const listMarkedFields = (type: string) => {
  const found = client.getType(type);
  return isObjectType(found) ? Object.values(found.getFields()).filter(isMarked) : [];
};
/** Skips fields with arguments: they are lists, which the query selects anyway. */
const selectMarkedFields = (type: string) =>
  [
    '__typename',
    ...listMarkedFields(type).flatMap((field) => {
      if (field.args.length > 0) return [];
      return isCompositeType(getNamedType(field.type)) ? `${field.name} { __typename }` : field.name;
    }),
  ].join(' ');

/** The paths of nulls in semantically non-null fields of a result. */
function* listFailures(value: unknown, path: readonly (string | number)[] = [], type = 'Query'): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* listFailures(item, [...path, index], type);
    return;
  }
  const objectType = client.getType('__typename' in value ? String(value.__typename) : type);
  for (const [name, member] of Object.entries(value)) {
    const field = isObjectType(objectType) ? objectType.getFields()[name] : undefined;
    if (member === null && field && isMarked(field)) yield [...path, name].join('.');
    yield* listFailures(member, [...path, name], field && getNamedType(field.type).name);
  }
}

/** Fields that every record has. Some responses omit them. */
const REQUIRED_FIELDS = new Set([
  'version',
  'currency',
  'createdAt',
  'customerId',
  'productId',
  'locationId',
  'orderId',
  'impact',
  'summary',
  'companyProfile',
]);

function omitRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitRequired);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !REQUIRED_FIELDS.has(name));
  return Object.fromEntries(entries.map(([name, member]) => [name, omitRequired(member)]));
}

let isIncomplete = false;
const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    return isIncomplete ? { ...response, body: JSON.stringify(omitRequired(JSON.parse(response.body))) } : response;
  }),
});
const { createOrder } = createQuoting(testGraph);

const queryRecords = async () => {
  const query = buildRecordsQuery(selectMarkedFields);
  return testGraph.execute(query, createRecordsQueryVariables(testGraph.sandbox));
};

describe('semantically non-null field', () => {
  it('has the directive in the client schema, but not in the subgraph, because composers don’t know it', () => {
    expect(listMarkedFields('Mutation')).toHaveLength(Object.keys(client.getMutationType()?.getFields() ?? {}).length);
    expect(listMarkedFields('Order').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['version', 'customer', 'totalOnce', 'reservations']),
    );
    expect(listMarkedFields('Customer').map(({ name }) => name)).not.toContain('contact');
    expect(sdl).not.toContain('semanticNonNull');
  });

  it('has a value', async () => {
    const { data, errors } = await queryRecords();
    expect(errors).toBeUndefined();
    expect([...listFailures(data)]).toEqual([]);
  });

  it('resolves to null only with an error for its path if the upstream omits a required field', async () => {
    isIncomplete = true;
    const { data, errors = [] } = await queryRecords().finally(() => {
      isIncomplete = false;
    });
    const failures = [...listFailures(data)];
    const names = new Set(failures.map((path) => path.split('.').at(-1)));
    expect([...names]).toEqual(expect.arrayContaining(['version', 'customer', 'product', 'location', 'totalOnce', 'cancellationImpact']));
    expect(errors.map(({ path = [] }) => path.join('.')).sort()).toEqual(failures.sort());
  });

  it('reports why it is null and affects no other field', async () => {
    const id = await createOrder();
    isIncomplete = true;
    const query =
      'query ($id: ID!) { order(id: $id) { rawId version customer { title } lines { quantity product { name } total { amount } } } }';
    const { data, errors = [] } = await testGraph.execute(query, { id }).finally(() => {
      isIncomplete = false;
    });
    expect(data.order).toEqual({ rawId: id, version: null, customer: null, lines: [{ quantity: 2, product: null, total: null }] });
    const unusable = 'The Workspace API returned an invalid response:';
    const advice = 'Try again, and contact the operator of the graph if the problem persists.';
    expect(errors.map(({ path, extensions, message }) => [path?.at(-1), extensions.code, message]).sort()).toEqual([
      ['customer', 'UPSTREAM_INVALID_RESPONSE', `${unusable} an Order has no customerId. ${advice}`],
      ['product', 'UPSTREAM_INVALID_RESPONSE', `${unusable} an OrderLine has no productId. ${advice}`],
      ['total', 'UPSTREAM_INVALID_RESPONSE', `${unusable} an OrderLine has an amount without a currency. ${advice}`],
      ['version', 'UPSTREAM_INVALID_RESPONSE', `${unusable} an Order has no version. ${advice}`],
    ]);
  });

  it('reports a missing record', async () => {
    const id = await createOrder();
    testGraph.sandbox.world.store.run('UPDATE order_lines SET product_id = :gone WHERE order_id = :id', { gone: 'gone', id });
    const { data, errors } = await testGraph.execute('query ($id: ID!) { order(id: $id) { lines { product { name } } } }', { id });
    expect(data.order.lines).toEqual([{ product: null }]);
    expect(errors).toMatchObject([
      { message: 'Product gone not found.', path: ['order', 'lines', 0, 'product'], extensions: { code: 'NOT_FOUND' } },
    ]);
  });
});

describe('order page', () => {
  it('selects ten nullable fields', () => {
    const info = new TypeInfo(client);
    const nullable: string[] = [];
    visit(
      parse(readFileSync('examples/13-order-page.graphql', 'utf8')),
      visitWithTypeInfo(info, {
        Field: ({ name }) => {
          const field = info.getFieldDef();
          if (field && !isNonNullType(field.type) && !isMarked(field)) nullable.push(`${info.getParentType()?.name}.${name.value}`);
        },
      }),
    );
    expect(nullable).toEqual([
      'Query.order',
      'Order.referenceNumber',
      'Customer.customerName',
      'Customer.email',
      'Customer.phone',
      'Customer.contact',
      'Contact.firstName',
      'Order.quote',
      'Quote.title',
      'Product.sku',
    ]);
  });
});
