import { Contact } from '../../schema/customers/contacts.ts';
import { builder, type InputFields } from '../../schema/kit/builder.ts';
import { CreateContact, ListContacts, UpdateContact } from '../../upstream/contract/generated/operations.ts';
import { given } from '../kit/given.ts';
import { list } from '../kit/lists.ts';
import { hasValues } from '../kit/lookUps.ts';
import { mutation } from '../kit/mutation.ts';
import { patch, patchDescription } from '../kit/patch.ts';
import { PHONE_NAMES, phoneFields, phoneIn, withPhone } from './people.ts';

builder.queryFields((t) => ({
  contacts: t.field(
    list(ListContacts, {
      description: 'Contacts, found by text or all of them.',
      node: Contact.ref,
      query: 'Text to find in names and email addresses.',
      request: (_root: object, { query }) => ({ query: query ?? '' }),
      identify: ({ id }) => id,
      prime: Contact.prime,
    }),
  ),
}));

const contactFields = (t: InputFields) => ({
  firstName: t.string({ description: 'The first name, at most 200 characters.' }),
  email: t.string({ description: 'An email address.' }),
  ...phoneFields(t),
});

mutation('contactCreate', CreateContact, {
  description: 'Makes a contact.',
  input: (t) => ({
    lastName: t.string({ required: true, description: 'The last name, at most 200 characters.' }),
    ...contactFields(t),
  }),
  names: PHONE_NAMES,
  request: (fields) => phoneIn(given(fields)),
  answers: { contact: [Contact.ref, 'The new contact.'] },
});

/** Fields that an update can clear. A contact must have a last name. */
const CLEARABLE = ['firstName', 'email', 'phone'] as const;

mutation('contactUpdate', UpdateContact, {
  description: patchDescription(CLEARABLE),
  input: (t) => ({
    contactId: t.id({ required: true, description: 'The contact.' }),
    lastName: t.string({ description: 'The last name, at most 200 characters.' }),
    ...contactFields(t),
  }),
  names: { id: 'contactId', ...PHONE_NAMES },
  ids: { contactId: 'Contact' },
  request: ({ contactId, ...fields }) => ({ id: contactId, ...phoneIn(patch(withPhone(fields), CLEARABLE)) }),
  answers: { contact: [Contact.ref, 'The contact as it is now.'] },
  on: Contact,
  lookUp: hasValues(
    Contact,
    ({ id }) => id,
    (request) => request,
    (contact) => ({ contact }),
  ),
});
