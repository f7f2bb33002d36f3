import { demoId, START } from '../sandbox/sandbox.ts';
import { useTestGraph } from './testGraph.ts';

/** A DateTime some days after (or before) the start time of tests. */
export const createFutureDate = (days: number): string => new Date((START + days * 86_400) * 1000).toISOString().replace('.000Z', 'Z');

interface OrderedLine {
  readonly rawId: string;
}

/** A world with helpers for inventory tests. All of them use the graph. */
export function useStockGraph() {
  const testGraph = useTestGraph();

  /** Runs one mutation. Returns the member of its result union, with the selected payload fields or the fields of the error. */
  async function mutateAs(key: string, name: string, input: object, selection = '__typename') {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const document = `mutation ($input: ${title}Input!) {
      ${name}(input: $input) {
        __typename
        ... on ${title}Payload { ${selection} }
        ... on MutationError { code ... on TransitionBlockedError { fromText blockers { code } } }
        ... on ValidationError { issues { path message } }
        ... on NotFoundError { missingId path }
        ... on ForbiddenError { missingScopes }
      }
    }`;
    const { data, errors } = await testGraph.executeAs(key, document, { input });
    if (!data) throw new Error(JSON.stringify(errors));
    return { ...data[name], ...(errors && { errors }) };
  }

  const mutate = (name: string, input: object, selection?: string) => mutateAs('demo-owner', name, input, selection);

  return Object.assign(testGraph, {
    mutate,
    mutateAs,

    /** Creates a product with this stock at one location. Returns its raw ID. */
    newProduct: async (stock = 0, locationId = demoId('location 0')): Promise<string> => {
      const { product } = await mutate('productCreate', { name: 'Made for a test' }, 'product { rawId }');
      const change = { quantityDelta: stock };
      const input = { productId: product.rawId, locationId, reason: 'Setup', change, idempotencyKey: `setup ${product.rawId}` };
      if (stock > 0) await mutate('inventoryAdjust', input);
      return product.rawId;
    },

    /** Creates an open order for one product. Returns the IDs of the order and its line. */
    newOrder: async (productId: string, quantity: number) => {
      const quoted = { customerId: demoId('customer 1'), lines: [{ productId, quantity }] };
      const { quote } = await mutate('quoteCreate', quoted, 'quote { id }');
      const { order } = await mutate('quoteConfirm', { quoteId: quote.id }, 'order { id rawId lines { rawId } }');
      const [line] = order.lines as OrderedLine[];
      return { id: order.id as string, rawId: order.rawId as string, lineId: line?.rawId ?? '' };
    },

    /** The balance of a product at a location as `[on hand, available, reserved, inbound]`. Undefined if it isn't listed. */
    balance: async (productId: string, locationId = demoId('location 0')) => {
      const { data } = await testGraph.execute(
        `query ($productId: ID!, $locationId: ID!) {
          inventoryBalances(filter: { productId: $productId, locationId: $locationId }) { nodes { onHand available reserved inbound } }
        }`,
        { productId, locationId },
      );
      const [found] = data.inventoryBalances.nodes;
      return found && [found.onHand, found.available, found.reserved, found.inbound].map(Number);
    },
  });
}
