import { Customer, type LookupCustomersByIdentifierRequest } from '../../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import {
  type CustomerRow,
  createCustomer,
  customerTable,
  getCustomer,
  patchCustomerFields,
  recordUpdate,
  requireName,
  toCustomer,
} from './customerRecords.ts';
import { normalizePhone } from './phone.ts';

function requirePhone(phone: string): string {
  const number = normalizePhone(phone, undefined);
  // Rows without a phone number contain an empty string, which a blank number must not match.
  if (number === '') throw invalidArgument('phone must be an international number, but is blank.');
  return number;
}

function createCondition(request: LookupCustomersByIdentifierRequest): { readonly condition: string; readonly value: string } {
  if (request.email !== '') return { condition: 'email = :value COLLATE NOCASE', value: request.email };
  if (request.phone !== '') return { condition: 'phone = :value', value: requirePhone(request.phone) };
  if (request.referenceNumber !== '') return { condition: 'reference_number = :value', value: request.referenceNumber };
  return {
    condition: '(reference_number = :value OR EXISTS (SELECT 1 FROM json_each(custom_fields) AS field WHERE field.value = :value))',
    value: request.identifier,
  };
}

function updateCustomer(call: CallContext, row: CustomerRow, next: Partial<CustomerRow>): CustomerRow {
  const after = { ...row, ...next };
  requireName(after);
  const columns = ['title', 'customer_name', 'email', 'phone', 'expected_close_date'] as const;
  const changed = columns.filter((column) => row[column] !== after[column]);
  if (changed.length === 0) return row;
  const { title, customer_name, email, phone, expected_close_date } = after;
  customerTable.update(call.store, row.id, { title, customer_name, email, phone, expected_close_date, updated_at: call.now });
  recordUpdate(call, row.id, changed);
  return getCustomer(call, row.id);
}

export const customers = domain(Customer, {
  tables: [customerTable],
  handlers: {
    getCustomer: {
      permission: 'boardAccess:READ_ONLY',
      run: ({ id }, call) => ({ customer: toCustomer(getCustomer(call, id)) }),
    },

    searchCustomers: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = call.page<CustomerRow>(
          request,
          `SELECT * FROM customers
           WHERE workspace_id = :workspaceId ${request.contactId === '' ? '' : 'AND contact_id = :contactId'}
             AND ${createContainsSql("title || ' ' || customer_name || ' ' || email || ' ' || reference_number || ' ' || phone")}
           ORDER BY created_at DESC, id`,
          {
            workspaceId: call.workspaceId,
            query: toAsciiLowerCase(request.query),
            ...(request.contactId !== '' && { contactId: request.contactId }),
          },
        );
        return { customers: rows.map(toCustomer), ...page };
      },
    },

    lookupCustomersByIdentifier: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { condition, value } = createCondition(request);
        const rows = call.store.all<CustomerRow>(
          `SELECT * FROM customers WHERE workspace_id = :workspaceId AND ${condition} ORDER BY created_at DESC, id`,
          { workspaceId: call.workspaceId, value },
        );
        return { customers: rows.map(toCustomer) };
      },
    },

    createCustomer: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => ({ customer: toCustomer(createCustomer(call, request)) }),
    },

    patchCustomer: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => {
        const row = getCustomer(call, request.id);
        const { title, customerName, email, phone, phoneCountry, expectedCloseDate } = request;
        const after = updateCustomer(call, row, {
          ...(title !== undefined && { title }),
          ...(customerName !== undefined && { customer_name: customerName }),
          ...(email !== undefined && { email }),
          ...(phone !== undefined && { phone: normalizePhone(phone, phoneCountry) }),
          ...(expectedCloseDate !== undefined && { expected_close_date: Number(expectedCloseDate) }),
        });
        return { customer: toCustomer(after) };
      },
    },

    patchCustomerDataFields: {
      permission: 'boardAccess:READ_WRITE',
      run: ({ customerId, fields }, call) => ({
        customer: toCustomer(patchCustomerFields(call, getCustomer(call, customerId), fields)),
      }),
    },
  },
});
