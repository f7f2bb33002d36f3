import type { InputFields } from '../schema/builder.ts';

/** The fields that customers and portfolios are made and changed with. */
export const personFields = (t: InputFields) => ({
  title: t.string({ description: 'What the record is called.' }),
  customerName: t.string({ description: 'The name of the customer.' }),
  email: t.string({ description: 'An email address.' }),
  phone: t.string({ description: 'A phone number: international, or local together with `phoneCountry`.' }),
  phoneCountry: t.field({ type: 'CountryCode', description: 'The country that a local `phone` belongs to.' }),
  expectedCloseDate: t.field({ type: 'DateTime', description: 'When the deal is expected to close.' }),
});
