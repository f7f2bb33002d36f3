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
import { buildRecordsQuery, recordsQueryVariables } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema: graph, sdl } = getGraph();
const client = buildSchema(printClientSchema(graph));

type Field = GraphQLField<unknown, unknown>;
const isMarked = ({ astNode }: Field) =>
  astNode?.directives?.some(({ name }: ConstDirectiveNode) => name.value === 'semanticNonNull') ?? false;
const markedOf = (type: string) => {
  const found = client.getType(type);
  return isObjectType(found) ? Object.values(found.getFields()).filter(isMarked) : [];
};
/** Fields with arguments are lists, which the query leads to anyway. */
const selectionOf = (type: string) =>
  [
    '__typename',
    ...markedOf(type).flatMap((field) => {
      if (field.args.length > 0) return [];
      return isCompositeType(getNamedType(field.type)) ? `${field.name} { __typename }` : field.name;
    }),
  ].join(' ');

/** The nulls of an answer in fields whose null is never data, by their paths. */
function* failuresIn(value: unknown, path: readonly (string | number)[] = [], type = 'Query'): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* failuresIn(item, [...path, index], type);
    return;
  }
  const shown = client.getType('__typename' in value ? String(value.__typename) : type);
  for (const [name, member] of Object.entries(value)) {
    const field = isObjectType(shown) ? shown.getFields()[name] : undefined;
    if (member === null && field && isMarked(field)) yield [...path, name].join('.');
    yield* failuresIn(member, [...path, name], field && getNamedType(field.type).name);
  }
}

/** Members that a record always has, of which some answers are to lack them. */
const ALWAYS = new Set([
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

function withoutAlways(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAlways);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !ALWAYS.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutAlways(member)]));
}

let isPoor = false;
const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const answer = await usual(request);
    return isPoor ? { ...answer, body: JSON.stringify(withoutAlways(JSON.parse(answer.body))) } : answer;
  }),
});
const { createOrder } = createQuoting(testGraph);

const ask = async () => {
  const query = buildRecordsQuery(selectionOf);
  return testGraph.execute(query, recordsQueryVariables(testGraph.sandbox));
};

describe('a field whose null is never data', () => {
  it('is marked for clients, and not for supergraphs: composers do not know the mark', () => {
    expect(markedOf('Mutation')).toHaveLength(Object.keys(client.getMutationType()?.getFields() ?? {}).length);
    expect(markedOf('Order').map(({ name }) => name)).toEqual(expect.arrayContaining(['version', 'customer', 'totalOnce', 'reservations']));
    expect(markedOf('Customer').map(({ name }) => name)).not.toContain('contact');
    expect(sdl).not.toContain('semanticNonNull');
  });

  it('has its value', async () => {
    const { data, errors } = await ask();
    expect(errors).toBeUndefined();
    expect([...failuresIn(data)]).toEqual([]);
  });

  it('is null only with an error of its path, when the upstream leaves out what it always has', async () => {
    isPoor = true;
    const { data, errors = [] } = await ask().finally(() => {
      isPoor = false;
    });
    const failures = [...failuresIn(data)];
    const names = new Set(failures.map((path) => path.split('.').at(-1)));
    expect([...names]).toEqual(expect.arrayContaining(['version', 'customer', 'product', 'location', 'totalOnce', 'cancellationImpact']));
    expect(errors.map(({ path = [] }) => path.join('.')).sort()).toEqual(failures.sort());
  });

  it('says why it is null, and takes nothing else away', async () => {
    const id = await createOrder();
    isPoor = true;
    const query =
      'query ($id: ID!) { order(id: $id) { rawId version customer { title } lines { quantity product { name } total { amount } } } }';
    const { data, errors = [] } = await testGraph.execute(query, { id }).finally(() => {
      isPoor = false;
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

  it('says that a record cannot be found', async () => {
    const id = await createOrder();
    testGraph.sandbox.world.store.run('UPDATE order_lines SET product_id = :gone WHERE order_id = :id', { gone: 'gone', id });
    const { data, errors } = await testGraph.execute('query ($id: ID!) { order(id: $id) { lines { product { name } } } }', { id });
    expect(data.order.lines).toEqual([{ product: null }]);
    expect(errors).toMatchObject([
      { message: 'Product gone not found.', path: ['order', 'lines', 0, 'product'], extensions: { code: 'NOT_FOUND' } },
    ]);
  });
});

describe('the page of an order', () => {
  it('asks for ten fields whose null is data', () => {
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
