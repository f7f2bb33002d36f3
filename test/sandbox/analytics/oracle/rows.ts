import type { DescEnum } from '@bufbuild/protobuf';
import type { Store } from '../../../../sandbox/kernel/store.ts';
import { AnalyticsFieldType as FieldType } from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import {
  PublicAppointmentSourceSchema,
  PublicAppointmentStatusSchema,
} from '../../../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { PublicOrderStatusSchema } from '../../../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import {
  PublicPaymentProviderSchema,
  PublicPaymentStatusSchema,
} from '../../../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { PublicProblemStatusSchema } from '../../../../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import { PublicQuoteStatusSchema } from '../../../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { PublicWorkOrderStatusSchema } from '../../../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { getDecimalPlaces, type Value } from './values.ts';

type Raw = Readonly<Record<string, unknown>>;

/** A row of a root: the values of its fields, by name. */
export type Row = Readonly<Record<string, Value>>;

/** Reads a field from a row of the database. */
interface Reader {
  readonly type: FieldType;
  read(raw: Raw, all: Tables): Value;
}

/** The workspace's rows, by table. */
type Tables = Readonly<Record<string, readonly Raw[]>>;

const column = (raw: Raw, name: string) => {
  const value = raw[name];
  if (value === undefined) throw new Error(`There is no column ${name}.`);
  return value;
};

const text = (name: string): Reader => ({ type: FieldType.TEXT, read: (raw) => ({ text: String(column(raw, name)) }) });
const optionalText = (name: string): Reader => ({
  type: FieldType.TEXT,
  read: (raw) => (column(raw, name) === '' || raw[name] === null ? null : { text: String(raw[name]) }),
});
const readEnumValue = (name: string, { values }: DescEnum): Reader => ({
  type: FieldType.TEXT,
  read: (raw) => ({ text: values.find(({ number }) => number === column(raw, name))?.name ?? 'no word' }),
});
const integer = (read: (raw: Raw, all: Tables) => number): Reader => ({
  type: FieldType.INTEGER,
  read: (raw, all) => ({ integer: BigInt(read(raw, all)) }),
});
const readTimestamp = (name: string): Reader => ({
  type: FieldType.TIMESTAMP,
  read: (raw) => (column(raw, name) === null ? null : { moment: BigInt(Number(raw[name])) * 1_000_000n }),
});
const flag = (name: string): Reader => ({ type: FieldType.BOOLEAN, read: (raw) => ({ boolean: column(raw, name) === 1 }) });
/** Amounts of a row with an unresolved snapshot are unknown. */
const money = (name: string, kind?: 'order' | 'offer'): Reader => ({
  type: FieldType.MONEY,
  read: (raw, all) => {
    const isUnresolved = all.unresolved_snapshots?.some((other) => other.kind === kind && other.record_id === raw.id);
    if (isUnresolved) return 'unavailable';
    const currency = String(raw.currency);
    return { money: { amount: { unscaled: BigInt(Number(column(raw, `${name}_minor`))), scale: getDecimalPlaces(currency) }, currency } };
  },
});
const seconds = (raw: Raw) => Number(raw.ends_at) - Number(raw.starts_at);
const totals = (kind: 'order' | 'offer') => ({
  total_once: money('total_once', kind),
  total_monthly: money('total_monthly', kind),
  total_yearly: money('total_yearly', kind),
});
const CHANGES = { created_at: readTimestamp('created_at'), updated_at: readTimestamp('updated_at') };

interface Root {
  readonly table: string;
  readonly where?: (raw: Raw) => boolean;
  readonly fields: Readonly<Record<string, Reader>>;
}

const ROOTS: Readonly<Record<string, Root>> = {
  customers: {
    table: 'customers',
    fields: {
      id: text('id'),
      title: text('title'),
      reference_number: text('reference_number'),
      contact_id: optionalText('contact_id'),
      journey_status_id: optionalText('journey_status_id'),
      expected_close_date: readTimestamp('expected_close_date'),
      ...CHANGES,
    },
  },
  appointments: {
    table: 'appointments',
    fields: {
      id: text('id'),
      status: readEnumValue('status', PublicAppointmentStatusSchema),
      source: readEnumValue('source', PublicAppointmentSourceSchema),
      agenda_id: text('agenda_id'),
      appointment_type_id: text('appointment_type_id'),
      member_id: optionalText('member_id'),
      customer_id: optionalText('customer_id'),
      work_order_id: optionalText('work_order_id'),
      starts_at: readTimestamp('starts_at'),
      ends_at: readTimestamp('ends_at'),
      duration_minutes: integer((raw) => Math.floor(seconds(raw) / 60)),
      duration_hours: {
        type: FieldType.DECIMAL,
        read: (raw) => ({ decimal: { unscaled: BigInt(Math.floor(seconds(raw) / 36)), scale: 2 } }),
      },
      ...CHANGES,
      cancelled_at: readTimestamp('cancelled_at'),
    },
  },
  orders: {
    table: 'orders',
    fields: {
      id: text('id'),
      customer_id: text('customer_id'),
      quote_id: text('quote_id'),
      status: readEnumValue('status', PublicOrderStatusSchema),
      reference_number: text('reference_number'),
      currency: text('currency'),
      ...totals('order'),
      ...CHANGES,
      cancelled_at: readTimestamp('cancelled_at'),
    },
  },
  offers: {
    table: 'quotes',
    fields: {
      id: text('id'),
      customer_id: text('customer_id'),
      status: readEnumValue('status', PublicQuoteStatusSchema),
      reference_number: text('reference_number'),
      pricing_country: text('pricing_country'),
      version: integer((raw) => Number(raw.version)),
      currency: text('currency'),
      ...totals('offer'),
      order_id: optionalText('order_id'),
      ...CHANGES,
    },
  },
  workorders: {
    table: 'work_orders',
    fields: {
      id: text('id'),
      customer_id: text('customer_id'),
      work_order_template_id: optionalText('work_order_template_id'),
      status: readEnumValue('status', PublicWorkOrderStatusSchema),
      title: text('title'),
      task_count: integer((raw, all) => (all.work_order_tasks ?? []).filter((task) => task.work_order_id === raw.id).length),
      ...CHANGES,
      completed_at: readTimestamp('completed_at'),
      cancelled_at: readTimestamp('cancelled_at'),
    },
  },
  problems: {
    table: 'problems',
    fields: {
      id: text('id'),
      title: text('title'),
      status: readEnumValue('status', PublicProblemStatusSchema),
      portfolio_id: text('portfolio_id'),
      customer_id: optionalText('customer_id'),
      problem_template_id: optionalText('problem_template_id'),
      manual_solving_disabled: flag('manual_solving_disabled'),
      ...CHANGES,
      resolved_at: readTimestamp('resolved_at'),
    },
  },
  payments: {
    table: 'payments',
    fields: {
      id: text('id'),
      order_id: text('order_id'),
      customer_id: text('customer_id'),
      provider: readEnumValue('provider', PublicPaymentProviderSchema),
      status: readEnumValue('status', PublicPaymentStatusSchema),
      currency: text('currency'),
      amount: money('amount'),
      received: money('received'),
      ...CHANGES,
      paid_at: readTimestamp('paid_at'),
    },
  },
  appointment_results: {
    table: 'appointments',
    where: (raw) => raw.result_code_id !== null,
    fields: {
      id: text('id'),
      result_code_id: text('result_code_id'),
      result: {
        type: FieldType.TEXT,
        read: (raw, all) => ({
          text: String(all.appointment_result_codes?.find((code) => code.id === raw.result_code_id)?.name),
        }),
      },
      appointment_type_id: text('appointment_type_id'),
      member_id: optionalText('member_id'),
      recorder_id: optionalText('recorder_id'),
      customer_id: optionalText('customer_id'),
      starts_at: readTimestamp('starts_at'),
      recorded_at: readTimestamp('recorded_at'),
    },
  },
};

/** Whether two fields have the same text. */
const same = (left: Value | undefined, right: Value | undefined): boolean =>
  left !== null &&
  right !== null &&
  typeof left === 'object' &&
  typeof right === 'object' &&
  'text' in left &&
  'text' in right &&
  left.text === right.text;

interface Relationship {
  readonly entity: string;
  readonly joins: (row: Row, other: Row) => boolean;
}

const by = (entity: string, field: string, otherField: string): Relationship => ({
  entity,
  joins: (row, other) => same(row[field], other[otherField]),
});
const CUSTOMER = by('customers', 'customer_id', 'id');

/** The relationships of each root, by name. */
const RELATIONSHIPS: Readonly<Record<string, Readonly<Record<string, Relationship>>>> = {
  customers: {
    orders: by('orders', 'id', 'customer_id'),
    offers: by('offers', 'id', 'customer_id'),
    workorders: by('workorders', 'id', 'customer_id'),
    problems: { entity: 'problems', joins: (row, other) => same(row.id, other.customer_id) || same(row.id, other.portfolio_id) },
    payments: by('payments', 'id', 'customer_id'),
    appointments: by('appointments', 'id', 'customer_id'),
    appointment_results: by('appointment_results', 'id', 'customer_id'),
  },
  appointments: {
    customer: CUSTOMER,
    workorder: by('workorders', 'work_order_id', 'id'),
    result: by('appointment_results', 'id', 'id'),
  },
  orders: { customer: CUSTOMER, offer: by('offers', 'quote_id', 'id'), payments: by('payments', 'id', 'order_id') },
  offers: { customer: CUSTOMER, order: by('orders', 'order_id', 'id') },
  workorders: { customer: CUSTOMER, appointments: by('appointments', 'id', 'work_order_id') },
  problems: { customer: CUSTOMER, portfolio: by('customers', 'portfolio_id', 'id') },
  payments: { customer: CUSTOMER, order: by('orders', 'order_id', 'id') },
  appointment_results: { customer: CUSTOMER, appointment: by('appointments', 'id', 'id') },
};

function findOrThrow<Thing>(things: Readonly<Record<string, Thing>> | undefined, name: string): Thing {
  const thing = things?.[name];
  if (thing === undefined) throw new Error(`The oracle knows no ${name}.`);
  return thing;
}

/** All records of a workspace, as fields of the catalog. */
export interface Records {
  rows(entity: string): readonly Row[];
  typeOf(entity: string, field: string): FieldType;
  relationship(entity: string, name: string): Relationship;
}

/** Reads all records of a workspace. */
export function readRecords(store: Store, workspaceId: string): Records {
  const names = [...new Set(Object.values(ROOTS).map((root) => root.table)), 'appointment_result_codes', 'unresolved_snapshots'];
  const owned = (name: string) => store.all<Raw>(`SELECT * FROM main.${name}`).filter((raw) => raw.workspace_id === workspaceId);
  const tables: Tables = {
    ...Object.fromEntries(names.map((name) => [name, owned(name)])),
    work_order_tasks: store.all<Raw>('SELECT * FROM main.work_order_tasks'),
  };
  const read = ({ table, where = () => true, fields }: Root): Row[] =>
    findOrThrow(tables, table)
      .filter(where)
      .map((raw) => Object.fromEntries(Object.entries(fields).map(([name, reader]) => [name, reader.read(raw, tables)])));
  const rows = Object.fromEntries(Object.entries(ROOTS).map(([name, root]) => [name, read(root)]));
  return {
    rows: (entity) => findOrThrow(rows, entity),
    typeOf: (entity, field) => findOrThrow(findOrThrow(ROOTS, entity).fields, field).type,
    relationship: (entity, name) => findOrThrow(RELATIONSHIPS[entity], name),
  };
}
