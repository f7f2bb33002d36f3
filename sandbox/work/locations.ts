import type { MessageInitShape } from '@bufbuild/protobuf';
import { PublicDataFieldType } from '../../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import type { WorkOrderLocationRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import type { CustomerRow } from '../customers/customerRecords.ts';
import { dataFieldTable } from '../customers/dataFields.ts';
import type { CallContext } from '../kernel/call.ts';
import { invalidArgument, notFound, permissionDenied } from '../kernel/errors.ts';
import type { RowOf, Scope } from '../kernel/table.ts';
import { getVisibleFields } from '../kernel/visibility.ts';

/** A data field that contains locations. */
type LocationField = RowOf<typeof dataFieldTable>;

/** The workspace's data fields with locations, in list order. */
export const listLocationFields = ({ store, workspaceId }: Scope): LocationField[] =>
  dataFieldTable.list(store, { workspace_id: workspaceId, type: PublicDataFieldType.LOCATION }, 'position');

/** Looks up a data field with locations by ID. Undefined if the workspace doesn't have it. */
export const findLocationField = (scope: Scope, id: string): LocationField | undefined =>
  listLocationFields(scope).find((field) => field.id === id);

/** The data fields with locations that the caller's Customer View contains. */
export function listVisibleLocationFields(call: CallContext): LocationField[] {
  const seen = getVisibleFields(call);
  return listLocationFields(call).filter(({ name }) => seen?.has(name) ?? true);
}

/** Looks up a data field with locations by ID. Throws if the workspace doesn't have it, or if the caller's Customer View hides it, without its name. */
export function requireLocationField(call: CallContext, id: string): LocationField {
  const field = findLocationField(call, id);
  if (!field) throw notFound('location data field', id);
  if (!listVisibleLocationFields(call).some((each) => each.id === id)) throw permissionDenied('location data field', id);
  return field;
}

function parsePlace(customer: CustomerRow, { name }: LocationField): Readonly<Record<string, unknown>> | undefined {
  const fields = JSON.parse(customer.custom_fields) as Readonly<Record<string, string>>;
  const text = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return text === undefined ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>);
}

/** The address as one line. Undefined for a location without an address. */
function formatLine(place: Readonly<Record<string, unknown>>): string | undefined {
  const { street, house_number, zipcode, city, full_address, latitude, longitude } = place;
  const joined = [
    [street, house_number],
    [zipcode, city],
  ]
    .map((words) => words.filter(Boolean).join(' '))
    .filter(Boolean);
  const line = full_address || joined.join(', ') || (latitude === undefined ? '' : `${latitude}, ${longitude}`);
  return line === '' ? undefined : String(line);
}

type Location = MessageInitShape<typeof WorkOrderLocationRecordSchema>;

/** The location in a data field of a customer. Undefined if it has no value. The row excludes fields that are hidden from the caller. */
export function findLocation(
  call: CallContext,
  customer: CustomerRow,
  fieldId: string,
  preferredId: string | undefined,
): Location | undefined {
  const field = findLocationField(call, fieldId);
  const place = field && parsePlace(customer, field);
  const line = place && formatLine(place);
  return line === undefined
    ? undefined
    : { locationDataFieldId: fieldId, label: `${field?.label}: ${line}`, isPreferred: fieldId === preferredId };
}

/** The ID of the data field. Throws if the caller's Customer View hides it, or if the customer has no value for it. */
export function requireLocation(call: CallContext, customer: CustomerRow, fieldId: string): string {
  const field = requireLocationField(call, fieldId);
  if (!findLocation(call, customer, fieldId, undefined)) {
    throw invalidArgument(`location_data_field_id must be a field that has a value for the customer, but ${field.name} is empty.`);
  }
  return fieldId;
}

/** The default location of a new work order: the template's, if the customer has a value for it. */
export function findPreferredLocation(call: CallContext, customer: CustomerRow, preferredId: string | undefined): string {
  if (preferredId && findLocation(call, customer, preferredId, preferredId)) return preferredId;
  throw invalidArgument(
    'location_data_field_id is required, because no template specifies a location that the customer has and the member’s Customer View includes.',
  );
}
