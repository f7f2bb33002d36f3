import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.ts';
import { NO_OVERLAY, type Overlay, readOverlay } from '../../../src/upstream/contract/overlay.ts';
import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { MAIN, newKey } from '../../sandbox/stock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { CONFIRM_QUOTE, createQuoting } from '../../support/quoting.ts';
import { postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

/** The corrections, as an operator would write them. */
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

function overlayOf(text: string): Overlay {
  const reading = readOverlay(text);
  if ('problems' in reading) throw new Error(reading.problems.join('\n'));
  return reading.overlay;
}

const file = join(mkdtempSync(join(tmpdir(), 'overlay-')), 'overlay.yaml');
writeFileSync(file, OVERLAY);

type Names = Readonly<Record<string, string>>;

/** JSON with other member names and other beginnings of texts, at whatever depth. */
function renamed(value: unknown, members: Names, texts: readonly (readonly [RegExp, string])[]): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, members, texts));
  if (typeof value === 'string') return texts.reduce((text, [from, to]) => text.replace(from, to), value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [members[name] ?? name, renamed(each, members, texts)]));
}

const refused = (status: number, message: string): UpstreamResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ code: 'invalid_argument', message }),
});

/** Requests as they came, before they were renamed for the sandbox. */
const arrived: { readonly path: string; readonly body: Record<string, unknown> }[] = [];

/** The sandbox behind an upstream of other names. It knows no name of the contract where it has its own. */
const renamedUpstream = interceptCalls(async (request: UpstreamRequest, usual) => {
  const body = JSON.parse(request.body) as Record<string, unknown>;
  const { path } = request;
  arrived.push({ path, body });
  if (path.includes('.Quote/') || path.endsWith('/ConfirmQuote')) return refused(404, `there is no ${path}`);
  if (path.endsWith('/ListProducts') && Number(body.pageSize) > 10) return refused(400, 'pageSize must be at most 10');
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
  const sent = renamed(body, members, [[/^(UNSPECIFIED|ONCE|MONTHLY|YEARLY)$/, 'PUBLIC_PRICE_TYPE_$1']]);
  const answer = await usual({
    ...request,
    path: path.replace('.Quotations/', '.Quote/').replace('/AcceptQuotation', '/ConfirmQuote'),
    body: JSON.stringify(sent),
  });
  const isOfQuotes = path.includes('.Quotations/');
  const texts = [
    [/^PUBLIC_QUOTE_STATUS_CONCEPT$/, 'DRAFT'],
    [/^PUBLIC_QUOTE_STATUS_/, 'QUOTATION_STATE_'],
    [/^PUBLIC_PRICE_TYPE_/, ''],
    [/(?<=line_items\[\d\]\.)quantity/, 'count'],
  ] as const;
  const answered = renamed(
    JSON.parse(answer.body),
    { hasMore: 'more', ...(isOfQuotes && { title: 'subject', createdAt: 'created_at' }) },
    texts,
  );
  return { ...answer, body: JSON.stringify(answered) };
});

describe('a graph over an upstream that is named otherwise', () => {
  const testGraph = useTestGraph({}, undefined, { transport: renamedUpstream, env: { CONTRACT_OVERLAY: file } });
  const { lamp, createQuote } = createQuoting(testGraph);

  it('calls services, operations and fields by their names there, and answers by its own', async () => {
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
    const before = arrived.length;
    const confirmed = await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId: rawId } });
    expect(confirmed.data.quoteConfirm).toMatchObject({ __typename: 'QuoteConfirmPayload', quote: { status: 'CONFIRMED' } });
    expect(arrived.slice(before + 1)).toEqual([
      { path: '/public-api/publicapi.v1.Quotations/AcceptQuotation', body: { quotationId: rawId } },
    ]);
  });

  it('sends the version and the key in the fields that hold them there', async () => {
    const { rawId } = await createQuote();
    const before = arrived.length;
    const lines = [{ productId: await lamp(), quantity: 2 }];
    const update = `mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { __typename ... on MutationError { code } } }`;
    const stale = await testGraph.execute(update, { input: { quoteId: rawId, expectedVersion: '9', lines, discounts: [] } });
    expect(stale.data.quoteUpdate).toEqual({ __typename: 'VersionConflictError', code: 'VERSION_CONFLICT' });
    const right = await testGraph.execute(update, { input: { quoteId: rawId, expectedVersion: '1', lines, discounts: [] } });
    expect(right.data.quoteUpdate.__typename).toBe('QuoteUpdatePayload');
    const key = newKey();
    const backorder = {
      destinationLocationId: MAIN,
      lines: [{ productId: await lamp(), quantity: 6 }],
      expectedArrivalAt: '2999-01-01T00:00:00Z',
      idempotencyKey: key,
    };
    const made = await testGraph.execute(
      'mutation ($input: InventoryBackorderCreateInput!) { inventoryBackorderCreate(input: $input) { __typename } }',
      { input: backorder },
    );
    expect(made.data.inventoryBackorderCreate.__typename).toBe('InventoryBackorderCreatePayload');
    const sent = arrived.slice(before).map(({ body }) => body);
    expect(sent.filter(({ revision }) => revision !== undefined).map(({ revision }) => revision)).toEqual(['9', '1']);
    expect(sent.filter(({ requestReference }) => requestReference === key)).toHaveLength(1);
  });

  it('tells problems by the paths of the input, whatever names the upstream has in its words', async () => {
    const { data } = await testGraph.execute(
      `mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { ... on ValidationError { issues { path code message } } ... on NotFoundError { path } } }`,
      { input: { customerId: demoId('customer 1'), title: 'Words', lines: [{ productId: await lamp(), quantity: 0 }] } },
    );
    expect(data.quoteCreate.issues.map(({ path }: { path: string[] }) => path.join('.'))).toEqual(['lines.0.quantity']);
  });

  it('asks for pages of the size that the upstream takes, and counts them', async () => {
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

describe('the field of the idempotency key', () => {
  /** Creates a contact, or a backorder, of which the first answer is lost, in a graph with this overlay. Answers the calls and the effect. */
  async function withLostAnswer(text: string, operation: string, document: string, input: object) {
    const bodies: Record<string, unknown>[] = [];
    const testGraph = await startTestGraph({}, undefined, {
      upstream: { overlay: overlayOf(text) },
      transport: interceptCalls(async (request, usual) => {
        if (!request.path.endsWith(operation)) return usual(request);
        bodies.push(JSON.parse(request.body) as Record<string, unknown>);
        const { requestReference: _, ...known } = bodies.at(-1) ?? {};
        const answer = await usual({ ...request, body: JSON.stringify(known) });
        return bodies.length === 1 ? { status: 503, headers: {}, body: '' } : answer;
      }),
    });
    try {
      const { data } = await postQuery(testGraph.app.url, 'demo-owner', document, { input });
      return { bodies, answer: Object.values(data as object)[0] as object };
    } finally {
      await testGraph.close();
    }
  }
  const CONTACT = 'mutation ($input: ContactCreateInput!) { contactCreate(input: $input) { __typename ... on MutationError { code } } }';
  const MOVE =
    'mutation ($input: InventoryBackorderCreateInput!) { inventoryBackorderCreate(input: $input) { __typename ... on MutationError { code } } }';

  it('can be given to an operation that has none: then a repeat is sent, since the upstream knows it', async () => {
    const input = { lastName: 'Key', idempotencyKey: newKey() };
    const { bodies, answer } = await withLostAnswer(
      'operations: { Contact/CreateContact: { keyField: requestReference } }',
      '/CreateContact',
      CONTACT,
      input,
    );
    expect(bodies.map(({ requestReference }) => requestReference)).toEqual([input.idempotencyKey, input.idempotencyKey]);
    expect(answer).toEqual({ __typename: 'ContactCreatePayload' });
  });

  it('can be taken away: then nothing is sent twice', async () => {
    const input = {
      destinationLocationId: MAIN,
      lines: [{ productId: demoId('product 1'), quantity: 6 }],
      expectedArrivalAt: '2999-01-01T00:00:00Z',
      idempotencyKey: newKey(),
    };
    const { bodies, answer } = await withLostAnswer(
      'operations: { Inventory/CreateInventoryBackorder: { keyField: null } }',
      '/CreateInventoryBackorder',
      MOVE,
      input,
    );
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toHaveProperty('idempotencyKey');
    expect(answer).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });
});

describe('the list that covers a get', () => {
  it('can be taken away: then every record is asked for by its id', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => demoId(`product ${index}`));
    const document = `{ ${ids.map((id, index) => `p${index}: product(id: "${id}") { name }`).join(' ')} }`;
    const callsOf = async (overlay: Overlay) => {
      const testGraph = await startTestGraph({}, undefined, { upstream: { overlay } });
      const { data, cost } = await postQuery(testGraph.app.url, 'demo-owner', document);
      await testGraph.close();
      return { data, calls: cost?.actualCalls ?? 0 };
    };
    const covered = await callsOf(NO_OVERLAY);
    const alone = await callsOf(overlayOf('operations: { Catalog/GetProduct: { cover: null } }'));
    expect(alone).toEqual({ data: covered.data, calls: ids.length });
    expect(covered.calls).toBeLessThan(ids.length / 2);
  });
});

describe('an overlay', () => {
  it('may be JSON, and may be empty', () => {
    expect(readOverlay('{"services": {"Quote": "Quotations"}}')).toEqual({ overlay: { ...NO_OVERLAY, services: { Quote: 'Quotations' } } });
    expect(readOverlay('')).toEqual({ overlay: NO_OVERLAY });
  });

  it('of the docs is one', () => {
    const [, example = ''] = readFileSync('docs/overlay.md', 'utf8').split(/```(?:yaml)?\n/);
    expect(example).toContain('services:');
    expect(overlayOf(example).fields).toMatchObject({ CreateInventoryBackorderRequest: { idempotencyKey: 'requestReference' } });
  });

  it('is refused when it is no YAML, or has aliases', () => {
    expect(readOverlay('services: {')).toEqual({ problems: [expect.stringMatching(/^isn’t valid YAML or JSON: /)] });
    expect(readOverlay('services: &a { Quote: X }\nfields: *a')).toEqual({
      problems: [expect.stringMatching(/^must not contain aliases/)],
    });
  });

  it('is refused with all that is wrong with it', () => {
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
      'servces isn’t a known section of an overlay. Known names include services, operations, fields, enums.',
      'services.Quotes isn’t a known service. Known names include Quote.',
      'fields.Nothing isn’t a known message.',
      'services.Order must be a name, but is "a/b".',
      'operations.Quote/AcceptQuote isn’t a known operation.',
      'operations.Catalog/ListProducts.page.maxPage isn’t a known page limit of this list. Known names include defaultSize, maxSize.',
      'operations.Catalog/ListProducts.page.maxSize must be a positive integer, but is 0.',
      'operations.Catalog/ListProducts.keyField can’t be set for a read operation.',
      'operations.Catalog/GetProduct.page applies only to lists that have a page size.',
      'operations.Contact/CreateContact.speed isn’t a known property of an operation. Known names include name, keyField, versionField, page, cover.',
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
  ])('is rejected if it maps two names to one: %s', (text, problem) => {
    const reading = readOverlay(text);
    expect('problems' in reading && reading.problems[0]).toEqual(problem);
  });

  it('can map two services to one name, because their operations differ', () => {
    expect(overlayOf('services: { Quote: Sales, Order: Sales }').services).toEqual({ Quote: 'Sales', Order: 'Sales' });
  });

  it('can swap two names', () => {
    const swapped = 'fields: { QuoteRecord: { title: currency, currency: title } }';
    expect(overlayOf(swapped).fields).toEqual({ QuoteRecord: { title: 'currency', currency: 'title' } });
  });

  it('ends the start with the problems of all other settings', () => {
    expect(() => readConfig({ CONTRACT_OVERLAY: 'no-such.yaml', PORT: 'x' })).toThrow(
      /PORT must be an integer[\s\S]*CONTRACT_OVERLAY must be the path of a readable file, but reading no-such\.yaml failed with ENOENT/,
    );
  });
});
