import { type GraphQLInputObjectType, getNamedType, isInputObjectType, isLeafType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema } = createGraph();
const testGraph = useTestGraph();

/** Selects the fields of a type that an input type has, too. Fails if such a field has another type. */
function printShared(typeName: string, input: GraphQLInputObjectType): string {
  const type = schema.getType(typeName);
  const fields = isObjectType(type) ? type.getFields() : {};
  return Object.values(input.getFields())
    .flatMap(({ name, type: inputType }) => {
      const field = fields[name];
      if (!field) return [];
      const [from, to] = [getNamedType(field.type), getNamedType(inputType)];
      expect([from.name, `${from.name}Input`], `${typeName}.${name}`).toContain(to.name);
      return isLeafType(from) ? [name] : isInputObjectType(to) ? [`${name} { ${printShared(from.name, to)} }`] : [];
    })
    .join(' ');
}

/** Fields that can't be cleared, so that null or an empty list can't be sent back. */
const PERMANENT = new Set([
  'Customer.expectedCloseAt',
  ...['priceMonthly', 'priceYearly', 'minQuantity', 'maxQuantity', 'countryPrices'].map((name) => `Product.${name}`),
]);

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

const isSendable = (type: string) => (entry: readonly [string, unknown]) => !isEmpty(entry[1]) || !PERMANENT.has(`${type}.${entry[0]}`);

/** Reads the records of a list, and sends the fields that the mutation's input shares with each back. Returns the names of the result types. */
async function sendBack(mutation: string, type: string, list: string): Promise<readonly string[]> {
  const input = getNamedType(schema.getMutationType()?.getFields()[mutation]?.args[0]?.type);
  if (!isInputObjectType(input)) throw new Error(`${mutation} has no input.`);
  const shared = printShared(type, input);
  const version = 'expectedVersion' in input.getFields() ? 'expectedVersion: version' : '';
  const { data } = await testGraph.execute(`{ list: ${list}(first: 40) { nodes { recordId: id ${version} ${shared} } } }`);
  const idName = `${type.charAt(0).toLowerCase()}${type.slice(1)}Id`;
  const results: string[] = [];
  for (const { recordId, ...fields } of data.list.nodes) {
    const entries = Object.entries(fields).filter(isSendable(type));
    const { data: result, errors } = await testGraph.execute(
      `mutation ($input: ${input.name}!) { result: ${mutation}(input: $input) { __typename ... on MutationError { message } } }`,
      { input: { [idName in input.getFields() ? idName : 'taskId']: recordId, ...Object.fromEntries(entries) } },
    );
    expect(errors).toBeUndefined();
    if (result.result.__typename === 'ValidationError') throw new Error(`${mutation}: ${result.result.message}`);
    results.push(result.result.__typename);
  }
  return results;
}

describe('values of a record', () => {
  it.each([
    ['contactUpdate', 'Contact', 'contacts'],
    ['customerUpdate', 'Customer', 'customers'],
    ['problemUpdate', 'Problem', 'problems'],
    ['productUpdate', 'Product', 'products'],
    ['roleUpdate', 'Role', 'roles'],
    ['quoteUpdate', 'Quote', 'quoteSearch'],
    ['teamUpdate', 'Team', 'teams'],
    ['appointmentUpdate', 'Appointment', 'appointmentSearch'],
    ['workOrderTemplateUpdate', 'WorkOrderTemplate', 'workOrderTemplates'],
    ['advancedTaskUpdate', 'AdvancedTask', 'advancedTasks'],
  ])('can be sent back with %s', async (mutation, type, list) => {
    const results = await sendBack(mutation, type, list);
    // Records whose status allows no changes result in the other type.
    expect(new Set([...results, 'TransitionBlockedError'])).toEqual(
      new Set([`${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload`, 'TransitionBlockedError']),
    );
  });

  it('can be sent back as custom fields, each under the name of its type', async () => {
    const kinds = [
      'text number boolean date money { amount currencyCode minorUnits }',
      'address { street houseNumber postalCode city countryCode countryText latitude longitude fullAddress }',
      'company { companyName registrationNumber vatNumber }',
    ].join(' ');
    const { data } = await testGraph.execute(`{ customers(first: 60) { nodes { id customFields { name ${kinds} } } } }`);
    const seen = new Set<string>();
    for (const { id, customFields } of data.customers.nodes) {
      const inputs = (customFields as readonly ({ readonly name: string } & Record<string, unknown>)[]).flatMap(({ name, ...values }) => {
        const [known] = Object.entries(values).filter(([, value]) => value !== null);
        if (known) seen.add(known[0]);
        return known ? [{ name, value: Object.fromEntries([known]) }] : [];
      });
      if (inputs.length === 0) continue;
      const { data: result, errors } = await testGraph.execute(
        `mutation ($input: CustomerCustomFieldsUpdateInput!) { result: customerCustomFieldsUpdate(input: $input) {
          __typename ... on MutationError { message } ... on CustomerCustomFieldsUpdatePayload { customer { customFields { name ${kinds} } } } } }`,
        { input: { customerId: id, customFields: inputs } },
      );
      expect(errors).toBeUndefined();
      expect(result.result).toMatchObject({ __typename: 'CustomerCustomFieldsUpdatePayload', customer: { customFields } });
    }
    expect(seen).toEqual(new Set(['text', 'number', 'boolean', 'date', 'money', 'address', 'company']));
  });
});

describe('MoneyInput', () => {
  const UPDATE = `mutation ($price: MoneyInput!) { productUpdate(input: { productId: "${demoId('product 0')}", priceOnce: $price }) {
    __typename ... on ValidationError { issues { path code } } ... on ProductUpdatePayload { product { priceOnce { amount currencyCode minorUnits } } } } }`;

  it('accepts a `Money` as it was returned', async () => {
    const price = { amount: '1234.50', currencyCode: 'EUR', minorUnits: '123450' };
    const { data } = await testGraph.execute(UPDATE, { price });
    expect(data.productUpdate).toMatchObject({ __typename: 'ProductUpdatePayload', product: { priceOnce: price } });
    expect((await testGraph.execute(UPDATE, { price: { ...price, amount: '1234.5' } })).data.productUpdate.product.priceOnce).toEqual(
      price,
    );
  });

  it.each([
    ['another amount', { amount: '1234.51', currencyCode: 'EUR', minorUnits: '123450' }, 'amount', 'NOT_ALLOWED'],
    ['minor units as the amount', { amount: '123450', currencyCode: 'EUR', minorUnits: '123450' }, 'amount', 'NOT_ALLOWED'],
    ['a fraction of the smallest unit', { amount: '0.001', currencyCode: 'EUR', minorUnits: '0' }, 'amount', 'NOT_ALLOWED'],
    ['an amount without its currency', { amount: '1.00', minorUnits: '100' }, 'currencyCode', 'REQUIRED'],
  ])('rejects %s without a write', async (_case, price, field, code) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { price }));
    expect(data.productUpdate).toEqual({ __typename: 'ValidationError', issues: [{ path: ['priceOnce', field], code }] });
    expect(calls).not.toContain('Catalog/UpdateProduct');
  });
});
