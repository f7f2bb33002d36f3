import { Contact } from '../../schema/customers/contacts.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomFieldInput, toPatch, toValues } from '../../schema/customers/customFieldInputs.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { own } from '../../schema/kit/inputs.ts';
import { CreatePortfolio, PatchPortfolioDataFields } from '../../upstream/contract/generated/operations.ts';
import { mutation } from '../kit/mutation.ts';
import { personFields } from './people.ts';

mutation('portfolioCreate', CreatePortfolio, {
  description: 'Makes a portfolio for a contact that exists.',
  on: Contact,
  input: (f) => ({
    contactId: f.contactId('The contact it belongs to.'),
    ...personFields(f),
    customFields: own([CustomFieldInput], 'Values of custom fields. Names that the workspace has not defined are kept.'),
  }),
  request: async (request, { customFields }, context) => ({ ...request, customFields: await toValues(customFields ?? [], context) }),
  leadsTo: { customer: [Customer, 'The same record as a customer.', ({ portfolio }) => portfolio?.id] },
  returns: { portfolio: 'The new portfolio.' },
});

mutation('portfolioCustomFieldsUpdate', PatchPortfolioDataFields, {
  description: 'Sets or clears custom fields of a portfolio; the others stay.',
  on: Portfolio,
  input: () => ({ customFields: own([CustomFieldInput], 'The custom fields to change.', { required: true }) }),
  names: { fields: 'customFields' },
  request: async (request, { customFields }, context) => ({ ...request, fields: (await toPatch(customFields, context)) as never }),
  leadsTo: { customer: [Customer, 'The same record as a customer.', ({ portfolio }) => portfolio?.id] },
  returns: { portfolio: 'The portfolio as it is now.' },
});
