import type { MessageInitShape } from '@bufbuild/protobuf';
import { Contact, type ContactRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/contacts_pb.ts';
import { type Call, containing } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import { service } from '../kernel/service.ts';
import { normalizePhone } from './phone.ts';

export const contactTables = `
  CREATE TABLE IF NOT EXISTS contacts (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT NOT NULL,
    phone TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS contacts_by_name ON contacts (workspace_id, last_name, first_name, id);
`;

interface ContactRow {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const toContact = (row: ContactRow): MessageInitShape<typeof ContactRecordSchema> => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  phone: row.phone,
  createdAt: BigInt(row.created_at),
  updatedAt: BigInt(row.updated_at),
});

/** The contact, or a refusal when the workspace has none of that id. */
export function contactOf(call: Call, id: string): ContactRow {
  const row = call.store.get<ContactRow>('SELECT * FROM contacts WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('contact', id);
  return row;
}

export const contacts = service(Contact, {
  getContact: {
    permission: 'customers:read',
    run: ({ id }, call) => ({ contact: toContact(contactOf(call, id)) }),
  },

  listContacts: {
    permission: 'customers:read',
    run: (request, call) => {
      const { rows, ...page } = call.page<ContactRow>(
        request,
        `SELECT * FROM contacts
         WHERE workspace_id = :workspaceId AND (first_name || ' ' || last_name || ' ' || email) LIKE :pattern ESCAPE '\\'
         ORDER BY last_name, first_name, id`,
        { workspaceId: call.workspaceId, pattern: containing(request.query) },
      );
      return { contacts: rows.map(toContact), ...page };
    },
  },

  createContact: {
    permission: 'customers:write',
    run: (request, call) => {
      const id = call.id();
      call.store.insert('contacts', {
        id,
        workspace_id: call.workspaceId,
        first_name: request.firstName,
        last_name: request.lastName,
        email: request.email ?? '',
        phone: normalizePhone(request.phone ?? '', request.phoneCountry),
        created_at: call.now,
        updated_at: call.now,
      });
      return { contact: toContact(contactOf(call, id)) };
    },
  },

  updateContact: {
    permission: 'customers:write',
    run: (request, call) => {
      const current = contactOf(call, request.id);
      call.store.run(
        `UPDATE contacts SET first_name = :firstName, last_name = :lastName, email = :email, phone = :phone, updated_at = :now
         WHERE id = :id`,
        {
          id: current.id,
          firstName: request.firstName ?? current.first_name,
          lastName: request.lastName ?? current.last_name,
          email: request.email ?? current.email,
          phone: request.phone === undefined ? current.phone : normalizePhone(request.phone, request.phoneCountry),
          now: call.now,
        },
      );
      return { contact: toContact(contactOf(call, current.id)) };
    },
  },
});
