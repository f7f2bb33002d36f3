import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../sandbox/index.ts';
import { spec } from '../../support/spec.ts';
import { createRequestFor } from '../requestFor.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call } = opened;

/** Sends a body byte for byte. */
async function send(operation: string, body: string | Uint8Array<ArrayBuffer>, contentType = 'application/json') {
  const response = await opened.fetch(`/public-api/publicapi.v1.${operation}`, {
    method: 'POST',
    headers: { 'content-type': contentType, authorization: 'Bearer demo-owner' },
    body,
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const createExpectedError = (...parts: readonly string[]) => ({
  status: 400,
  body: {
    code: 'invalid_argument',
    message: expect.stringMatching(new RegExp(parts.map((part) => part.replace(/[[\](){}.*+?^$|\\]/g, '\\$&')).join('.*'), 's')),
  },
});

const CUSTOMER = demoId('customer 0');
const line = (priceType: unknown) => ({ productId: demoId('product 0'), quantity: 1, priceType });
const createQuoteRequest = (priceType: unknown) => ({ customerId: CUSTOMER, lineItems: [line('PUBLIC_PRICE_TYPE_ONCE'), line(priceType)] });
const quotes = () => opened.sandbox.world.store.get<{ count: number }>('SELECT count(*) AS count FROM quotes')?.count;

/** All enum fields of requests, with their paths. */
const enumFields = endpoints.flatMap(({ name, method }) =>
  method.input.fields.flatMap((field) => [
    ...(field.enum ? [[name, field.jsonName, undefined] as const] : []),
    ...(field.message?.typeName.startsWith('publicapi.') ? field.message.fields : [])
      .filter((inner) => inner.enum)
      .map((inner) => [name, field.jsonName, inner.jsonName] as const),
  ]),
);

/** Replaces a field of a message, or of the message in a list. */
const withMember = (value: object, name: string, other: unknown) =>
  Array.isArray(value) ? [{ ...value[0], [name]: other }] : { ...value, [name]: other };

describe('unknown enum value', () => {
  it('causes an error in a filter, with the field, the value, and the known values', spec('1.13'), async () => {
    const response = await call('Quote/ListQuotes', { customerId: CUSTOMER, status: 'CONCEPT' });
    expect(response).toMatchObject(
      createExpectedError(
        'status',
        'PUBLIC_QUOTE_STATUS_CONCEPT, PUBLIC_QUOTE_STATUS_CONFIRMED, PUBLIC_QUOTE_STATUS_DISCARDED',
        '"CONCEPT"',
      ),
    );
  });

  it('causes an error in a list of messages, with its path, and creates nothing', async () => {
    const before = quotes();
    const response = await call('Quote/CreateQuote', createQuoteRequest('MONTHLY'));
    expect(response).toMatchObject(createExpectedError('line_items[1].price_type', 'PUBLIC_PRICE_TYPE_MONTHLY', '"MONTHLY"'));
    expect(quotes()).toBe(before);
  });

  it.each(enumFields)(
    'causes an error from %s in %s (%s), and so does an unknown number',
    spec('1.13'),
    async (operation, outer, inner) => {
      const endpoint = endpoints.find(({ name }) => name === operation);
      if (!endpoint) throw new Error(operation);
      for (const wrong of ['NO_SUCH_WORD', 'unspecified', ' ', '1', 99, -1]) {
        const request = createRequestFor(opened.sandbox.world, endpoint);
        const value = inner === undefined ? wrong : withMember(request[outer] as object, inner, wrong);
        const { status, body } = await call(operation, { ...request, [outer]: value });
        expect({ status, code: body.code, wrong }).toEqual({ status: 400, code: 'invalid_argument', wrong });
        expect(body.message).toContain(JSON.stringify(wrong));
      }
    },
  );

  it.each(['', null, 0, 'PUBLIC_QUOTE_STATUS_UNSPECIFIED'])('can be %j, which doesn’t filter, like an absent field', async (status) => {
    const all = await call('Quote/ListQuotes', { customerId: CUSTOMER });
    expect(await call('Quote/ListQuotes', { customerId: CUSTOMER, status })).toMatchObject({ status: 200, body: all.body });
    expect((await call('Quote/ListQuotes', { customerId: CUSTOMER, status: 'PUBLIC_QUOTE_STATUS_CONCEPT' })).body).not.toEqual(all.body);
  });

  it('has no effect in an unknown field, and neither do numbers and texts', async () => {
    const body = `{"customerId":"${CUSTOMER}","unheardOf":{"priceType":"X","n":9007199254740993,"text":"\\u0000"}}`;
    expect((await send('Quote/ListQuotes', body)).status).toBe(200);
  });
});

describe('number in another notation', () => {
  const productId = demoId('product 1');
  const printMoveRequest = (quantity: string) =>
    `{"destinationLocationId":"${demoId('location 1')}","idempotencyKey":"k","lines":[{"productId":"${productId}","sourceLocationId":"${demoId('location 0')}","quantity":${quantity}}]}`;

  it.each(['"0x10"', '" 5"', '"5 "', '"+5"', '"1e3"', '""', '"5.0"', '"٥"', '1.5', 'true'])(
    'causes an error as a 64-bit integer: %s',
    async (quantity) => {
      expect(await send('Inventory/MoveInventory', printMoveRequest(quantity))).toMatchObject(createExpectedError('lines[0].quantity'));
    },
  );

  it.each(['"0x10"', '" 5"', '"+5"', '"1e1"', '""', '"5.0"', '1.5'])('causes an error as a 32-bit integer: %s', async (quantity) => {
    const body = `{"customerId":"${CUSTOMER}","lineItems":[{"productId":"${productId}","quantity":${quantity}}]}`;
    expect(await send('Quote/CreateQuote', body)).toMatchObject(createExpectedError('line_items[0].quantity'));
  });

  it.each(['"0x1"', '" 0.2"', '""', '"NaN"', '"Infinity"'])('causes an error as a decimal: %s', async (vatRate) => {
    expect(await send('Catalog/CreateProduct', `{"name":"Fraction","vatRate":${vatRate}}`)).toMatchObject(createExpectedError('vat_rate'));
  });

  it('causes an error if a JSON number can’t hold its digits, but works as a string', async () => {
    expect(await send('Inventory/MoveInventory', printMoveRequest('9007199254740993'))).toMatchObject(
      createExpectedError('lines[0].quantity', 'a string, to preserve all digits'),
    );
    const fields = (value: string) => `{"customerId":"${CUSTOMER}","fields":{"Notes":${value}}}`;
    for (const value of ['12345678901234567890', '[{"deep":12345678901234567890}]']) {
      expect(await send('Customer/PatchCustomerDataFields', fields(value))).toMatchObject(
        createExpectedError('fields["Notes"]', 'a string, to preserve all digits'),
      );
    }
    const { body } = await send('Customer/PatchCustomerDataFields', fields('"12345678901234567890"'));
    expect(body.customer.customFields.Notes).toBe('12345678901234567890');
  });

  it('works as a string or a number if it’s an integer', async () => {
    for (const pageSize of ['2', '"2"', '2.0', '"02"']) {
      const { body } = await send('Contact/ListContacts', `{"pageSize":${pageSize}}`);
      expect(body.contacts).toHaveLength(2);
    }
  });
});

describe('text that can’t be stored unchanged', () => {
  const NUL = '\\u0000';
  const LONE = '\\ud800';

  it.each([
    ['Contact/CreateContact', 'last_name', `{"lastName":"a${NUL}b"}`],
    ['Contact/CreateContact', 'last_name', `{"lastName":"a${LONE}b"}`],
    ['Contact/ListContacts', 'query', `{"query":"a${NUL}"}`],
    ['Customer/CreateCustomer', 'custom_fields', `{"title":"T","customFields":{"Notes":"a${NUL}"}}`],
    ['Customer/CreateCustomer', 'custom_fields', `{"title":"T","customFields":{"a${NUL}":"x"}}`],
    ['Customer/CreateCustomer', 'custom_fields', `{"title":"T","customFields":{"a${LONE}":"x"}}`],
    ['Customer/PatchCustomerDataFields', 'fields', `{"customerId":"${CUSTOMER}","fields":{"Notes":"a${LONE}"}}`],
    ['Customer/PatchCustomerDataFields', 'fields', `{"customerId":"${CUSTOMER}","fields":{"a${NUL}":1}}`],
    ['Customer/PatchCustomerDataFields', 'fields', `{"customerId":"${CUSTOMER}","fields":{"Own":{"a":["${LONE}"]}}}`],
    ['Customer/PatchCustomerDataFields', 'fields', `{"customerId":"${CUSTOMER}","fields":{"Own":{"${LONE}":1}}}`],
    ['Customer/CreateCustomerComment', 'attachments[1]', `{"customerId":"${CUSTOMER}","body":"x","attachments":["a","${NUL}"]}`],
  ])('causes an error from %s in %s: %s', async (operation, field, body) => {
    expect(await send(operation, body)).toMatchObject(createExpectedError(field));
  });

  it('causes an error if it isn’t UTF-8, or declares another charset', async () => {
    const bytes = Uint8Array.from([...Buffer.from('{"lastName":"'), 0xe9, ...Buffer.from('"}')]);
    expect(await send('Contact/CreateContact', bytes)).toMatchObject(createExpectedError('UTF-8'));
    const latin = await send('Contact/CreateContact', '{"lastName":"x"}', 'application/json; charset=ISO-8859-1');
    expect(latin).toMatchObject(createExpectedError('UTF-8'));
    for (const charset of ['utf-8', '"UTF-8"']) {
      expect((await send('Contact/CreateContact', '{"lastName":"é😀"}', `application/json; charset=${charset}`)).status).toBe(200);
    }
  });
});

describe('value of any type', () => {
  it.each([
    ['deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['wide', `[${'1,'.repeat(500_000)}1]`],
  ])('causes an error, or gets stored, if it’s very %s, but never an internal failure', async (_how, value) => {
    const { status } = await send('Customer/PatchCustomerDataFields', `{"customerId":"${CUSTOMER}","fields":{"Own":${value}}}`);
    expect([200, 400]).toContain(status);
  });
});

describe('search text', () => {
  const searches = ['Contact/ListContacts', 'Customer/SearchCustomers', 'Catalog/SearchProducts', 'Inventory/SearchInventoryLocations'];

  it.each(searches)('can have up to 10,000 characters in %s, regardless of their bytes', async (operation) => {
    expect(await call(operation, { query: '🙂'.repeat(10_000) })).toMatchObject({ status: 200 });
    expect(await call(operation, { query: '%'.repeat(10_000) })).toMatchObject({ status: 200 });
    expect(await call(operation, { query: 'x'.repeat(10_001) })).toMatchObject(createExpectedError('query', '10000'));
  });
});

describe('rejected value in a message', () => {
  it('doesn’t contain split characters after truncation', async () => {
    const currency = opened.sandbox.world.store.get<{ name: string }>('SELECT name FROM data_fields WHERE type = 6');
    for (const pad of ['', 'x']) {
      const { status, body } = await call('Customer/PatchCustomerDataFields', {
        customerId: CUSTOMER,
        fields: { [currency?.name ?? '']: pad + '🙂'.repeat(60) },
      });
      expect({ status, isWellFormed: body.message.isWellFormed() && !body.message.includes('\ufffd') }).toEqual({
        status: 400,
        isWellFormed: true,
      });
    }
  });
});

describe('phone number', () => {
  const contact = (phone: string, phoneCountry?: string) =>
    call('Contact/CreateContact', { lastName: 'Phoned', phone, ...(phoneCountry !== undefined && { phoneCountry }) });

  it.each(['call me on +31 20 555 0123', '+31 20 555 0123 or later', '+31205550123 ext. 5', '+31205550123;ext=5', ' ', 'tel:x'])(
    'causes an error if it’s blank or contains other text: %j',
    async (phone) => expect(await contact(phone)).toMatchObject(createExpectedError('phone')),
  );

  it('remains if a blank one is sent', async () => {
    const made = (await contact('+31205550123')).body.contact;
    expect(await call('Contact/UpdateContact', { id: made.id, phone: ' ' })).toMatchObject(createExpectedError('phone'));
    expect((await call('Contact/GetContact', { id: made.id })).body.contact.phone).toBe('+31205550123');
    expect((await call('Contact/UpdateContact', { id: made.id, phone: '' })).body.contact.phone ?? '').toBe('');
  });

  it('causes an error for an unknown country, even if it’s empty', spec('2.2.12', '2.2.13'), async () => {
    expect(await contact('', 'ZZ')).toMatchObject(createExpectedError('phone_country', 'ZZ'));
    expect((await contact('020 555 0123', 'NL')).body.contact.phone).toBe('+31205550123');
  });
});

describe('duplicate entry', () => {
  it('causes an error among country prices, because one of the two would be lost', spec('2.4.12'), async () => {
    const countryPrices = [
      { countryCode: 'NL', priceOnceMinor: 1, vatRate: 0 },
      { countryCode: 'NL', priceOnceMinor: 2, vatRate: 0 },
    ];
    const product = await call('Catalog/CreateProduct', { name: 'Priced' });
    const change = { id: product.body.product.id, countryPrices };
    expect(await call('Catalog/CreateProduct', { name: 'Priced twice', countryPrices })).toMatchObject(
      createExpectedError('country_prices', 'NL'),
    );
    expect(await call('Catalog/UpdateProduct', change)).toMatchObject(createExpectedError('country_prices', 'NL'));
    expect((await call('Catalog/GetProduct', { id: change.id })).body.product.countryPrices ?? []).toEqual([]);
  });

  it('causes an error among the files of a comment', async () => {
    const file = demoId('file 0');
    const comment = { customerId: CUSTOMER, body: 'Twice', attachments: [file, file] };
    expect(await call('Customer/CreateCustomerComment', comment)).toMatchObject(createExpectedError('attachments', file));
  });
});

describe('duplicate field', () => {
  it.each([
    ['Quote/ListQuotes', 'customerId', `{"customerId":"x","customerId":"${CUSTOMER}"}`],
    ['Quote/ListQuotes', 'customer_id', `{"customerId":"x","customer_id":"${CUSTOMER}"}`],
    ['Quote/ListQuotes', 'customerId', `{"customerId":"x","customer\\u0049d":"${CUSTOMER}"}`],
    ['Customer/CreateCustomer', 'Notes', '{"title":"T","customFields":{"Notes":"1","Notes":"2"}}'],
    ['Customer/PatchCustomerDataFields', 'a', `{"customerId":"${CUSTOMER}","fields":{"Own":[{"a":1,"a":2}]}}`],
    ['Quote/CreateQuote', 'quantity', `{"customerId":"${CUSTOMER}","lineItems":[{"productId":"p","quantity":1,"quantity":2}]}`],
  ])('causes an error from %s, because only the last would count: %s', async (operation, field, body) => {
    expect(await send(operation, body)).toMatchObject(createExpectedError(field));
  });

  it('can occur in another object, or in a string', async () => {
    const body = `{"title":"{\\"a\\":1,\\"a\\":2}","customFields":{"title":"\\\\","a":"{","b":"}"}}`;
    expect((await send('Customer/CreateCustomer', body)).status).toBe(201);
  });
});
