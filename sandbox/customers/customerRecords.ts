import { type JsonValue, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import type { CreateCustomerRequest, CustomerRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import type { Call } from '../kernel/call.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import type { World } from '../kernel/world.ts';
import { dataFieldTypes } from './dataFields.ts';
import { patchFields } from './dataFieldValues.ts';
import { normalizePhone } from './phone.ts';

/** Portfolios are customers that have a contact: one table, one id space. */
export const customerTables = `
  CREATE TABLE IF NOT EXISTS customers (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, title TEXT NOT NULL, custom_fields TEXT NOT NULL, reference_number TEXT NOT NULL,
    customer_name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL, expected_close_date INTEGER, contact_id TEXT NOT NULL,
    journey_status_id TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    UNIQUE (workspace_id, reference_number)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS customers_by_age ON customers (workspace_id, created_at DESC, id);
  CREATE INDEX IF NOT EXISTS customers_by_contact ON customers (workspace_id, contact_id, created_at DESC, id);
  CREATE INDEX IF NOT EXISTS customers_by_email ON customers (workspace_id, email COLLATE NOCASE);
  CREATE INDEX IF NOT EXISTS customers_by_phone ON customers (workspace_id, phone);
`;

export interface CustomerRow {
  readonly id: string;
  readonly title: string;
  /** A JSON object of strings. */
  readonly custom_fields: string;
  readonly reference_number: string;
  readonly customer_name: string;
  readonly email: string;
  readonly phone: string;
  readonly expected_close_date: number | null;
  /** Empty for what was not made as a portfolio. */
  readonly contact_id: string;
  /** Empty for none. */
  readonly journey_status_id: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const fieldsOf = (row: CustomerRow) => JSON.parse(row.custom_fields) as Record<string, string>;

/** The record as customers and portfolios are both answered: their messages have the same fields. */
export const toCustomer = (row: CustomerRow) =>
  ({
    id: row.id,
    title: row.title,
    customFields: fieldsOf(row),
    referenceNumber: row.reference_number,
    customerName: row.customer_name,
    email: row.email,
    phone: row.phone,
    ...(row.expected_close_date !== null && { expectedCloseDate: BigInt(row.expected_close_date) }),
    contactId: row.contact_id,
    journeyStatusId: row.journey_status_id,
    createdAt: BigInt(row.created_at),
    updatedAt: BigInt(row.updated_at),
  }) satisfies MessageInitShape<typeof CustomerRecordSchema>;

/** The customer or portfolio, or a refusal when the workspace has none of that id. */
export function customerOf(call: Call, id: string): CustomerRow {
  const row = call.store.get<CustomerRow>('SELECT * FROM customers WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('customer', id);
  return row;
}

/** The next reference number of a workspace, such as C-000123. */
export const nextReference = (world: World, workspaceId: string): string =>
  `C-${String(world.next(`customer of ${workspaceId}`)).padStart(6, '0')}`;

/** Refuses a customer that nobody could tell from others. Ours: the upstream does not say what it takes. */
export function requireName({ title, customer_name }: Pick<CustomerRow, 'title' | 'customer_name'>): void {
  if (title.trim() === '' && customer_name.trim() === '') throw invalid('A title or a customer_name must be given, but both are blank.');
}

/** What customers and portfolios are made from. */
type NewCustomer = Omit<CreateCustomerRequest, '$typeName' | '$unknown'>;

/** Makes a customer; with a contact's id, a portfolio. */
export function createCustomer(call: Call, given: NewCustomer, contactId = ''): CustomerRow {
  const { title, customerName = '', expectedCloseDate } = given;
  requireName({ title, customer_name: customerName });
  const id = call.id();
  const reference = nextReference(call.world, call.workspaceId);
  call.store.insert('customers', {
    id,
    workspace_id: call.workspaceId,
    title,
    custom_fields: JSON.stringify(patchFields(dataFieldTypes(call), {}, given.customFields)),
    reference_number: reference,
    customer_name: customerName,
    email: given.email ?? '',
    phone: normalizePhone(given.phone ?? '', given.phoneCountry),
    expected_close_date: expectedCloseDate === undefined ? null : Number(expectedCloseDate),
    contact_id: contactId,
    journey_status_id: '',
    created_at: call.now,
    updated_at: call.now,
  });
  const kind = contactId === '' ? 'customer' : 'portfolio';
  call.timeline(id, { eventType: `${kind}_created`, entityType: kind, entityId: id, summary: `The ${kind} ${reference} was created.` });
  return customerOf(call, id);
}

/** Writes to the timeline which fields changed. Their values stay out of it: not everybody may see them. */
export function noteUpdate(call: Call, id: string, changed: readonly string[]): void {
  call.timeline(id, {
    eventType: 'customer_updated',
    entityType: 'customer',
    entityId: id,
    summary: `Changed: ${changed.join(', ')}.`,
    audience: 'audit',
  });
}

function jsonOf(name: string, value: Value): JsonValue {
  try {
    return toJson(ValueSchema, value);
  } catch {
    throw invalid(`The data field ${name} must be a JSON value.`); // A number too large for JSON, such as 1e999.
  }
}

/** Changes the data fields that `patch` names. What changes nothing leaves no trace. */
export function patchCustomerFields(call: Call, row: CustomerRow, patch: Readonly<Record<string, Value>>): CustomerRow {
  const before = fieldsOf(row);
  const values = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, jsonOf(name, value)]));
  const after = patchFields(dataFieldTypes(call), before, values);
  const own = (fields: Record<string, string>, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const changed = Object.keys(values).filter((name) => own(before, name) !== own(after, name));
  if (changed.length === 0) return row;
  call.store.run('UPDATE customers SET custom_fields = :fields, updated_at = :now WHERE id = :id', {
    id: row.id,
    fields: JSON.stringify(after),
    now: call.now,
  });
  noteUpdate(call, row.id, changed);
  return customerOf(call, row.id);
}
