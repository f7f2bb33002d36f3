import { Contact } from '../../schema/customers/contacts.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomFieldInput, toPatch, toValues } from '../../schema/customers/customFieldInputs.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { CreatePortfolio, PatchPortfolioDataFields } from '../../upstream/contract/generated/operations.ts';
import { given } from '../kit/given.ts';
import { mutation } from '../kit/mutation.ts';
import { PERSON_NAMES, personFields, personIn } from './people.ts';

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
  on: Contact,
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
  on: Portfolio,
});
