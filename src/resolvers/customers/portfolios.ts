import { Contact } from '../../schema/customers/contacts.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomFieldInput, checkAmounts, toPatch, toValues } from '../../schema/customers/customFieldInputs.ts';
import { Portfolio } from '../../schema/customers/portfolios.ts';
import { unbound } from '../../schema/kit/inputs.ts';
import { CreatePortfolio, PatchPortfolioDataFields } from '../../upstream/contract/generated/operations.ts';
import { mutation } from '../kit/mutation.ts';
import { bindPersonFields } from './people.ts';

mutation('portfolioCreate', CreatePortfolio, {
  description: 'Creates a portfolio for an existing contact.',
  on: Contact,
  input: (f) => ({
    contactId: f.contactId('Contact that the portfolio belongs to.'),
    ...bindPersonFields(f),
    customFields: unbound([CustomFieldInput], 'Values of custom fields. Names that the workspace hasn’t defined are stored as well.'),
  }),
  request: { complete: (request, { customFields }) => ({ ...request, customFields: toValues(customFields ?? []) }) },
  check: (_request, { customFields }, context) => checkAmounts(customFields ?? [], context),
  affects: { customer: [Customer, 'The same record as a customer.', ({ portfolio }) => portfolio?.id] },
  returns: { portfolio: 'The new portfolio.' },
});

mutation('portfolioCustomFieldsUpdate', PatchPortfolioDataFields, {
  description: 'Sets or clears custom fields of a portfolio and leaves the others unchanged.',
  on: Portfolio,
  input: () => ({ customFields: unbound([CustomFieldInput], 'Custom fields to set or clear.', { required: true }) }),
  request: {
    names: { fields: 'customFields' },
    complete: (request, { customFields }) => ({ ...request, fields: toPatch(customFields) }),
  },
  check: (_request, { customFields }, context) => checkAmounts(customFields, context),
  affects: { customer: [Customer, 'The same record as a customer.', ({ portfolio }) => portfolio?.id] },
  returns: { portfolio: 'The updated portfolio.' },
});
