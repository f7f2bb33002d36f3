import { randomUUID } from 'node:crypto';
import type { DemoCall, DemoSandbox } from './demoSandbox.ts';

/** The API key of the demonstrations. */
const KEY = 'demo-owner';

const STOCK = `query Stock {
  products(first: 20) {
    nodes {
      rawId
      name
      inventoryBalances(first: 10) { nodes { available location { rawId name } } }
    }
  }
}`;

const MOVE = `mutation MoveStock($input: InventoryMoveInput!) {
  inventoryMove(input: $input) {
    __typename
    ... on InventoryMovePayload { effect operationId }
    ... on MutationError { code message retry }
  }
}`;

const QUOTE_PARTS = '{ customersByIdentifier(by: { referenceNumber: "C-000001" }) { rawId } products(first: 1) { nodes { rawId } } }';

const CREATE = `mutation CreateQuote($input: QuoteCreateInput!) {
  quoteCreate(input: $input) {
    __typename
    ... on QuoteCreatePayload { effect quote { referenceNumber } }
    ... on MutationError { code message retry }
    ... on OutcomeUnknownError {
      startedAt
      candidates { rawId ... on Quote { referenceNumber title totalOnce { amount currencyCode } } }
    }
  }
}`;

/** A GraphQL request with its response. */
interface DemoRequest {
  readonly query: string;
  readonly variables: object;
  readonly response: unknown;
}

/** What a demonstration did. */
interface DemoResult {
  /** Requests to the graph, in order. Empty if the client calls the upstream itself. */
  readonly requests: readonly DemoRequest[];
  /** Calls that the upstream received. */
  readonly calls: readonly DemoCall[];
  /** Available units at the destination of a move. */
  readonly stock?: { readonly product: string; readonly location: string; readonly before: number; readonly after: number };
}

/** Why a demonstration can't run, for the person who uses the start page. */
export class DemonstrationError extends Error {}

/** Sends a request to the graph with the key of the demonstrations. Resolves to `data`, whose type the query determines. Throws DemonstrationError if there are errors, such as if sign-in is required. */
export type Execute = <Data>(query: string, variables: object) => Promise<Data>;

/** What a demonstration runs with. */
interface Context {
  readonly sandbox: DemoSandbox;
  readonly execute: Execute;
  /** ID of all requests of `execute`, which selects the calls to record and to lose. */
  readonly requestId: string;
  /** IDs of products whose stock a running demonstration compares before and after. No other one moves them. */
  readonly productsInUse: Set<string>;
}

interface Balance {
  readonly available: number;
  readonly location: { readonly rawId: string; readonly name: string };
}

interface Stocked {
  readonly rawId: string;
  readonly name: string;
  readonly inventoryBalances: { readonly nodes: readonly Balance[] };
}

interface Products {
  readonly products: { readonly nodes: readonly Stocked[] };
}

/** Records that a quote needs. */
interface QuoteParts {
  readonly customersByIdentifier: readonly { readonly rawId: string }[];
  readonly products: { readonly nodes: readonly { readonly rawId: string }[] };
}

interface Move {
  readonly product: Stocked;
  readonly from: Balance;
  readonly to: Balance;
}

/** Finds a product that can be moved, and reserves it. The IDs of the demo data depend on the seed. */
async function reserveMove({ execute, productsInUse }: Context): Promise<Move> {
  const { products } = await execute<Products>(STOCK, {});
  for (const product of products.nodes) {
    if (productsInUse.has(product.rawId)) continue;
    const balances = product.inventoryBalances.nodes.toSorted((one, other) => other.available - one.available);
    const [from, to] = [balances[0], balances.at(-1)];
    // The demonstration moves up to two units.
    if (!(from && to && from !== to && from.available >= 2)) continue;
    productsInUse.add(product.rawId);
    return { product, from, to };
  }
  throw new DemonstrationError('No other product has stock in two locations. Retry, or restart the sandbox to restore its demo data.');
}

/** Runs a move of one unit, and compares the stock of its destination before and after. */
async function demonstrateMove(
  context: Context,
  run: (input: object) => Promise<Pick<DemoResult, 'requests' | 'calls'>>,
): Promise<DemoResult> {
  const { execute, productsInUse } = context;
  const { product, from, to } = await reserveMove(context);
  try {
    const line = { productId: product.rawId, sourceLocationId: from.location.rawId, quantity: 1 };
    const result = await run({ destinationLocationId: to.location.rawId, lines: [line] });
    const { products } = await execute<Products>(STOCK, {});
    const moved = products.nodes.find(({ rawId }) => rawId === product.rawId);
    const after = moved?.inventoryBalances.nodes.find(({ location }) => location.rawId === to.location.rawId)?.available ?? 0;
    return { ...result, stock: { product: product.name, location: to.location.name, before: to.available, after } };
  } finally {
    productsInUse.delete(product.rawId);
  }
}

const MOVE_OPERATION = 'Inventory/MoveInventory';

/** The graph repeats the lost call with the same idempotency key. */
const moveThroughGraph = (context: Context): Promise<DemoResult> =>
  demonstrateMove(context, async (input) => {
    const { sandbox, execute, requestId } = context;
    const variables = { input: { ...input, idempotencyKey: randomUUID() } };
    const [data, calls] = await sandbox.loseResponse({ operation: MOVE_OPERATION, requestId }, () => execute<unknown>(MOVE, variables));
    return { requests: [{ query: MOVE, variables, response: data }], calls };
  });

/** A client of the upstream that doesn't store its idempotency key, and so repeats the call with a new one. */
const moveWithoutGraph = (context: Context): Promise<DemoResult> =>
  demonstrateMove(context, async (input) => {
    const { sandbox, requestId } = context;
    const attempt = () => sandbox.call(MOVE_OPERATION, KEY, requestId, { ...input, idempotencyKey: randomUUID() });
    const [, calls] = await sandbox.loseResponse({ operation: MOVE_OPERATION, requestId }, () => attempt().catch(attempt));
    return { requests: [], calls };
  });

/** The upstream doesn't deduplicate creations, so the graph doesn't repeat the lost call, but searches for what it may have created. */
async function createQuote({ sandbox, execute, requestId }: Context): Promise<DemoResult> {
  const { customersByIdentifier, products } = await execute<QuoteParts>(QUOTE_PARTS, {});
  const [[customer], [product]] = [customersByIdentifier, products.nodes];
  if (!customer || !product)
    throw new DemonstrationError('The customer C-000001 or the products are missing. Restart the sandbox to restore its demo data.');
  const lines = [{ productId: product.rawId, quantity: 1 }];
  const input = { customerId: customer.rawId, title: `Lost quote ${requestId.slice(0, 4)}`, lines, idempotencyKey: randomUUID() };
  const variables = { input };
  const [responses, calls] = await sandbox.loseResponse({ operation: 'Quote/CreateQuote', requestId }, async () => [
    await execute<unknown>(CREATE, variables),
    await execute<unknown>(CREATE, variables),
  ]);
  return { requests: responses.map((response) => ({ query: CREATE, variables, response })), calls };
}

type Demonstration = (context: Context) => Promise<DemoResult>;

/** The demonstrations by the last part of their paths. */
export const DEMONSTRATIONS: ReadonlyMap<string, Demonstration> = new Map([
  ['move-through-graph', moveThroughGraph],
  ['move-without-graph', moveWithoutGraph],
  ['create-quote', createQuote],
]);

/** Creates the function that sends the requests of a demonstration to the graph, all with its request ID. */
export const createExecute =
  (url: string, requestId: string): Execute =>
  async <Data>(query: string, variables: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data?: Data; errors?: readonly { message: string }[] };
    if (!data || errors) throw new DemonstrationError(`The graph responded: ${errors?.[0]?.message ?? response.status}`);
    return data;
  };
