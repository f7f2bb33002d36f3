import { Contact } from '../../schema/customers/contacts.ts';
import { builder } from '../../schema/kit/builder.ts';
import type { Binder } from '../../schema/kit/inputs.ts';
import type * as messages from '../../upstream/contract/generated/messages.ts';
import { CreateContact, ListContacts, UpdateContact } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { reconcileByValues } from '../kit/reconcile.ts';
import { bindPhoneFields, normalizePhone } from './people.ts';

builder.queryFields((t) => ({
  contacts: t.field(
    list(ListContacts, {
      description: 'Lists or searches contacts.',
      node: Contact,
      query: 'Text to search for in names and email addresses.',
    }),
  ),
}));

const bindContactFields = (f: Binder<typeof messages.CreateContactRequest | typeof messages.UpdateContactRequest>) => ({
  firstName: f.firstName('First name of the contact.'),
  email: f.email('Email address of the contact.'),
  ...bindPhoneFields(f),
});

mutation('contactCreate', CreateContact, {
  description: 'Creates a contact.',
  input: (f) => ({ lastName: f.lastName('Last name of the contact.'), ...bindContactFields(f) }),
  returns: { contact: 'The new contact.' },
});

mutation('contactUpdate', UpdateContact, {
  on: Contact,
  isPatch: true,
  input: (f) => ({ lastName: f.lastName('Last name of the contact.'), ...bindContactFields(f) }),
  request: { normalize: normalizePhone },
  returns: { contact: 'The updated contact.' },
  reconcile: reconcileByValues(Contact, 'contact', (request) => request),
});
