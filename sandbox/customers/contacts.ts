import { Contact, ContactRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/contacts_pb.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { normalizePhone } from './phone.ts';

export const contactTable = table('contacts', ContactRecordSchema, {
  also: { workspace_id: 'TEXT' },
  indexes: { contacts_by_name: 'workspace_id, last_name, first_name, id' },
});

type ContactRow = RowOf<typeof contactTable>;

const toContact = contactTable.read;

/** Looks up a contact by ID. Throws if the workspace doesn't contain it. */
export const getContact = (call: CallContext, id: string): ContactRow => contactTable.getOrThrow(call, id, 'contact');

export const contacts = domain(Contact, {
  tables: [contactTable],
  handlers: {
    getContact: {
      permission: 'boardAccess:READ_ONLY',
      run: ({ id }, call) => ({ contact: toContact(getContact(call, id)) }),
    },

    listContacts: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = call.page<ContactRow>(
          request,
          `SELECT * FROM contacts
           WHERE workspace_id = :workspaceId AND ${createContainsSql("first_name || ' ' || last_name || ' ' || email")}
           ORDER BY last_name, first_name, id`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { contacts: rows.map(toContact), ...page };
      },
    },

    createContact: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => {
        const id = call.id();
        contactTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          first_name: request.firstName,
          last_name: request.lastName,
          email: request.email ?? '',
          phone: normalizePhone(request.phone ?? '', request.phoneCountry),
          created_at: call.now,
          updated_at: call.now,
        });
        return { contact: toContact(getContact(call, id)) };
      },
    },

    updateContact: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => {
        const current = getContact(call, request.id);
        contactTable.update(call.store, current.id, {
          first_name: request.firstName ?? current.first_name,
          last_name: request.lastName ?? current.last_name,
          email: request.email ?? current.email,
          phone: request.phone === undefined ? current.phone : normalizePhone(request.phone, request.phoneCountry),
          updated_at: call.now,
        });
        return { contact: toContact(getContact(call, current.id)) };
      },
    },
  },
});
