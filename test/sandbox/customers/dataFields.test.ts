import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useSandbox } from '../sandbox.ts';

const { call, callAs } = useSandbox();

interface Field {
  readonly name: string;
  readonly type: string;
  readonly currency?: string;
  readonly options?: string[];
}

const listDataFields = async (key = 'demo-owner'): Promise<Field[]> => (await callAs(key, 'DataField/ListDataFields', {})).body.dataFields;

describe('DataField/ListDataFields', () => {
  it('lists fields of every type with unique names', spec('2.2.5', '4.3.1'), async () => {
    const fields = await listDataFields();
    const types = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'CURRENCY', 'LOCATION', 'COMPANY'];
    expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(types.map((type) => `PUBLIC_DATA_FIELD_TYPE_${type}`)));
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
  });

  it('returns the currency of currency fields, the options of select fields, and neither for others', spec('4.3.1'), async () => {
    for (const { type, currency = '', options = [] } of await listDataFields()) {
      expect(/^[A-Z]{3}$/.test(currency)).toBe(type === 'PUBLIC_DATA_FIELD_TYPE_CURRENCY');
      expect(options.length > 0).toBe(type === 'PUBLIC_DATA_FIELD_TYPE_SELECT');
    }
  });

  it('requires no permission beyond the scope', async () => {
    expect((await callAs('demo-restricted', 'DataField/ListDataFields', {})).status).toBe(200);
    expect((await callAs('demo-warehouse', 'DataField/ListDataFields', {})).status).toBe(403);
  });

  it('returns no internal IDs, because names identify fields', spec('2.2.6'), async () => {
    for (const field of await listDataFields()) expect(Object.keys(field)).not.toContain('id');
  });
});

describe('data field values', () => {
  let customerId = '';
  const patchFields = async (fields: Record<string, unknown>) => {
    if (!customerId) customerId = (await call('Customer/CreateCustomer', { title: 'Values' })).body.customer.id;
    return call('Customer/PatchCustomerDataFields', { customerId, fields });
  };
  const patchAndRead = async (fields: Record<string, unknown>) => {
    const { status, body } = await patchFields(fields);
    return { status, fields: body.customer?.customFields };
  };
  const text = (value: unknown) => JSON.stringify(value);

  it.each(['25000', '0', '-1999'])('accept the currency amount %s in whole cents', spec('2.1.4', '2.3.10'), async (budget) => {
    expect(await patchAndRead({ budget })).toMatchObject({ status: 200, fields: { budget } });
  });

  it.each(['250.00', '250,00', '€250', '', '1e5', ' 1', '9223372036854775808', 25_000, true, {}])(
    'reject the currency amount %j',
    spec('2.1.5'),
    async (budget) => {
      await patchFields({ budget: '100' });
      const { status, body } = await patchFields({ budget });
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 400,
        code: 'invalid_argument',
        message: expect.stringMatching(/budget.*cents/),
      });
      expect((await call('Customer/GetCustomer', { id: customerId })).body.customer.customFields.budget).toBe('100');
    },
  );

  it.each([
    ['without properties', {}],
    ['with one property', { city: 'Gent' }],
    [
      'with all properties',
      {
        street: 'Kerkplein',
        house_number: '1',
        zipcode: '9000',
        city: 'Gent',
        country: 'BE',
        full_address: 'Kerkplein 1, Gent',
        latitude: 51.05,
        longitude: 3.72,
      },
    ],
    ['at a pole and on the date line', { latitude: -90, longitude: 180 }],
    ['on the equator and the prime meridian', { latitude: 0, longitude: 0 }],
  ])('accept a location %s', spec('2.3.12', '2.3.13'), async (_which, location) => {
    expect(await patchAndRead({ site_address: text(location) })).toMatchObject({ status: 200, fields: { site_address: text(location) } });
  });

  it.each([
    ['only a latitude', text({ latitude: 51 }), /both latitude and longitude/],
    ['only a longitude', text({ longitude: 3 }), /both latitude and longitude/],
    ['a latitude beyond the pole', text({ latitude: 90.01, longitude: 3 }), /latitude.*-90 to 90/],
    ['a longitude beyond the date line', text({ latitude: 51, longitude: -180.01 }), /longitude.*-180 to 180/],
    ['a coordinate in a string', text({ latitude: '51', longitude: 3 }), /latitude/],
    ['a coordinate of null', text({ latitude: null, longitude: 3 }), /latitude/],
    ['an unknown property', text({ planet: 'Earth' }), /planet/],
    ['a property that every object inherits', '{"__proto__":"x"}', /__proto__/],
    ['a number as text', text({ house_number: 12 }), /house_number/],
    ['a list', '[]', /JSON object/],
    ['invalid JSON', 'Kerkplein 1', /JSON object/],
    ['an object that isn’t encoded as a string', { city: 'Gent' }, /JSON object/],
  ])('reject %s as a location', spec('2.3.11', '2.3.14', '2.3.15'), async (_which, location, message) => {
    const { status, body } = await patchFields({ site_address: location });
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringMatching(message) });
  });

  it.each([
    ['with a name', { company_name: 'Adler B.V.' }],
    ['with all properties', { company_name: 'Adler B.V.', registration_number: '123', vat_number: 'NL1' }],
    ['with one non-empty property', { company_name: '', vat_number: 'NL1' }],
  ])('accept a company %s', spec('2.3.16'), async (_which, company) => {
    expect(await patchAndRead({ billing_company: text(company) })).toMatchObject({
      status: 200,
      fields: { billing_company: text(company) },
    });
  });

  it.each([
    ['without properties', text({}), /at least one/],
    ['with only empty properties', text({ company_name: '', vat_number: '' }), /at least one/],
    ['with an unknown property', text({ company_name: 'Adler', owner: 'Ada' }), /owner/],
    ['with null', text({ company_name: 'Adler', vat_number: null }), /vat_number/],
    ['with a number', text({ company_name: 'Adler', registration_number: 123 }), /registration_number/],
    ['that isn’t encoded as a string', { company_name: 'Adler' }, /JSON object/],
    ['that is null as a string', 'null', /JSON object/],
  ])('reject a company %s', spec('2.3.17', '2.3.18', '2.3.19', '2.3.20'), async (_which, company, message) => {
    const { status, body } = await patchFields({ billing_company: company });
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringMatching(message) });
  });

  it('store numbers and booleans of other types as text, and strings unchanged', async () => {
    const fields = { floor_area: 82.5, has_parking: true, meter_number: ' M-1 ', lead_source: 'a new source', last_inspection: 'May' };
    expect(await patchAndRead(fields)).toMatchObject({ status: 200, fields: { ...fields, floor_area: '82.5', has_parking: 'true' } });
  });

  it('reject objects and lists for other types', spec('2.3.6'), async () => {
    expect((await patchFields({ access_notes: { text: 'x' } })).status).toBe(400);
    expect((await patchFields({ floor_area: [1] })).status).toBe(400);
  });

  it('retain values of unknown fields, even if they aren’t text', spec('2.2.4', '2.3.6'), async () => {
    const { status, fields } = await patchAndRead({ 'Old field': 'as it was', other: { a: [1] }, count: 3, constructor: 'x' });
    expect({ status, fields }).toMatchObject({
      status: 200,
      fields: { 'Old field': 'as it was', other: '{"a":[1]}', count: '3', constructor: 'x' },
    });
    const read = await call('Customer/GetCustomer', { id: customerId });
    expect(read.body.customer.customFields).toEqual(fields);
  });

  it('remove known and unknown fields that are null', spec('2.3.8'), async () => {
    await patchFields({ meter_number: 'M-2', 'Old field': 'x', access_notes: 'stays' });
    const { fields } = await patchAndRead({ meter_number: null, 'Old field': null, site_address: null });
    expect(fields).toMatchObject({ access_notes: 'stays' });
    for (const name of ['meter_number', 'Old field', 'site_address']) expect(Object.keys(fields)).not.toContain(name);
  });

  it('don’t change at all if one of several is invalid', async () => {
    await patchFields({ meter_number: 'before' });
    expect((await patchFields({ meter_number: 'after', budget: '1.50' })).status).toBe(400);
    expect((await call('Customer/GetCustomer', { id: customerId })).body.customer.customFields.meter_number).toBe('before');
  });
});
