import { invalidInput } from '../../failures/failures.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import type { Binder } from '../../schema/kit/inputs.ts';
import type * as messages from '../../upstream/contract/generated/messages.ts';
import type { CustomerRecord } from '../../upstream/contract/generated/records.ts';

/** Payload field with the customer's portfolio, which is the same record. Caches store both. */
export const AFFECTED_PORTFOLIO = {
  portfolio: [
    Portfolio,
    'The same record as a portfolio. Null unless it belongs to a contact.',
    ({ customer }: { readonly customer: CustomerRecord | undefined }) => (customer?.contactId ? customer.id : null),
  ],
} as const;

type PhoneBinder = Pick<Binder<typeof messages.PatchCustomerRequest>, 'phone' | 'phoneCountry'>;

/** Fields for a phone number. Records contain it in international format. */
export const bindPhoneFields = (f: PhoneBinder) => ({
  phone: f.phone('Phone number in international format, or in local format together with `phoneCountryCode`.'),
  phoneCountryCode: f.phoneCountry('Country of a local `phone` number. Only used together with `phone` and not stored.'),
});

type PersonMessage = typeof messages.PatchCustomerRequest | typeof messages.CreateCustomerRequest | typeof messages.CreatePortfolioRequest;

/** Fields to create and update customers and portfolios with. */
export const bindPersonFields = (f: Binder<PersonMessage>) => ({
  title: f.title('Title of the record, such as a project name.'),
  customerName: f.customerName('Name of the customer: a person or company.'),
  email: f.email('Email address of the customer.'),
  ...bindPhoneFields(f),
  expectedCloseAt: f.expectedCloseDate('When the deal is expected to close.'),
});

interface Phone {
  readonly phone?: string | null | undefined;
  readonly phoneCountryCode?: string | null | undefined;
}

/** Removes a null country, which has no effect. Rejects a country without a phone number. */
export function normalizePhone<Fields extends Phone>(fields: Fields): Fields {
  const { phone, phoneCountryCode } = fields;
  if (phone === undefined && phoneCountryCode)
    throw invalidInput(['phoneCountryCode'], 'NOT_ALLOWED', 'requires `phone`. On its own it has no effect.');
  return phone === null || (phone !== undefined && phoneCountryCode === null) ? { ...fields, phoneCountryCode: undefined } : fields;
}
