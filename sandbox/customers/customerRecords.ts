import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Value } from '@bufbuild/protobuf/wkt';
import { type CreateCustomerRequest, CustomerRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { invalidArgument } from '../kernel/errors.ts';
import { toJsonValue } from '../kernel/jsonValues.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { assignToTeams, requireVisibleFields } from '../kernel/visibility.ts';
import type { World } from '../kernel/world.ts';
import { getDataFieldTypes } from './dataFields.ts';
import { patchFields } from './dataFieldValues.ts';
import { normalizePhone } from './phone.ts';

/** Customers and portfolios, which are customers with a contact. They share one table and one ID space. */
export const customerTable = table('customers', CustomerRecordSchema, {
  // `custom_fields` is a JSON object of strings.
  also: { workspace_id: 'TEXT', custom_fields: 'TEXT' },
  constraints: ['UNIQUE (workspace_id, reference_number)'],
  indexes: {
    customers_by_age: 'workspace_id, created_at, id',
    customers_by_update: 'workspace_id, updated_at',
    customers_by_contact: 'workspace_id, contact_id, created_at DESC, id',
    customers_by_email: 'workspace_id, email COLLATE NOCASE',
    customers_by_phone: 'workspace_id, phone',
  },
});

/** `contact_id` is empty for records that weren't created as a portfolio. `journey_status_id` is empty without a status. */
export type CustomerRow = RowOf<typeof customerTable>;

const parseCustomFields = (row: CustomerRow) => JSON.parse(row.custom_fields) as Record<string, string>;

/** Converts a row to the fields of a customer, which a portfolio has, too. */
export const toCustomer = (row: CustomerRow) =>
  ({ ...customerTable.read(row), customFields: parseCustomFields(row) }) satisfies MessageInitShape<typeof CustomerRecordSchema>;

/** Looks up a customer or portfolio by ID. Throws if the workspace doesn't contain it. */
export const getCustomer = (call: CallContext, id: string): CustomerRow => customerTable.getOrThrow(call, id, 'customer');

/** The next reference number of a workspace, such as C-000123. */
export const allocateReference = (world: World, workspaceId: string): string =>
  `C-${String(world.next(`customer of ${workspaceId}`)).padStart(6, '0')}`;

/** Throws if a customer has no name of any kind. Chosen: the upstream doesn't document required fields. */
export function requireName({ title, customer_name }: Pick<CustomerRow, 'title' | 'customer_name'>): void {
  if (title.trim() === '' && customer_name.trim() === '') throw invalidArgument('Specify a title or a customer_name. Both are blank.');
}

/** Fields for creating a customer or portfolio. */
type NewCustomer = Omit<CreateCustomerRequest, '$typeName' | '$unknown'>;

/** Creates a customer, or a portfolio if a contact ID is specified. */
export function createCustomer(call: CallContext, fields: NewCustomer, contactId = ''): CustomerRow {
  const { title, customerName = '', expectedCloseDate } = fields;
  requireName({ title, customer_name: customerName });
  requireVisibleFields(call, Object.keys(fields.customFields));
  const customFields = patchFields(getDataFieldTypes(call), {}, fields.customFields);
  const id = call.id();
  const reference = allocateReference(call.world, call.workspaceId);
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
  assignToTeams(call, id);
  const kind = contactId === '' ? 'customer' : 'portfolio';
  call.timeline(id, { eventType: `${kind}_created`, entityType: kind, entityId: id, summary: `The ${kind} ${reference} was created.` });
  return getCustomer(call, id);
}

/** Adds a timeline event with the names of the changed fields. Doesn't contain their values, because not every member can see them. */
export function recordUpdate(call: CallContext, id: string, changed: readonly string[]): void {
  call.timeline(id, {
    eventType: 'customer_updated',
    entityType: 'customer',
    entityId: id,
    summary: `Changed: ${changed.join(', ')}.`,
    audience: 'audit',
  });
}

/** Sets data fields, and clears those that are null. Other fields keep their values, including those that the caller can't see. */
function writeFields({ store, now }: CallContext, id: string, changes: Readonly<Record<string, string | null>>): void {
  const sql = 'UPDATE customers SET custom_fields = json_patch(custom_fields, :changes), updated_at = :now WHERE id = :id';
  store.run(sql, { id, now, changes: JSON.stringify(changes) });
}

/** Updates the data fields in `patch`, which must be visible to the caller. A patch without changes adds no timeline event. */
export function patchCustomerFields(call: CallContext, row: CustomerRow, patch: Readonly<Record<string, Value>>): CustomerRow {
  requireVisibleFields(call, Object.keys(patch));
  const before = parseCustomFields(row);
  const values = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, toJsonValue(`The data field ${name}`, value)]));
  const after = patchFields(getDataFieldTypes(call), before, values);
  const getOwnValue = (fields: Record<string, string>, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const changed = Object.keys(values).filter((name) => getOwnValue(before, name) !== getOwnValue(after, name));
  if (changed.length === 0) return row;
  writeFields(call, row.id, Object.fromEntries(changed.map((name) => [name, getOwnValue(after, name) ?? null])));
  recordUpdate(call, row.id, changed);
  return getCustomer(call, row.id);
}
