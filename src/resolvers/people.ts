import type { InputFields } from '../schema/builder.ts';
import { invalidInput } from '../upstream/errors.ts';

/** The phone number of a person; records hold it in international form. */
export const phoneFields = (t: InputFields) => ({
  phone: t.string({ description: 'A phone number: international, or local together with `phoneCountry`.' }),
  phoneCountry: t.field({
    type: 'CountryCode',
    description: 'The country that a local `phone` belongs to. Only used together with `phone`; it is not stored.',
  }),
});

/** The fields that customers and portfolios are made and changed with. */
export const personFields = (t: InputFields) => ({
  title: t.string({ description: 'What the record is called.' }),
  customerName: t.string({ description: 'The name of the customer.' }),
  email: t.string({ description: 'An email address.' }),
  ...phoneFields(t),
  expectedCloseDate: t.field({ type: 'DateTime', description: 'When the deal is expected to close.' }),
});

interface Phone {
  readonly phone?: string | null | undefined;
  readonly phoneCountry?: string | null | undefined;
}

/** The fields of an update without a country that says nothing about the number. Refuses a country without a number, which would change nothing. */
export function withPhone<Fields extends Phone>(fields: Fields): Fields {
  const { phone, phoneCountry } = fields;
  if (phone === undefined && phoneCountry)
    throw invalidInput(['phoneCountry'], 'must come together with `phone`: by itself it changes nothing.');
  return phone === null || (phone !== undefined && phoneCountry === null) ? { ...fields, phoneCountry: undefined } : fields;
}
