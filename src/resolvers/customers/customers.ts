import { invalidInput } from '../../failures.ts';
import { Contact } from '../../schema/customers/contacts.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomFieldInput, toPatch, toValues } from '../../schema/customers/customFieldInputs.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { builder } from '../../schema/kit/builder.ts';
import { own } from '../../schema/kit/inputs.ts';
import {
  CreateCustomer,
  LookupCustomersByIdentifier,
  PatchCustomer,
  PatchCustomerDataFields,
  SearchCustomers,
} from '../../upstream/contract/generated/operations.ts';
import { list, UNKNOWN_ORDER } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { presentFields } from '../kit/presentFields.ts';
import { readAll } from '../kit/reads.ts';
import { findCreated, reconcileByValues } from '../kit/reconcile.ts';
import { AS_PORTFOLIO, personFields, withPhone } from './people.ts';

const CustomerByInput = builder.inputType('CustomerByInput', {
  description: 'An identifier of a customer: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    email: t.string({ description: 'An email address.' }),
    phone: t.string({ description: 'A phone number in international form.' }),
    referenceNumber: t.string({ description: 'A reference number.' }),
    other: t.string({ description: 'Any other identifier, such as the value of a custom field.' }),
  }),
});

builder.queryFields((t) => ({
  customers: t.field(
    list(SearchCustomers, {
      description: 'Customers and portfolios, found by text or all of them.',
      node: Customer,
      query: 'Text to find in titles, names, email addresses and numbers.',
    }),
  ),

  customersByIdentifier: t.field(
    readAll(LookupCustomersByIdentifier, {
      description: `The customers that carry an identifier. ${UNKNOWN_ORDER}`,
      type: Customer.ref,
      args: (t) => ({ by: t.field({ type: CustomerByInput, required: true, description: 'The identifier.' }) }),
      // An identifier is of one, hardly ever of several.
      extensions: { assumedSize: 2 },
      request: (_root: object, { by }) => {
        const blank = Object.entries(by).find(([, identifier]) => identifier?.trim() === '');
        if (blank) throw invalidInput(['by', blank[0]], 'BLANK', 'must not be blank.');
        const { email, phone, referenceNumber, other } = by;
        return presentFields({ email, phone, referenceNumber, identifier: other });
      },
      answer: ({ customers = [] }, context) => {
        for (const customer of customers) Customer.prime(customer, context);
        return customers;
      },
    }),
  ),
}));

builder.objectField(Contact.ref, 'portfolios', (t) =>
  t.field(
    list(SearchCustomers, {
      description: 'The portfolios of this contact.',
      on: Contact,
      node: Portfolio as never,
      prime: Customer.prime,
    }),
  ),
);

mutation('customerCreate', CreateCustomer, {
  description: 'Makes a customer.',
  input: (f) => ({
    ...personFields(f),
    customFields: own([CustomFieldInput], 'Values of custom fields. Names that the workspace has not defined are kept.'),
  }),
  request: async (request, { customFields }, context) => ({ ...request, customFields: await toValues(customFields ?? [], context) }),
  returns: { customer: 'The new customer.' },
  reconcile: async ({ request, startedAt, context }) => {
    const { email, phone } = request;
    const identifier = email ? { email } : phone ? { phone } : undefined;
    if (!identifier) return undefined;
    const { customers } = await context.upstream.call(LookupCustomersByIdentifier, identifier);
    const customer = findCreated(customers, request, startedAt);
    return customer && { customer };
  },
});

mutation('customerUpdate', PatchCustomer, {
  description: 'Custom fields are changed by `customerCustomFieldsUpdate`.',
  on: Customer,
  isPatch: true,
  input: personFields,
  correct: withPhone,
  leadsTo: AS_PORTFOLIO,
  returns: { customer: 'The customer as it is now.' },
  reconcile: reconcileByValues(Customer, 'customer', (request) => request),
});

mutation('customerCustomFieldsUpdate', PatchCustomerDataFields, {
  description: 'Sets or clears custom fields of a customer; the others stay.',
  on: Customer,
  input: () => ({ customFields: own([CustomFieldInput], 'The custom fields to change.', { required: true }) }),
  names: { fields: 'customFields' },
  request: async (request, { customFields }, context) => ({ ...request, fields: (await toPatch(customFields, context)) as never }),
  leadsTo: AS_PORTFOLIO,
  returns: { customer: 'The customer as it is now.' },
});
