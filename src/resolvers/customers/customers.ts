import { invalidInput } from '../../failures/failures.ts';
import { Contact } from '../../schema/customers/contacts.ts';
import { CustomerSearch } from '../../schema/customers/customerSearch.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomFieldInput, checkAmounts, toPatch, toValues } from '../../schema/customers/customFieldInputs.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { builder } from '../../schema/kit/builder.ts';
import { unbound } from '../../schema/kit/inputs.ts';
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
import { filterCreated, reconcileByValues } from '../kit/reconcile.ts';
import { search } from '../kit/search.ts';
import { AFFECTED_PORTFOLIO, bindPersonFields, normalizePhone } from './people.ts';

const CustomerByInput = builder.inputType('CustomerByInput', {
  description: 'A customer identifier. Specify exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    email: t.string({ description: 'Email address of the customer.' }),
    phone: t.string({ description: 'Phone number in international format.' }),
    referenceNumber: t.string({ description: 'Human-readable number of the record.' }),
    other: t.string({ description: 'Any other identifier, such as the value of a custom field.' }),
  }),
});

builder.queryFields((t) => ({
  customers: t.field(
    list(SearchCustomers, {
      description: 'Lists or searches customers and portfolios.',
      node: Customer,
      query: 'Text to search for in titles, names, email addresses, phone numbers and reference numbers.',
    }),
  ),

  customersByIdentifier: t.field(
    readAll(LookupCustomersByIdentifier, {
      description: `Customers with a given identifier. ${UNKNOWN_ORDER}`,
      type: Customer.ref,
      args: (t) => ({ by: t.field({ type: CustomerByInput, required: true, description: 'Identifier to look up.' }) }),
      // More than one customer rarely has the same identifier.
      extensions: { assumedSize: 2 },
      request: (_root: object, { by }) => {
        const blank = Object.entries(by).find(([, identifier]) => identifier?.trim() === '');
        if (blank) throw invalidInput(['by', blank[0]], 'BLANK', 'must not be blank.');
        const { email, phone, referenceNumber, other } = by;
        return presentFields({ email, phone, referenceNumber, identifier: other });
      },
      names: { email: ['by', 'email'], phone: ['by', 'phone'], referenceNumber: ['by', 'referenceNumber'], identifier: ['by', 'other'] },
      resolveValue: ({ customers }, context) => {
        for (const customer of customers) Customer.prime(customer, context);
        return customers;
      },
    }),
  ),
}));

builder.objectField(Contact.ref, 'portfolios', (t) =>
  t.field(
    list(SearchCustomers, {
      description: 'The contact’s portfolios. To filter, sort and count them, use `customerSearch`.',
      on: Contact,
      node: Portfolio,
      prime: Customer.prime,
    }),
  ),
);

builder.queryField('customerSearch', (t) =>
  t.field(search(CustomerSearch, 'Searches the customers and portfolios of the workspace.', '`customers`')),
);

mutation('customerCreate', CreateCustomer, {
  description: 'Creates a customer.',
  input: (f) => ({
    ...bindPersonFields(f),
    customFields: unbound([CustomFieldInput], 'Values of custom fields. Names that the workspace hasn’t defined are stored as well.'),
  }),
  request: { complete: (request, { customFields }) => ({ ...request, customFields: toValues(customFields ?? []) }) },
  check: (_request, { customFields }, context) => checkAmounts(customFields ?? [], context),
  returns: { customer: 'The new customer.' },
  reconcile: {
    calls: 1,
    find: async ({ request, context, startedAt }) => {
      const { email, phone } = request;
      const identifier = email ? { email } : phone ? { phone } : undefined;
      if (!identifier) return null;
      const { customers } = await context.upstream.call(LookupCustomersByIdentifier, identifier);
      return filterCreated(customers, request, startedAt);
    },
  },
});

mutation('customerUpdate', PatchCustomer, {
  description: 'To change custom fields, use `customerCustomFieldsUpdate`.',
  on: Customer,
  isPatch: true,
  input: bindPersonFields,
  request: { normalize: normalizePhone },
  affects: AFFECTED_PORTFOLIO,
  returns: { customer: 'The updated customer.' },
  reconcile: reconcileByValues(Customer, 'customer', (request) => request),
});

mutation('customerCustomFieldsUpdate', PatchCustomerDataFields, {
  description: 'Sets or clears custom fields of a customer and leaves the others unchanged.',
  on: Customer,
  input: () => ({ customFields: unbound([CustomFieldInput], 'Custom fields to set or clear.', { required: true }) }),
  request: {
    names: { fields: 'customFields' },
    complete: (request, { customFields }) => ({ ...request, fields: toPatch(customFields) }),
  },
  check: (_request, { customFields }, context) => checkAmounts(customFields, context),
  affects: AFFECTED_PORTFOLIO,
  returns: { customer: 'The updated customer.' },
});
