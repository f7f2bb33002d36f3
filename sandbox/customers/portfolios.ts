import { Portfolio } from '../../src/upstream/contract/generated/publicapi/v1/portfolios_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { getContact } from './contacts.ts';
import { type CustomerRow, createCustomer, getCustomer, patchCustomerFields, toCustomer } from './customerRecords.ts';

/** Looks up a portfolio by ID. Throws if the workspace doesn't contain it. */
export function getPortfolio(call: CallContext, id: string): CustomerRow {
  const row = getCustomer(call, id);
  if (row.contact_id === '') throw notFound('portfolio', id);
  return row;
}

export const portfolios = domain(Portfolio, {
  handlers: {
    createPortfolio: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => {
        const { id } = getContact(call, request.contactId);
        return { portfolio: toCustomer(createCustomer(call, request, id)) };
      },
    },

    patchPortfolioDataFields: {
      permission: 'boardAccess:READ_WRITE',
      run: ({ portfolioId, fields }, call) => ({
        portfolio: toCustomer(patchCustomerFields(call, getPortfolio(call, portfolioId), fields)),
      }),
    },
  },
});
