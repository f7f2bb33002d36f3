import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.ts';
import { NO_OVERLAY, type Overlay, readOverlay } from '../../../src/upstream/contract/overlay.ts';
import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey, MAIN } from '../../sandbox/stock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { CONFIRM_QUOTE, createQuoting } from '../../support/quoting.ts';
import { postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

/** An overlay as an operator would write it. */
const OVERLAY = `
services:
  Quote: Quotations
operations:
  Quote/ConfirmQuote: { name: AcceptQuotation }
  Quote/UpdateQuote: { versionField: revision }
  Inventory/CreateInventoryBackorder: { keyField: requestReference }
  Catalog/ListProducts: { page: { maxSize: 10 } }
fields:
  ConfirmQuoteRequest: { id: quotationId }
  QuoteRecord: { title: subject, createdAt: created_at }
  QuoteLineInput: { productId: article, quantity: count }
  '*': { hasMore: more }
enums:
  PublicQuoteStatus: { prefix: QUOTATION_STATE_, words: { PUBLIC_QUOTE_STATUS_CONCEPT: DRAFT } }
  PublicPriceType: { prefix: '' }
`;

function parseOverlay(text: string): Overlay {
  const reading = readOverlay(text);
  if ('problems' in reading) throw new Error(reading.problems.join('\n'));
  return reading.overlay;
}

const file = join(mkdtempSync(join(tmpdir(), 'overlay-')), 'overlay.yaml');
writeFileSync(file, OVERLAY);

type Names = Readonly<Record<string, string>>;

/** Renames the members of JSON and replaces the start of strings at any depth. */
function rename(value: unknown, members: Names, texts: readonly (readonly [RegExp, string])[]): unknown {
  if (Array.isArray(value)) return value.map((each) => rename(each, members, texts));
  if (typeof value === 'string') return texts.reduce((text, [from, to]) => text.replace(from, to), value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [members[name] ?? name, rename(each, members, texts)]));
}

const createRejection = (status: number, message: string): UpstreamResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ code: 'invalid_argument', message }),
});

/** Requests as received, before they are renamed for the sandbox. */
const receivedRequests: { readonly path: string; readonly body: Record<string, unknown> }[] = [];

/** The sandbox behind an upstream with other names, which rejects the replaced names of the contract. */
const renamedUpstream = interceptCalls(async (request: UpstreamRequest, usual) => {
  const body = JSON.parse(request.body) as Record<string, unknown>;
  const { path } = request;
  receivedRequests.push({ path, body });
  if (path.includes('.Quote/') || path.endsWith('/ConfirmQuote')) return createRejection(404, `there is no ${path}`);
  if (path.endsWith('/ListProducts') && Number(body.pageSize) > 10) return createRejection(400, 'pageSize must be at most 10');
  const members: Names = {
    ...(path.endsWith('/AcceptQuotation') && { quotationId: 'id', id: 'unknown' }),
    ...(path.endsWith('/UpdateQuote') && {
      revision: 'expectedVersion',
      expectedVersion: 'unknown',
      article: 'productId',
      count: 'quantity',
    }),
    ...(path.endsWith('/CreateQuote') && { article: 'productId', productId: 'unknown', count: 'quantity' }),
    ...(path.endsWith('/CreateInventoryBackorder') && { requestReference: 'idempotencyKey', idempotencyKey: 'unknown' }),
  };
  const sent = rename(body, members, [[/^(UNSPECIFIED|ONCE|MONTHLY|YEARLY)$/, 'PUBLIC_PRICE_TYPE_$1']]);
  const response = await usual({
    ...request,
    path: path.replace('.Quotations/', '.Quote/').replace('/AcceptQuotation', '/ConfirmQuote'),
    body: JSON.stringify(sent),
  });
  const isQuoteCall = path.includes('.Quotations/');
  const texts = [
    [/^PUBLIC_QUOTE_STATUS_CONCEPT$/, 'DRAFT'],
    [/^PUBLIC_QUOTE_STATUS_/, 'QUOTATION_STATE_'],
    [/^PUBLIC_PRICE_TYPE_/, ''],
    [/(?<=line_items\[\d\]\.)quantity/, 'count'],
  ] as const;
  const renamedBody = rename(
    JSON.parse(response.body),
    { hasMore: 'more', ...(isQuoteCall && { title: 'subject', createdAt: 'created_at' }) },
    texts,
  );
  return { ...response, body: JSON.stringify(renamedBody) };
});

describe('graph with CONTRACT_OVERLAY', () => {
  const testGraph = useTestGraph({}, undefined, { transport: renamedUpstream, env: { CONTRACT_OVERLAY: file } });
  const { lamp, createQuote } = createQuoting(testGraph);

  it('calls the renamed services, operations, and fields and returns its own names', async () => {
    const { rawId } = await createQuote({ title: 'Roof' });
    const { data } = await testGraph.execute(
      'query ($id: ID!) { quote(id: $id) { title status createdAt lines { priceType product { rawId } } } }',
      { id: rawId },
    );
    expect(data.quote).toEqual({
      title: 'Roof',
      status: 'CONCEPT',
      createdAt: expect.stringMatching(/^\d{4}-/),
      lines: [{ priceType: 'ONCE', product: { rawId: expect.any(String) } }],
    });
    const before = receivedRequests.length;
    const confirmed = await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId: rawId } });
    expect(confirmed.data.quoteConfirm).toMatchObject({ __typename: 'QuoteConfirmPayload', quote: { status: 'CONFIRMED' } });
    expect(receivedRequests.slice(before + 1)).toEqual([
      { path: '/public-api/publicapi.v1.Quotations/AcceptQuotation', body: { quotationId: rawId } },
    ]);
  });

  it('sends the version and the idempotency key in the renamed fields', async () => {
    const { rawId } = await createQuote();
    const before = receivedRequests.length;
    const lines = [{ productId: await lamp(), quantity: 2 }];
    const update = `mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { __typename ... on MutationError { code } } }`;
    const stale = await testGraph.execute(update, { input: { quoteId: rawId, expectedVersion: '9', lines, discounts: [] } });
    expect(stale.data.quoteUpdate).toEqual({ __typename: 'VersionConflictError', code: 'VERSION_CONFLICT' });
    const right = await testGraph.execute(update, { input: { quoteId: rawId, expectedVersion: '1', lines, discounts: [] } });
    expect(right.data.quoteUpdate.__typename).toBe('QuoteUpdatePayload');
    const key = createIdempotencyKey();
    const backorder = {
      destinationLocationId: MAIN,
      lines: [{ productId: await lamp(), quantity: 6 }],
      expectedArrivalAt: '2999-01-01T00:00:00Z',
      idempotencyKey: key,
    };
    const created = await testGraph.execute(
      'mutation ($input: InventoryBackorderCreateInput!) { inventoryBackorderCreate(input: $input) { __typename } }',
      { input: backorder },
    );
    expect(created.data.inventoryBackorderCreate.__typename).toBe('InventoryBackorderCreatePayload');
    const sent = receivedRequests.slice(before).map(({ body }) => body);
    expect(sent.filter(({ revision }) => revision !== undefined).map(({ revision }) => revision)).toEqual(['9', '1']);
    expect(sent.filter(({ requestReference }) => requestReference === key)).toHaveLength(1);
  });

  it('reports issues by input paths, although the upstream’s message uses other names', async () => {
    const { data } = await testGraph.execute(
      `mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { ... on ValidationError { issues { path code message } } ... on NotFoundError { path } } }`,
      { input: { customerId: demoId('customer 1'), title: 'Words', lines: [{ productId: await lamp(), quantity: 0 }] } },
    );
    expect(data.quoteCreate.issues.map(({ path }: { path: string[] }) => path.join('.'))).toEqual(['lines.0.quantity']);
  });

  it('fetches pages of the overridden size and counts them', async () => {
    const [{ data, cost }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ products(first: 30) { nodes { rawId } pageInfo { hasNextPage } } }'),
    );
    expect(data.products.nodes).toHaveLength(30);
    expect(new Set(data.products.nodes.map(({ rawId }: { rawId: string }) => rawId)).size).toBe(30);
    expect(data.products.pageInfo.hasNextPage).toBe(true);
    expect(calls).toEqual(['Catalog/ListProducts', 'Catalog/ListProducts', 'Catalog/ListProducts']);
    expect(cost).toMatchObject({ predictedCalls: 3, actualCalls: 3 });
  });
});

describe('keyField', () => {
  /** Executes a creation, whose first response is lost, in a graph with the overlay. Returns the request bodies and the result. */
  async function executeWithLostResponse(text: string, operation: string, document: string, input: object) {
    const bodies: Record<string, unknown>[] = [];
    const testGraph = await startTestGraph({}, undefined, {
      upstream: { overlay: parseOverlay(text) },
      transport: interceptCalls(async (request, usual) => {
        if (!request.path.endsWith(operation)) return usual(request);
        bodies.push(JSON.parse(request.body) as Record<string, unknown>);
        const { requestReference: _, ...known } = bodies.at(-1) ?? {};
        const response = await usual({ ...request, body: JSON.stringify(known) });
        return bodies.length === 1 ? { status: 503, headers: {}, body: '' } : response;
      }),
    });
    try {
      const { data } = await postQuery(testGraph.app.url, 'demo-owner', document, { input });
      return { bodies, response: Object.values(data as object)[0] as object };
    } finally {
      await testGraph.close();
    }
  }
  const CONTACT = 'mutation ($input: ContactCreateInput!) { contactCreate(input: $input) { __typename ... on MutationError { code } } }';
  const MOVE =
    'mutation ($input: InventoryBackorderCreateInput!) { inventoryBackorderCreate(input: $input) { __typename ... on MutationError { code } } }';

  it('enables retries if it is set for an operation without one', async () => {
    const input = { lastName: 'Key', idempotencyKey: createIdempotencyKey() };
    const { bodies, response } = await executeWithLostResponse(
      'operations: { Contact/CreateContact: { keyField: requestReference } }',
      '/CreateContact',
      CONTACT,
      input,
    );
    expect(bodies.map(({ requestReference }) => requestReference)).toEqual([input.idempotencyKey, input.idempotencyKey]);
    expect(response).toEqual({ __typename: 'ContactCreatePayload' });
  });

  it('disables retries if it is null', async () => {
    const input = {
      destinationLocationId: MAIN,
      lines: [{ productId: demoId('product 1'), quantity: 6 }],
      expectedArrivalAt: '2999-01-01T00:00:00Z',
      idempotencyKey: createIdempotencyKey(),
    };
    const { bodies, response } = await executeWithLostResponse(
      'operations: { Inventory/CreateInventoryBackorder: { keyField: null } }',
      '/CreateInventoryBackorder',
      MOVE,
      input,
    );
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toHaveProperty('idempotencyKey');
    expect(response).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });
});

describe('cover', () => {
  it('disables batched reads if it is null', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => demoId(`product ${index}`));
    const document = `{ ${ids.map((id, index) => `p${index}: product(id: "${id}") { name }`).join(' ')} }`;
    const countCalls = async (overlay: Overlay) => {
      const testGraph = await startTestGraph({}, undefined, { upstream: { overlay } });
      const { data, cost } = await postQuery(testGraph.app.url, 'demo-owner', document);
      await testGraph.close();
      return { data, calls: cost?.actualCalls ?? 0 };
    };
    const withCover = await countCalls(NO_OVERLAY);
    const withoutCover = await countCalls(parseOverlay('operations: { Catalog/GetProduct: { cover: null } }'));
    expect(withoutCover).toEqual({ data: withCover.data, calls: ids.length });
    expect(withCover.calls).toBeLessThan(ids.length / 2);
  });
});

describe('overlay', () => {
  it('can be JSON or empty', () => {
    expect(readOverlay('{"services": {"Quote": "Quotations"}}')).toEqual({ overlay: { ...NO_OVERLAY, services: { Quote: 'Quotations' } } });
    expect(readOverlay('')).toEqual({ overlay: NO_OVERLAY });
  });

  it('passes validation in docs/overlay.md', () => {
    const [, example = ''] = readFileSync('docs/overlay.md', 'utf8').split(/```(?:yaml)?\n/);
    expect(example).toContain('services:');
    expect(parseOverlay(example).fields).toMatchObject({ CreateInventoryBackorderRequest: { idempotencyKey: 'requestReference' } });
  });

  it('fails validation if it is invalid YAML or has aliases', () => {
    expect(readOverlay('services: {')).toEqual({ problems: [expect.stringMatching(/^isn’t valid YAML or JSON: /)] });
    expect(readOverlay('services: &a { Quote: X }\nfields: *a')).toEqual({
      problems: [expect.stringMatching(/^must not contain aliases/)],
    });
  });

  it('fails validation with all of its problems', () => {
    const wrong = `
servces: {}
services: { Quotes: Q, Order: 'a/b' }
operations:
  Quote/AcceptQuote: { name: X }
  Catalog/ListProducts: { page: { maxSize: 0, maxPage: 3 }, keyField: x }
  Catalog/GetProduct: { page: { maxSize: 3 } }
  Contact/CreateContact: { versionField: v, speed: 1 }
  Contact/GetContact: { cover: Catalog/ListProducts }
fields: { QuoteRecord: { titles: t, title: currency }, Nothing: { a: b } }
enums: { PublicQuoteStatus: { prefix: 'a b', words: { CONCEPT: x } } }`;
    const reading = readOverlay(wrong);
    expect('problems' in reading && reading.problems).toEqual([
      'servces isn’t a known section of an overlay. Known names include services, operations, fields, enums, indexes.',
      'services.Quotes isn’t a known service. Known names include Quote.',
      'fields.Nothing isn’t a known message.',
      'services.Order must be a name, but is "a/b".',
      'operations.Quote/AcceptQuote isn’t a known operation.',
      'operations.Catalog/ListProducts.page.maxPage isn’t a known page limit of this list. Known names include defaultSize, maxSize.',
      'operations.Catalog/ListProducts.page.maxSize must be a positive integer, but is 0.',
      'operations.Catalog/ListProducts.keyField can’t be set for a read operation.',
      'operations.Catalog/GetProduct.page applies only to lists that have a page size.',
      'operations.Contact/CreateContact.speed isn’t a known property of an operation. Known names include name, keyField, versionField, page, cover, sortDirection.',
      expect.stringMatching(
        /^operations\.Contact\/CreateContact\.versionField can’t be set, because the operation has no version field in the contract/,
      ),
      'operations.Contact/GetContact.cover must be null or one of Contact/ListContacts, but is "Catalog/ListProducts".',
      'fields.QuoteRecord.titles isn’t a known field. Known names include title.',
      'enums.PublicQuoteStatus.prefix must be a prefix of enum values, such as STATUS_, but is "a b".',
      'enums.PublicQuoteStatus.words.CONCEPT isn’t a known value of PublicQuoteStatus. Known names include PUBLIC_QUOTE_STATUS_CONCEPT.',
      'fields.QuoteRecord maps title and currency to the same wire name, currency. Map each to its own.',
    ]);
  });

  it.each([
    [
      'fields: { QuoteRecord: { title: subject, currency: subject } }',
      'fields.QuoteRecord maps title and currency to the same wire name, subject. Map each to its own.',
    ],
    [
      "fields: { '*': { hasMore: pageSize } }",
      expect.stringMatching(/^fields\.\w+ maps pageSize and hasMore to the same wire name, pageSize\./),
    ],
    [
      'enums: { PublicQuoteStatus: { words: { PUBLIC_QUOTE_STATUS_CONCEPT: DRAFT, PUBLIC_QUOTE_STATUS_CONFIRMED: DRAFT } } }',
      'enums.PublicQuoteStatus maps PUBLIC_QUOTE_STATUS_CONCEPT and PUBLIC_QUOTE_STATUS_CONFIRMED to the same wire value, DRAFT. Map each to its own.',
    ],
    [
      'enums: { PublicQuoteStatus: { prefix: QUOTE_, words: { PUBLIC_QUOTE_STATUS_CONCEPT: QUOTE_CONFIRMED } } }',
      'enums.PublicQuoteStatus maps PUBLIC_QUOTE_STATUS_CONCEPT and PUBLIC_QUOTE_STATUS_CONFIRMED to the same wire value, QUOTE_CONFIRMED. Map each to its own.',
    ],
    [
      'operations: { Quote/ConfirmQuote: { name: DiscardQuote } }',
      expect.stringMatching(
        /^the overlay maps Quote\/ConfirmQuote and Quote\/DiscardQuote to the same path, \S+Quote\/DiscardQuote\. Map each/,
      ),
    ],
    [
      'operations: { Inventory/CreateInventoryBackorder: { keyField: notes, versionField: x } }',
      expect.stringMatching(/^operations\.Inventory\/CreateInventoryBackorder\./),
    ],
    [
      'operations: { Contact/CreateContact: { keyField: email } }',
      'operations.Contact/CreateContact.keyField maps the idempotency key and email of CreateContactRequest to the same wire name, email. Map each to its own.',
    ],
  ])('fails validation if it maps two names to one: %s', (text, problem) => {
    const reading = readOverlay(text);
    expect('problems' in reading && reading.problems[0]).toEqual(problem);
  });

  it('can map two services to one name, because their operations differ', () => {
    expect(parseOverlay('services: { Quote: Sales, Order: Sales }').services).toEqual({ Quote: 'Sales', Order: 'Sales' });
  });

  it('can swap two names', () => {
    const swapped = 'fields: { QuoteRecord: { title: currency, currency: title } }';
    expect(parseOverlay(swapped).fields).toEqual({ QuoteRecord: { title: 'currency', currency: 'title' } });
  });

  it('fails the start together with the problems of other settings', () => {
    expect(() => readConfig({ CONTRACT_OVERLAY: 'no-such.yaml', PORT: 'x' })).toThrow(
      /PORT must be an integer[\s\S]*CONTRACT_OVERLAY must be the path of a readable file, but reading no-such\.yaml failed with ENOENT/,
    );
  });
});
