import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  PublicQuoteStatus,
  Quote,
  QuoteDiscountRecordSchema,
  type QuoteLineInput,
  QuoteLineRecordSchema,
  QuoteRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { findCountryPrice, getProduct } from '../catalog/catalog.ts';
import { getDiscount } from '../catalog/discounts.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument, versionConflict } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import type { TimelineEntry } from '../kernel/timeline.ts';
import type { World } from '../kernel/world.ts';
import { getWorkspace } from '../workspace/workspace.ts';
import { createOrderEvent, placeOrder, toOrder } from './orders.ts';
import { getOrder } from './orderTables.ts';
import { type Pricing, priceLine, priceQuote } from './pricing.ts';

export const quoteTable = table('quotes', QuoteRecordSchema, {
  also: { workspace_id: 'TEXT' },
  indexes: {
    quotes_by_age: 'workspace_id, created_at, id',
    quotes_by_update: 'workspace_id, updated_at',
    quotes_by_customer: 'workspace_id, customer_id, created_at',
  },
});
const quoteLineTable = table('quote_lines', QuoteLineRecordSchema, {
  also: { quote_id: 'TEXT', position: 'INTEGER' },
  references: { quote_id: quoteTable },
  indexes: { quote_lines_by_quote: 'quote_id, position' },
});
const quoteDiscountTable = table('quote_discounts', QuoteDiscountRecordSchema, {
  also: { quote_id: 'TEXT', position: 'INTEGER' },
  key: ['quote_id', 'discount_id'],
  references: { quote_id: quoteTable },
});

/** A quote without its lines and discounts. `order_id` is empty until it's confirmed. */
export type QuoteRow = RowOf<typeof quoteTable>;

const toQuote = ({ store }: CallContext, row: QuoteRow): MessageInitShape<typeof QuoteRecordSchema> => ({
  ...quoteTable.read(row),
  lineItems: quoteLineTable.list(store, { quote_id: row.id }, 'position').map(quoteLineTable.read),
  discounts: quoteDiscountTable.list(store, { quote_id: row.id }, 'position').map(quoteDiscountTable.read),
});

const getQuote = (call: CallContext, id: string): QuoteRow => quoteTable.getOrThrow(call, id, 'quote');

interface Contents {
  readonly lineItems: readonly QuoteLineInput[];
  readonly discounts: readonly { readonly discountId: string }[];
}

/** Prices the requested lines and discounts in a country. Throws if they're invalid. */
function priceContents(call: CallContext, { lineItems, discounts }: Contents, country: string): Pricing {
  const ids = discounts.map(({ discountId }) => discountId);
  if (new Set(ids).size < ids.length) throw invalidArgument('Each discount must be listed at most once, but one is listed twice.');
  const lines = lineItems.map((item) =>
    priceLine(getProduct(call, item.productId), findCountryPrice(call.store, item.productId, country), item),
  );
  return priceQuote(
    lines,
    ids.map((id) => getDiscount(call, id)),
    country,
  );
}

/** Columns of a quote that depend on its lines and discounts. */
const createPricedColumns = ({ currency, totals }: Pricing) => ({
  currency,
  total_once_minor: totals.once,
  total_monthly_minor: totals.monthly,
  total_yearly_minor: totals.yearly,
});

function writeContents(world: World, quoteId: string, { lines, discounts }: Pricing): void {
  for (const [position, line] of lines.entries()) {
    quoteLineTable.insert(world.store, {
      id: world.id(),
      quote_id: quoteId,
      position,
      product_id: line.productId,
      product_name: line.productName,
      quantity: line.quantity,
      price_type: line.priceType,
      unit_price_minor: line.unitPriceMinor,
      vat_rate: line.vatRate,
      total_minor: line.totalMinor,
    });
  }
  for (const [position, { discountId, name, amounts }] of discounts.entries()) {
    quoteDiscountTable.insert(world.store, {
      quote_id: quoteId,
      discount_id: discountId,
      position,
      name,
      amount_once_minor: amounts.once,
      amount_monthly_minor: amounts.monthly,
      amount_yearly_minor: amounts.yearly,
    });
  }
}

interface NewQuote {
  readonly id: string;
  readonly workspaceId: string;
  readonly customerId: string;
  readonly title: string;
  readonly country: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Creates a draft quote with its lines and discounts. Returns its number. */
export function insertDraft(world: World, quote: NewQuote, pricing: Pricing): string {
  const reference = `Q-${String(world.next(`quote ${quote.workspaceId}`)).padStart(5, '0')}`;
  quoteTable.insert(world.store, {
    id: quote.id,
    workspace_id: quote.workspaceId,
    customer_id: quote.customerId,
    status: PublicQuoteStatus.CONCEPT,
    version: 1,
    title: quote.title,
    reference_number: reference,
    pricing_country: quote.country,
    ...createPricedColumns(pricing),
    order_id: '',
    created_at: quote.at,
    updated_at: quote.at,
  });
  writeContents(world, quote.id, pricing);
  return reference;
}

/** Moves a draft to another status, and increments its version. `orderId` is the ID of its order, if it gets one. */
export function setQuoteStatus(
  world: World,
  id: string,
  end: { readonly status: PublicQuoteStatus; readonly orderId?: string; readonly at: number },
): void {
  world.store.run('UPDATE quotes SET status = :status, version = version + 1, order_id = :orderId, updated_at = :at WHERE id = :id', {
    id,
    status: end.status,
    orderId: end.orderId ?? '',
    at: end.at,
  });
}

/** A timeline event of a quote. Chosen: the quote's ID is the transaction ID of its events and of those of its order. */
export const createQuoteEvent = (
  quote: { readonly id: string; readonly reference: string },
  what: 'created' | 'updated' | 'confirmed' | 'discarded',
): TimelineEntry => ({
  eventType: `quote_${what}`,
  entityType: 'quote',
  entityId: quote.id,
  summary: `Quote ${quote.reference} was ${what}.`,
  audience: 'orders',
  transactionId: quote.id,
});

const recordEvent = (call: CallContext, { id, customer_id, reference_number }: QuoteRow, what: Parameters<typeof createQuoteEvent>[1]) =>
  call.timeline(customer_id, createQuoteEvent({ id, reference: reference_number }, what));

function confirm(call: CallContext, quote: QuoteRow): void {
  const orderId = call.id();
  const reference = placeOrder(call.world, quote, orderId, call.now);
  setQuoteStatus(call.world, quote.id, { status: PublicQuoteStatus.CONFIRMED, orderId, at: call.now });
  recordEvent(call, quote, 'confirmed');
  call.timeline(quote.customer_id, createOrderEvent({ id: orderId, quoteId: quote.id, reference }, 'created'));
}

export const quotes = domain(Quote, {
  tables: [quoteTable, quoteLineTable, quoteDiscountTable],
  handlers: {
    createQuote: {
      permission: 'billingAccess:READ_WRITE',
      run: (request, call) => {
        getCustomer(call, request.customerId);
        const country = request.pricingCountry || getWorkspace(call).country_code;
        const pricing = priceContents(call, request, country);
        const id = call.id();
        insertDraft(
          call.world,
          { id, workspaceId: call.workspaceId, customerId: request.customerId, title: request.title, country, at: call.now },
          pricing,
        );
        const quote = getQuote(call, id);
        recordEvent(call, quote, 'created');
        return { quote: toQuote(call, quote) };
      },
    },

    getQuote: {
      permission: 'billingAccess:READ_ONLY',
      run: ({ id }, call) => ({ quote: toQuote(call, getQuote(call, id)) }),
    },

    listQuotes: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => {
        getCustomer(call, request.customerId);
        const filters = { customer_id: request.customerId, status: request.status };
        const { rows, ...page } = quoteTable.page(call, request, filters);
        return { quotes: rows.map((row) => toQuote(call, row)), ...page };
      },
    },

    updateQuote: {
      permission: 'billingAccess:READ_WRITE',
      run: (request, call) => {
        const quote = getQuote(call, request.id);
        if (request.expectedVersion !== BigInt(quote.version)) throw versionConflict(request.expectedVersion, quote.version);
        if (quote.status !== PublicQuoteStatus.CONCEPT)
          throw failedPrecondition(
            `Only draft quotes can be updated, but ${quote.reference_number} is ${quote.status === PublicQuoteStatus.CONFIRMED ? 'confirmed' : 'discarded'}.`,
          );
        const pricing = priceContents(call, request, quote.pricing_country);
        call.store.run('DELETE FROM quote_lines WHERE quote_id = :id', { id: quote.id });
        call.store.run('DELETE FROM quote_discounts WHERE quote_id = :id', { id: quote.id });
        quoteTable.update(call.store, quote.id, { ...createPricedColumns(pricing), version: quote.version + 1, updated_at: call.now });
        writeContents(call.world, quote.id, pricing);
        recordEvent(call, quote, 'updated');
        return { quote: toQuote(call, getQuote(call, quote.id)) };
      },
    },

    discardQuote: {
      permission: 'billingAccess:READ_WRITE',
      run: ({ id }, call) => {
        const quote = getQuote(call, id);
        if (quote.status === PublicQuoteStatus.CONFIRMED)
          throw failedPrecondition(`${quote.reference_number} is confirmed and can’t be discarded.`);
        if (quote.status === PublicQuoteStatus.CONCEPT) {
          setQuoteStatus(call.world, id, { status: PublicQuoteStatus.DISCARDED, at: call.now });
          recordEvent(call, quote, 'discarded');
        }
        return { quote: toQuote(call, getQuote(call, id)) };
      },
    },

    confirmQuote: {
      permission: 'billingAccess:READ_WRITE',
      run: ({ id }, call) => {
        const quote = getQuote(call, id);
        if (quote.status === PublicQuoteStatus.DISCARDED)
          throw failedPrecondition(`${quote.reference_number} is discarded and can’t be confirmed.`);
        if (quote.status === PublicQuoteStatus.CONCEPT) confirm(call, quote);
        const confirmed = getQuote(call, id);
        return { quote: toQuote(call, confirmed), order: toOrder(call, getOrder(call, confirmed.order_id)) };
      },
    },
  },
});
