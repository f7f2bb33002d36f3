import { invalidInput } from '../../failures.ts';
import { Contact } from '../../schema/customers/contacts.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomFieldInput, toPatch, toValues } from '../../schema/customers/customFieldInputs.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { builder } from '../../schema/kit/builder.ts';
import { find } from '../../schema/kit/entities.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { describe } from '../../schema/kit/records.ts';
import {
  CreateCustomer,
  GetCustomer,
  LookupCustomersByIdentifier,
  PatchCustomer,
  PatchCustomerDataFields,
  SearchCustomers,
} from '../../upstream/contract/generated/operations.ts';
import { given } from '../kit/given.ts';
import { list, UNKNOWN_ORDER } from '../kit/lists.ts';
import { hasValues, madeBy } from '../kit/lookUps.ts';
import { mutation } from '../kit/mutation.ts';
import { patch, patchDescription } from '../kit/patch.ts';
import { AS_PORTFOLIO, PERSON_NAMES, personFields, personIn, withPhone } from './people.ts';

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
  customer: t.field({
    ...describe(GetCustomer, 'The customer of this id; null when there is none.'),
    type: Customer.ref,
    args: { id: t.arg.id({ required: true, description: 'The id of the customer.' }) },
    resolve: (_root, { id }, context, info) => find(Customer, id, context, info),
  }),

  customers: t.field(
    list(SearchCustomers, {
      description: 'Customers and portfolios, found by text or all of them.',
      node: Customer.ref,
      query: 'Text to find in titles, names, email addresses and numbers.',
      request: (_root: object, { query }) => ({ query: query ?? '' }),
      identify: ({ id }) => id,
      prime: Customer.prime,
    }),
  ),

  customersByIdentifier: t.field({
    ...describe(LookupCustomersByIdentifier, `The customers that carry an identifier. ${UNKNOWN_ORDER}`),
    type: [Customer.ref],
    nullable: { list: true, items: false },
    args: { by: t.arg({ type: CustomerByInput, required: true, description: 'The identifier.' }) },
    authScopes: { operation: LookupCustomersByIdentifier },
    // An identifier is of one, hardly ever of several.
    extensions: { assumedSize: 2, ...NULL_ONLY_WITH_ERROR },
    resolve: async (_root, { by }, context) => {
      const blank = Object.entries(by).find(([, identifier]) => identifier?.trim() === '');
      if (blank) throw invalidInput(['by', blank[0]], 'BLANK', 'must not be blank.');
      const { email, phone, referenceNumber, other } = by;
      const request = given({ email, phone, referenceNumber, identifier: other });
      const customers = (await context.upstream.call(LookupCustomersByIdentifier, request)).customers ?? [];
      for (const customer of customers) Customer.prime(customer, context);
      return customers;
    },
  }),
}));

builder.objectField(Contact.ref, 'portfolios', (t) =>
  t.field(
    list(SearchCustomers, {
      description: 'The portfolios of this contact.',
      node: Portfolio.ref as never,
      request: ({ id }: { id?: string }) => ({ query: '', contactId: id ?? '' }),
      identify: ({ id }) => id,
      prime: Customer.prime,
      isServedByKey: true,
    }),
  ),
);

mutation('customerCreate', CreateCustomer, {
  description: 'Makes a customer.',
  input: (t) => ({
    ...personFields(t),
    customFields: t.field({
      type: [CustomFieldInput],
      description: 'Values of custom fields. Names that the workspace has not defined are kept.',
    }),
  }),
  names: PERSON_NAMES,
  request: async ({ customFields, ...person }, context) => ({
    ...personIn(given(person)),
    customFields: await toValues(customFields ?? [], context),
  }),
  answers: { customer: [Customer.ref, 'The new customer.'] },
  lookUp: async ({ request, startedAt, context }) => {
    const { email, phone } = request;
    const identifier = email ? { email } : phone ? { phone } : undefined;
    if (!identifier) return undefined;
    const { customers } = await context.upstream.call(LookupCustomersByIdentifier, identifier);
    const customer = madeBy(customers, request, startedAt);
    return customer && { customer };
  },
});

/** Fields that an update can clear. Nothing is known to clear an expected close date. */
const CLEARABLE = ['title', 'customerName', 'email', 'phone'] as const;

mutation('customerUpdate', PatchCustomer, {
  description: `${patchDescription(CLEARABLE)} Custom fields are changed by \`customerCustomFieldsUpdate\`.`,
  input: (t) => ({ customerId: t.id({ required: true, description: 'The customer.' }), ...personFields(t) }),
  names: { id: 'customerId', ...PERSON_NAMES },
  ids: { customerId: 'Customer' },
  request: ({ customerId, ...person }) => ({ id: customerId, ...personIn(patch(withPhone(person), CLEARABLE)) }),
  leadsTo: AS_PORTFOLIO,
  answers: { customer: [Customer.ref, 'The customer as it is now.'] },
  subject: { entity: Customer, id: 'customerId' },
  lookUp: hasValues(
    Customer,
    ({ id }) => id,
    (request) => request,
    (customer) => ({ customer }),
  ),
});

mutation('customerCustomFieldsUpdate', PatchCustomerDataFields, {
  description: 'Sets or clears custom fields of a customer; the others stay.',
  input: (t) => ({
    customerId: t.id({ required: true, description: 'The customer.' }),
    customFields: t.field({ type: [CustomFieldInput], required: true, description: 'The custom fields to change.' }),
  }),
  ids: { customerId: 'Customer' },
  names: { fields: 'customFields' },
  request: async ({ customerId, customFields }, context) => ({
    customerId,
    fields: (await toPatch(customFields, context)) as never,
  }),
  leadsTo: AS_PORTFOLIO,
  answers: { customer: [Customer.ref, 'The customer as it is now.'] },
  subject: { entity: Customer, id: 'customerId' },
});
