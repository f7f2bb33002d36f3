import { describe, expect, it } from 'vitest';
import { bindInput } from '../../../src/resolvers/kit/bindInput.ts';
import { declareFilter } from '../../../src/resolvers/kit/filters.ts';
import { list } from '../../../src/resolvers/kit/lists.ts';
import { PriceType, Product } from '../../../src/schema/catalog/catalog.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { type Binder, createBinder, defineInput, type ShapeOf } from '../../../src/schema/kit/inputs.ts';
import { withLimits } from '../../../src/schema/kit/limits.ts';
import { Order } from '../../../src/schema/sales/orders.ts';
import { Quote, QuoteStatus } from '../../../src/schema/sales/quotes.ts';
import * as messages from '../../../src/upstream/contract/generated/messages.ts';
import {
  CreateOrderReservation,
  CreateQuote,
  ListInventoryMovements,
  ListQuotes,
  MoveInventory,
} from '../../../src/upstream/contract/generated/operations.ts';

const PLAIN = { on: undefined, isPatch: false, names: {}, isCompleted: false } as const;

/** Only compiled, never executed: each line after an expected error must not compile. */
function mustNotCompile(f: Binder<typeof messages.CreateQuoteRequest>) {
  // @ts-expect-error: the request has no such field.
  f.custmerId('The customer.');
  const Discount = defineInput(messages.QuoteDiscountInput, 'A discount.', (d) => ({ discountId: d.discountId('It.') }), 'Other');
  // @ts-expect-error: an input of another message.
  f.lineItems('The lines.', Discount);
  // @ts-expect-error: a field of messages needs an input type.
  f.lineItems('The lines.');
  // @ts-expect-error: every field has a description.
  f.title();
  const members = { title: f.title('The title.'), customerId: f.customerId('The customer.') };
  const whole: ShapeOf<typeof members> = { customerId: 'c', title: null };
  // @ts-expect-error: fields that the contract requires can't be omitted.
  const incomplete: ShapeOf<typeof members> = { title: 'A title' };
  return [whole, incomplete];
}

/** The same for lists. */
function listsThatMustNotCompile(f: Binder<typeof messages.ListQuotesRequest>) {
  // @ts-expect-error: the request has no such field.
  f.state('Only those in this state.', QuoteStatus);
  // @ts-expect-error: an enum field needs an enum type.
  f.status('Only those in this state.');
  const options = { description: 'Quotes.', request: () => ({ customerId: 'c' }) };
  // @ts-expect-error: the operation doesn't return orders.
  list(ListQuotes, { ...options, node: Order });
  // @ts-expect-error: the request has no such field.
  return list(ListQuotes, { ...options, node: Quote, request: () => ({ orderId: 'o' }) });
}

describe('input bound to a request', () => {
  it('doesn’t compile with unknown fields of the request', () => {
    // The compiler is the test: `npm run check:types` fails if an expected error is missing.
    expect(mustNotCompile).toBeTypeOf('function');
  });

  it('requires every field that the request requires', () => {
    expect(() => bindInput(CreateQuote, (f) => ({ title: f.title('The title.') }), PLAIN)).toThrow(
      'Quote/CreateQuote requires customerId and lineItems.',
    );
  });

  it('requires exactly one field for the changed record', () => {
    expect(() => bindInput(CreateQuote, undefined, { ...PLAIN, on: { name: 'Quote', key: ['id'], createStub: (id) => ({ id }) } })).toThrow(
      'Quote/CreateQuote must have exactly one field with a Quote ID, but has 0.',
    );
  });

  it('accepts only the matching type for an enum', () => {
    const { kind } = createBinder(messages.CreateInventoryLocationRequest);
    expect(() => kind('The kind.', PriceType)).toThrow('PriceType represents PublicPriceType, not PublicInventoryLocationKind.');
  });

  it('sends the proto3 default for a missing field, and nothing for an optional one', () => {
    const input = bindInput(
      CreateOrderReservation,
      (f) => ({ orderId: f.orderId('The order.'), pieces: f.quantity('Pieces.', { as: 'Int' }) }),
      {
        ...PLAIN,
        isCompleted: true,
      },
    );
    expect(input.toRequest({ orderId: 'o', pieces: 3 })).toEqual({ orderId: 'o', quantity: '3' });
    const move = bindInput(MoveInventory, (f) => ({ text: f.notes('Notes.') }), { ...PLAIN, isCompleted: true });
    expect(move.toRequest({})).toEqual({ notes: '' });
  });

  it('reports problems with the names of the input, including lists', () => {
    const Line = defineInput(
      messages.MoveInventoryLineInput,
      'A line.',
      (f) => ({ pieces: f.quantity('Pieces.', { as: 'Int' }) }),
      'LineOfTest',
    );
    const input = bindInput(MoveInventory, (f) => ({ items: f.lines('Lines.', Line) }), { ...PLAIN, isCompleted: true });
    expect(input.toInputPath(['lines', '2', 'quantity'])).toEqual(['items', '2', 'pieces']);
    expect(input.toInputPath(['lines'])).toEqual(['items']);
    expect(input.toInputPath(['unheard', 'of'])).toEqual(['unheard', 'of']);
  });
});

describe('list bound to a request', () => {
  const quotes = { description: 'Quotes.', node: Quote };

  it('doesn’t compile with unknown fields of the request', () => {
    expect(listsThatMustNotCompile).toBeTypeOf('function');
  });

  it('requires every field that the request requires', () => {
    expect(() => list(ListQuotes, quotes)).toThrow('Quote/ListQuotes requires customerId.');
  });

  it('requires exactly one field for its parent', () => {
    expect(() => list(ListQuotes, { ...quotes, on: Product })).toThrow(
      'Quote/ListQuotes must have exactly one field with a Product ID, but has 0.',
    );
  });
});

describe('filter bound to a request', () => {
  const filter = declareFilter(ListInventoryMovements, { name: 'MovementOfTest' }, (f) => ({
    product: f.productId('Only of this product.'),
    batch: f.operationId('Only of this batch.', { as: 'ID' }),
  }));

  it('sends raw IDs with the names of the request, and proto3 defaults for missing fields', () => {
    expect(filter.toRequest({ product: toGlobalId('Product', 'p') })).toEqual({ productId: 'p', operationId: '' });
    expect(filter.toRequest({ product: null, batch: 'b' })).toEqual({ productId: '', operationId: 'b' });
  });

  it('rejects IDs of other types and blank text, with the names of the graph', () => {
    expect(() => filter.toRequest({ product: toGlobalId('Order', 'o') })).toThrow(/^filter.product must be a Product ID/);
    expect(() => filter.toRequest({ batch: ' ' })).toThrow('filter.batch must not be blank. Omit it to list everything.');
  });

  it('reports problems with the names of the graph', () => {
    expect(filter.toArgumentPath(['operationId'])).toEqual(['filter', 'batch']);
    expect(filter.toArgumentPath(['query'])).toEqual(['query']);
  });
});

describe('withLimits', () => {
  const { title, lineItems } = messages.CreateQuoteRequest.fields;
  const { quantity } = messages.QuoteLineInput.fields;

  it.each([
    ['Title of the quote. Can’t be changed later.', title, 'Title of the quote. Can’t be changed later. Up to 200 characters.'],
    ['Lines of the quote.', lineItems, 'Lines of the quote. 1–100 items.'],
    ['Number of units.', quantity, 'Number of units. At least 1.'],
  ])('appends the limits to "%s"', (description, field, expected) => {
    expect(withLimits(description, field)).toBe(expected);
  });
});
