import { decodeProblemRecord } from '../../upstream/contract/generated/decoders.ts';
import { defineSearch, describeQuery, searchCustomer } from '../search/searches.ts';
import { Problem, ProblemStatus } from './problems.ts';

export const ProblemSearch = defineSearch(Problem, 'problems', {
  root: 'problems',
  decode: decodeProblemRecord,
  query: {
    description: describeQuery('title', 'portfolio or customer'),
    texts: ['title', searchCustomer('portfolio'), searchCustomer()],
    customers: ['portfolio_id', 'customer_id'],
  },
  filter: (f) => ({
    statuses: f.enumValues('status', ProblemStatus, 'Problems with any of these statuses.'),
    portfolioIds: f.ids('portfolioId', 'Problems of any of these portfolios.'),
    customerIds: f.ids('customerId', 'Problems of any of these customers.'),
    problemTemplateIds: f.ids('problemTemplateId', 'Problems created from any of these templates.'),
    title: f.text('title', 'Title of the problem.'),
    createdAt: f.time('createdAt', 'When the problem was created.'),
    updatedAt: f.time('updatedAt', 'When the problem was last updated.'),
    resolvedAt: f.time('resolvedAt', 'When the problem was resolved.'),
    customer: f.related('customer', 'The customer of the problem matches.'),
    portfolio: f.related('portfolio', 'The portfolio of the problem matches.'),
  }),
  orderBy: {
    createdAt: 'When the problem was created.',
    updatedAt: 'When the problem was last updated.',
    resolvedAt: 'When the problem was resolved. Unresolved problems come last.',
    status: 'Status, in the order of `ProblemStatus`.',
  },
  facets: { byStatus: { member: 'status', enum: ProblemStatus, description: 'By status.' } },
});
