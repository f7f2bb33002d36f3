import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Value } from '@bufbuild/protobuf/wkt';
import { type CreateCustomerRequest, CustomerRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { invalid } from '../kernel/errors.ts';
import { jsonOf } from '../kernel/jsonValues.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { requireSeenFields, shareWithTeams } from '../kernel/visibility.ts';
import type { World } from '../kernel/world.ts';
import { dataFieldTypes } from './dataFields.ts';
import { patchFields } from './dataFieldValues.ts';
import { normalizePhone } from './phone.ts';

/** Portfolios are customers that have a contact: one table, one id space. */
export const customerTable = table('customers', CustomerRecordSchema, {
  // `custom_fields` is a JSON object of strings.
  also: { workspace_id: 'TEXT', custom_fields: 'TEXT' },
  constraints: ['UNIQUE (workspace_id, reference_number)'],
  indexes: {
    customers_by_age: 'workspace_id, created_at DESC, id',
    customers_by_contact: 'workspace_id, contact_id, created_at DESC, id',
    customers_by_email: 'workspace_id, email COLLATE NOCASE',
    customers_by_phone: 'workspace_id, phone',
  },
});

/** `contact_id` is empty for what was not made as a portfolio, and `journey_status_id` is empty for none. */
export type CustomerRow = RowOf<typeof customerTable>;

const fieldsOf = (row: CustomerRow) => JSON.parse(row.custom_fields) as Record<string, string>;

/** The record as customers and portfolios are both answered: their messages have the same fields. */
export const toCustomer = (row: CustomerRow) =>
  ({ ...customerTable.read(row), customFields: fieldsOf(row) }) satisfies MessageInitShape<typeof CustomerRecordSchema>;

/** The customer or portfolio, or a refusal when the workspace has none of that id. */
export const customerOf = (call: CallContext, id: string): CustomerRow => customerTable.one(call, id, 'customer');

/** The next reference number of a workspace, such as C-000123. */
export const nextReference = (world: World, workspaceId: string): string =>
  `C-${String(world.next(`customer of ${workspaceId}`)).padStart(6, '0')}`;

/** Refuses a customer that nobody could tell from others. Ours: the upstream does not say what it takes. */
export function requireName({ title, customer_name }: Pick<CustomerRow, 'title' | 'customer_name'>): void {
  if (title.trim() === '' && customer_name.trim() === '') throw invalid('Specify a title or a customer_name. Both are blank.');
}

/** The fields that customers and portfolios are made from. */
type NewCustomer = Omit<CreateCustomerRequest, '$typeName' | '$unknown'>;

/** Makes a customer; with a contact's id, a portfolio. */
export function createCustomer(call: CallContext, fields: NewCustomer, contactId = ''): CustomerRow {
  const { title, customerName = '', expectedCloseDate } = fields;
  requireName({ title, customer_name: customerName });
  requireSeenFields(call, Object.keys(fields.customFields));
  const customFields = patchFields(dataFieldTypes(call), {}, fields.customFields);
  const id = call.id();
  const reference = nextReference(call.world, call.workspaceId);
  customerTable.insert(call.store, {
    id,
    workspace_id: call.workspaceId,
    title,
    custom_fields: JSON.stringify(customFields),
    reference_number: reference,
    customer_name: customerName,
    email: fields.email ?? '',
    phone: normalizePhone(fields.phone ?? '', fields.phoneCountry),
    expected_close_date: expectedCloseDate === undefined ? null : Number(expectedCloseDate),
    contact_id: contactId,
    journey_status_id: '',
    created_at: call.now,
    updated_at: call.now,
  });
  shareWithTeams(call, id);
  const kind = contactId === '' ? 'customer' : 'portfolio';
  call.timeline(id, { eventType: `${kind}_created`, entityType: kind, entityId: id, summary: `The ${kind} ${reference} was created.` });
  return customerOf(call, id);
}

/** Writes to the timeline which fields changed. Their values stay out of it: not everybody may see them. */
export function noteUpdate(call: CallContext, id: string, changed: readonly string[]): void {
  call.timeline(id, {
    eventType: 'customer_updated',
    entityType: 'customer',
    entityId: id,
    summary: `Changed: ${changed.join(', ')}.`,
    audience: 'audit',
  });
}

/** Sets data fields, and clears those that are null. The others stay, also those that the caller does not see. */
function writeFields({ store, now }: CallContext, id: string, changes: Readonly<Record<string, string | null>>): void {
  const sql = 'UPDATE customers SET custom_fields = json_patch(custom_fields, :changes), updated_at = :now WHERE id = :id';
  store.run(sql, { id, now, changes: JSON.stringify(changes) });
}

/** Changes the data fields that `patch` names, which the caller must see. A patch that changes nothing leaves no trace. */
export function patchCustomerFields(call: CallContext, row: CustomerRow, patch: Readonly<Record<string, Value>>): CustomerRow {
  requireSeenFields(call, Object.keys(patch));
  const before = fieldsOf(row);
  const values = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, jsonOf(`The data field ${name}`, value)]));
  const after = patchFields(dataFieldTypes(call), before, values);
  const own = (fields: Record<string, string>, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const changed = Object.keys(values).filter((name) => own(before, name) !== own(after, name));
  if (changed.length === 0) return row;
  writeFields(call, row.id, Object.fromEntries(changed.map((name) => [name, own(after, name) ?? null])));
  noteUpdate(call, row.id, changed);
  return customerOf(call, row.id);
}
