import { createUuid } from '../sandbox/kernel/random.ts';
import { toGlobalId } from '../src/schema/kit/globalIds.ts';
import { computeFingerprint, encodeCursor } from '../src/schema/paging/cursors.ts';
import { SearchCustomers } from '../src/upstream/contract/generated/operations.ts';

/** Seed of the demo data. */
export const SEED = 1;

const CUSTOMER = createUuid(SEED, 'demo customer 0');
const PRODUCTS = Array.from({ length: 100 }, (_, index) => createUuid(SEED, `demo product ${index}`));

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Work that every server performs. */
export interface Work {
  readonly name: string;
  readonly description: string;
  /** Sent in rotation. `UNIQUE` in the text is replaced by a different value in each request. */
  readonly requests: readonly GraphqlRequest[];
  /** Minimum number of upstream calls per request, once the key's covering lists are cached. */
  readonly calls: number;
  /** Length of the longest chain of dependent calls. */
  readonly rounds: number;
  /** Number of upstream calls of one request without covering lists, if it's different. */
  readonly gets?: number;
  /** Number of the floor's upstream calls per request, if it can't send those of the graph. */
  readonly floorCalls?: number;
  /** Maximum number of further upstream calls of a request, for what the graph then caches per key. */
  readonly cachedCalls?: number;
  /** Whether only variants of the graph are measured. */
  readonly isGraphOnly?: true;
}

const CUSTOMER_BY_ID = 'query CustomerById($id: ID!) { customer(id: $id) { rawId title customerName referenceNumber } }';

/** The same query, optionally with an alias. */
const customerQuotes = (alias = '') => `query CustomerQuotes($id: ID!) {
  ${alias}customer(id: $id) {
    rawId
    title
    quotes(first: 100) {
      nodes {
        rawId
        status
        title
        totalOnce { minorUnits currencyCode }
        customer { rawId title }
        lines { quantity total { minorUnits currencyCode } product { rawId name sku } }
      }
    }
  }
}`;

const PRODUCT_BALANCES = `query ProductBalances {
  products(first: 100) {
    nodes { rawId name sku inventoryBalances(first: 5) { nodes { onHand available } } }
  }
}`;

const CUSTOMER_PAGE = `query CustomerPage($id: ID!) {
  customer(id: $id) {
    id
    title
    customerName
    email
    quotes(first: 10) {
      nodes { id referenceNumber status totalOnce { amount currencyCode } }
      pageInfo { hasNextPage }
    }
    orders(first: 10) {
      nodes { id referenceNumber status totalOnce { amount currencyCode } }
      pageInfo { hasNextPage }
    }
    timelineEvents(first: 20) {
      nodes { eventType summary occurredAt }
    }
  }
}`;

const PRODUCT_ENTITIES = `query ProductEntities($representations: [_Any!]!) {
  _entities(representations: $representations) {
    ... on Product { rawId name sku }
  }
}`;

const PRODUCT_ALIASES = `query ProductAliases {
  ${Array.from({ length: 12 }, (_, index) => `p${index}: products(first: 100) { nodes { id rawId name sku } }`).join(' ')}
}`;

/** A column of an order board. */
const boardColumn = (
  name: string,
  filter: string,
  orderBy: string,
) => `  ${name}: orderSearch(filter: ${filter}, orderBy: ${orderBy}, first: 25) {
    totalCount
    nodes { id referenceNumber status totalOnce { amount currencyCode } updatedAt customer { title } }
  }`;

const LAST_UPDATED_FIRST = '{ field: UPDATED_AT }';

const ORDER_BOARD = `query OrderBoard {
${boardColumn('open', '{ statuses: [OPEN] }', LAST_UPDATED_FIRST)}
${boardColumn('fulfilled', '{ statuses: [FULFILLED] }', LAST_UPDATED_FIRST)}
${boardColumn('canceled', '{ statuses: [CANCELLED] }', LAST_UPDATED_FIRST)}
${boardColumn('oldestInEuros', '{ currencyCodes: ["EUR"] }', '{ field: CREATED_AT, direction: ASC }')}
}`;

const CUSTOMER_CREATE = `mutation CustomerCreate($input: CustomerCreateInput!) {
  customerCreate(input: $input) {
    ... on CustomerCreatePayload { customer { title } }
  }
}`;

/** A query for several pages of 100 customers, each with an alias. */
function customerPages(pages: number): string {
  const fingerprint = computeFingerprint(SearchCustomers.name, { query: '' });
  const page = (index: number) => {
    const after = index === 0 ? '' : `, after: "${encodeCursor(index * 100 - 1, fingerprint)}"`;
    return `p${index}: customers(first: 100${after}) { nodes { id title customerName createdAt } }`;
  };
  return `query CustomerPages { ${Array.from({ length: pages }, (_, index) => page(index)).join(' ')} }`;
}

const customerVariables = { id: CUSTOMER };

/** Number of equivalent documents: more than servers usually cache per client, but few enough to cache all of them. */
const DOCUMENT_COUNT = 64;

export const WORK: readonly Work[] = [
  {
    name: 'a',
    description: 'one customer by id',
    requests: [{ query: CUSTOMER_BY_ID, variables: customerVariables }],
    calls: 1,
    rounds: 1,
  },
  {
    name: 'b',
    description: '100 quotes with their customer and their lines’ products',
    requests: [{ query: customerQuotes(), variables: customerVariables }],
    calls: 5,
    rounds: 3,
    gets: 156,
  },
  {
    name: 'c',
    description: '100 products with their stock',
    requests: [{ query: PRODUCT_BALANCES, variables: {} }],
    calls: 9,
    rounds: 2,
    gets: 101,
  },
  {
    name: 'd',
    description: 'a customer’s page: quotes, orders, timeline',
    requests: [{ query: CUSTOMER_PAGE, variables: { id: toGlobalId('Customer', CUSTOMER) } }],
    calls: 4,
    rounds: 2,
  },
  {
    name: 'e',
    description: `same as b, in ${DOCUMENT_COUNT} equivalent documents`,
    requests: Array.from({ length: DOCUMENT_COUNT }, (_, index) => ({
      query: customerQuotes(`c${index}: `),
      variables: customerVariables,
    })),
    calls: 5,
    rounds: 3,
    gets: 156,
  },
  {
    name: 'f',
    description: '100 products by reference, as requested by a router',
    requests: [
      {
        query: PRODUCT_ENTITIES,
        variables: { representations: PRODUCTS.map((rawId) => ({ __typename: 'Product', rawId })) },
      },
    ],
    calls: 8,
    rounds: 1,
    gets: 100,
  },
  // Before mutations, because the floor reads all customers.
  {
    name: 'board',
    description: 'an order board: four columns of 25 orders with their customers’ titles, and counts',
    requests: [{ query: ORDER_BOARD, variables: {} }],
    // Four pages, four counts, 88 customers, and two orders whose amount the index doesn't have.
    calls: 98,
    // At most four analytics queries of a key run at once.
    rounds: 3,
    floorCalls: 2222,
    // The analytics catalog.
    cachedCalls: 1,
  },
  {
    name: 'g',
    description: 'creates a customer, with an idempotency key',
    requests: [
      {
        query: CUSTOMER_CREATE,
        variables: { input: { title: 'Solar roof', idempotencyKey: 'bench-UNIQUE' } },
      },
    ],
    calls: 1,
    rounds: 1,
  },
  {
    name: 'g-unkeyed',
    description: 'same as g, without a key',
    requests: [{ query: CUSTOMER_CREATE, variables: { input: { title: 'Solar roof' } } }],
    calls: 1,
    rounds: 1,
  },
  {
    name: 'n100',
    description: '100 customers, without related records',
    requests: [{ query: customerPages(1), variables: {} }],
    calls: 1,
    rounds: 1,
    isGraphOnly: true,
  },
  {
    name: 'n1000',
    description: '1,000 customers, on ten pages of one document',
    requests: [{ query: customerPages(10), variables: {} }],
    calls: 10,
    rounds: 1,
    isGraphOnly: true,
  },
  {
    name: 'h',
    description: 'a page of 100 products under 12 aliases, which is one upstream call and a large response',
    requests: [{ query: PRODUCT_ALIASES, variables: {} }],
    calls: 1,
    rounds: 1,
    isGraphOnly: true,
  },
];

const queryById = (alias: string, fields: string) => `query CustomerById($id: ID!) { ${alias}customer(id: $id) { ${fields} } }`;

/** Requests of a typical day, for measuring memory: reads and writes, repeated and unique documents, with and without failures. */
export const MIXTURE: readonly GraphqlRequest[] = [
  ...Array.from({ length: DOCUMENT_COUNT }, (_, index) => ({
    query: queryById(`c${index}: `, 'id title email'),
    variables: customerVariables,
  })),
  ...Array.from({ length: 4 }, () => ({ query: queryById('cUNIQUE: ', 'rawId title'), variables: customerVariables })),
  { query: CUSTOMER_PAGE, variables: { id: toGlobalId('Customer', CUSTOMER) } },
  { query: PRODUCT_ENTITIES, variables: { representations: [{ __typename: 'Product', rawId: PRODUCTS[0] }, { __typename: 'Nothing' }] } },
  { query: queryById('', 'title'), variables: { id: '' } },
  { query: 'query Broken($id: ID!) { customer(id: $id) { noSuchFieldUNIQUE } }', variables: customerVariables },
  { query: CUSTOMER_CREATE, variables: { input: { title: 'Solar roof', idempotencyKey: 'memory-UNIQUE' } } },
  { query: CUSTOMER_CREATE, variables: { input: { title: 'Solar roof', idempotencyKey: 'the same' } } },
];
