import { describe, expect, it } from 'vitest';
import { discountTable } from '../../../sandbox/catalog/discounts.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const LIST = 'Catalog/ListDiscounts';

const testGraph = useTestGraph();
const { lamp, createQuote } = createQuoting(testGraph);

/** Adds discounts that sort before the demo's, so that the demo's aren't among the first 100. */
function addDiscounts(count: number): void {
  const { store } = testGraph.sandbox.world;
  const row = discountTable.find(store, { id: demoId('discount 0') });
  if (!row) throw new Error('The demo has no discount.');
  for (let index = 0; index < count; index += 1) discountTable.insert(store, { ...row, id: `early ${index}`, name: `  Early ${index}` });
}

const QUOTE = `query ($id: ID!) { quote(id: $id) { version totalOnce { minorUnits }
  lines { productId quantity priceType } discounts { discountId name discount { id name } } } }`;
const UPDATE = `mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) {
  ... on QuoteUpdatePayload { quote { totalOnce { minorUnits } discounts { discountId name } } } ... on MutationError { code message } } }`;

describe('truncated discount list', () => {
  it('preserves a quote’s discounts if an editor sends back what it has read', async () => {
    const productId = await lamp();
    const { rawId: id } = await createQuote({ lines: [{ productId, quantity: 3 }], discounts: [{ discountId: demoId('discount 0') }] });
    addDiscounts(100);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(QUOTE, { id }));
    const { version, lines, discounts, totalOnce } = data.quote;
    const discountId = toGlobalId('Discount', demoId('discount 0'));
    expect(discounts).toEqual([{ discountId, name: 'Welcome', discount: null }]);
    expect(lines).toEqual([{ productId: toGlobalId('Product', productId), quantity: 3, priceType: 'ONCE' }]);
    expect(errors).toMatchObject([
      {
        path: ['quote', 'discounts', 0, 'discount'],
        message: `${demoId('discount 0')} isn’t among the first 100 records of its list, and the Workspace API has no lookup by ID. It may exist, so don’t treat it as deleted.`,
        extensions: { code: 'NOT_FOUND', retry: 'NEVER' },
      },
    ]);
    expect(calls).toEqual(['Quote/GetQuote', LIST]);
    const input = {
      quoteId: id,
      expectedVersion: version,
      lines,
      discounts: discounts.map((each: { discountId: string }) => ({ discountId: each.discountId })),
    };
    const updated = (await testGraph.execute(UPDATE, { input })).data.quoteUpdate;
    expect(updated).toEqual({ quote: { totalOnce, discounts: [{ discountId, name: 'Welcome' }] } });
  });

  it.each([
    ['discount', `{ read: discount(id: "${demoId('discount 0')}") { name } }`],
    ['node', `{ read: node(id: "${toGlobalId('Discount', demoId('discount 0'))}") { ... on Discount { name } } }`],
  ])('returns NOT_FOUND from Query.%s for an unlisted discount', async (_field, query) => {
    const { data, errors } = await testGraph.execute(query);
    expect([data.read, errors?.map(({ path, extensions }) => [path, extensions.code])]).toEqual([null, [[['read'], 'NOT_FOUND']]]);
  });

  it('returns NOT_FOUND from _entities for an unlisted discount and resolves the others', async () => {
    const of = [demoId('discount 0'), 'early 0'].map((rawId) => ({ __typename: 'Discount', rawId }));
    const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Discount { name } } }';
    const { data, errors } = await testGraph.execute(query, { of });
    expect(data._entities).toEqual([null, { name: '  Early 0' }]);
    expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'NOT_FOUND' } }]);
  });
});

describe('complete discount list', () => {
  const small = useTestGraph();

  it('resolves Query.discount to null for an unknown ID', async () => {
    const { data, errors } = await small.execute('{ discount(id: "nothing") { name } }');
    expect([data.discount, errors]).toEqual([null, undefined]);
  });
});
