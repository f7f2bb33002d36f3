import { invalidInput } from '../../failures.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import type { InputFields } from '../../schema/kit/builder.ts';
import type { CustomerRecordJson } from '../../upstream/contract/generated/publicapi/v1/customers_pb.ts';

/** The way to the portfolio that a change of its customer has changed, too: caches hold both. */
export const AS_PORTFOLIO = {
  portfolio: [
    Portfolio,
    'The same record as a portfolio; null unless it belongs to a contact.',
    ({ customer }: { readonly customer?: CustomerRecordJson }) => (customer?.contactId ? customer.id : null),
  ],
} as const;

/** The phone number of a person; records hold it in international form. */
export const phoneFields = (t: InputFields) => ({
  phone: t.string({ description: 'A phone number: international, or local together with `phoneCountryCode`.' }),
  phoneCountryCode: t.field({
    type: 'CountryCode',
    description: 'The country that a local `phone` belongs to. Only used together with `phone`; it is not stored.',
  }),
});

/** The fields that customers and portfolios are made and changed with. */
export const personFields = (t: InputFields) => ({
  title: t.string({ description: 'The title of the record.' }),
  customerName: t.string({ description: 'The name of the customer.' }),
  email: t.string({ description: 'An email address.' }),
  ...phoneFields(t),
  expectedCloseAt: t.field({ type: 'DateTime', description: 'The moment at which the deal is expected to close.' }),
});

interface Phone {
  readonly phone?: string | null | undefined;
  readonly phoneCountryCode?: string | null | undefined;
}

/** The fields of an update without a country that says nothing about the number. Refuses a country without a number, which would change nothing. */
export function withPhone<Fields extends Phone>(fields: Fields): Fields {
  const { phone, phoneCountryCode } = fields;
  if (phone === undefined && phoneCountryCode)
    throw invalidInput(['phoneCountryCode'], 'NOT_ALLOWED', 'must come together with `phone`: by itself it changes nothing.');
  return phone === null || (phone !== undefined && phoneCountryCode === null) ? { ...fields, phoneCountryCode: undefined } : fields;
}

/** The names that these fields have in inputs, by those of the contract. */
export const PHONE_NAMES = { phoneCountry: 'phoneCountryCode' };
export const PERSON_NAMES = { ...PHONE_NAMES, expectedCloseDate: 'expectedCloseAt' };

/** The fields with a phone number, in the contract's names. */
export const phoneIn = <Fields extends { readonly phoneCountryCode?: string | undefined }>({ phoneCountryCode, ...fields }: Fields) => ({
  ...fields,
  ...(phoneCountryCode !== undefined && { phoneCountry: phoneCountryCode }),
});

interface Person {
  readonly phoneCountryCode?: string;
  readonly expectedCloseAt?: string;
}

/** The fields of a person, in the contract's names. */
export const personIn = <Fields extends Person>({ expectedCloseAt, ...fields }: Fields) => ({
  ...phoneIn(fields),
  ...(expectedCloseAt !== undefined && { expectedCloseDate: expectedCloseAt }),
});
