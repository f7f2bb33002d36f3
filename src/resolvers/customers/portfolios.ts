import { Contact } from '../../schema/customers/contacts.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomFieldInput, toPatch, toValues } from '../../schema/customers/customFieldInputs.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { builder } from '../../schema/kit/builder.ts';
import { find } from '../../schema/kit/entities.ts';
import { assumed, describe } from '../../schema/kit/records.ts';
import { CreatePortfolio, GetCustomer, PatchPortfolioDataFields } from '../../upstream/contract/generated/operations.ts';
import { given } from '../kit/given.ts';
import { mutation } from '../kit/mutation.ts';
import { PERSON_NAMES, personFields, personIn } from './people.ts';

const PORTFOLIO =
  'The portfolio of this id; null when there is none. Portfolios are listed by contact, `Contact.portfolios`, and among `customers`.';

builder.queryField('portfolio', (t) =>
  t.field({
    ...describe(GetCustomer, PORTFOLIO),
    ...assumed(PORTFOLIO),
    type: Portfolio.ref,
    args: { id: t.arg.id({ required: true, description: 'The id of the portfolio.' }) },
    resolve: (_root, { id }, context, info) => find(Portfolio, id, context, info),
  }),
);

mutation('portfolioCreate', CreatePortfolio, {
  description: 'Makes a portfolio for a contact that exists.',
  input: (t) => ({
    contactId: t.id({ required: true, description: 'The contact it belongs to.' }),
    ...personFields(t),
    customFields: t.field({
      type: [CustomFieldInput],
      description: 'Values of custom fields. Names that the workspace has not defined are kept.',
    }),
  }),
  ids: { contactId: 'Contact' },
  names: PERSON_NAMES,
  request: async ({ contactId, customFields, ...person }, context) => ({
    ...personIn(given(person)),
    contactId,
    customFields: await toValues(customFields ?? [], context),
  }),
  leadsTo: { customer: [Customer, 'The same record as a customer.', ({ portfolio }) => portfolio?.id] },
  answers: { portfolio: [Portfolio.ref, 'The new portfolio.'] },
  subject: { entity: Contact, id: 'contactId' },
});

mutation('portfolioCustomFieldsUpdate', PatchPortfolioDataFields, {
  description: 'Sets or clears custom fields of a portfolio; the others stay.',
  input: (t) => ({
    portfolioId: t.id({ required: true, description: 'The portfolio.' }),
    customFields: t.field({ type: [CustomFieldInput], required: true, description: 'The custom fields to change.' }),
  }),
  ids: { portfolioId: 'Portfolio' },
  names: { fields: 'customFields' },
  request: async ({ portfolioId, customFields }, context) => ({
    portfolioId,
    fields: (await toPatch(customFields, context)) as never,
  }),
  leadsTo: { customer: [Customer, 'The same record as a customer.', ({ portfolio }) => portfolio?.id] },
  answers: { portfolio: [Portfolio.ref, 'The portfolio as it is now.'] },
  subject: { entity: Portfolio, id: 'portfolioId' },
});
