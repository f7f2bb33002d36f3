import type { DescEnum } from '@bufbuild/protobuf';
import { unresolvedSnapshotTable } from '../../../../sandbox/analytics/snapshots.ts';
import type { Bindings, Store } from '../../../../sandbox/kernel/store.ts';
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
import { fc } from '../../../support/seeded.ts';
import { demoId } from '../../sandbox.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

/** Timestamps at the start of days, weeks, years and clock changes, and one second earlier. */
const EDGES = [
  '2026-03-29T01:00:00Z',
  '2025-10-26T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2025-11-02T06:00:00Z',
  '2025-12-31T23:00:00Z',
  '2026-01-01T00:00:00Z',
  '2026-03-01T23:00:00Z',
  '2026-03-02T05:00:00Z',
  '2026-03-01T18:15:00Z',
  '2025-04-24T22:00:00Z',
  '2025-09-07T04:00:00Z',
  '2025-10-04T15:30:00Z',
  '2024-02-28T23:00:00Z',
  '2011-12-30T10:00:00Z',
].flatMap((text) => [seconds(text), seconds(text) - 1]);

export const timestampArb = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.integer({ min: seconds('2023-01-01T00:00:00Z'), max: seconds('2026-12-31T00:00:00Z') }),
);
/** Rarely missing. */
const optionalTimestampArb = fc.option(timestampArb, { freq: 3 });
const amountArb = fc.oneof(fc.constantFrom(0, 1, -5, 100, 100, 250), fc.integer({ min: -1_000_000, max: 9_999_999_999 }));
const currencyArb = fc.constantFrom('EUR', 'EUR', 'USD', 'JPY', 'KWD');
const titleArb = fc.constantFrom('', 'Boiler', 'boiler', 'Zonnepaneel Ü', '100% _x\\', '😀', '\uFF5E', "o'clock");
const memberIdArb = fc.constantFrom('', demoId('member owner'), demoId('member planner'));
const wordArb = ({ values }: DescEnum) => fc.constantFrom(...values.map(({ number }) => number).filter((number) => number !== 0));

/** An ID of one of `count` records, or of one of two missing ones. */
const idArb = (kind: string, count: number) => fc.nat(count + 1).map((index) => `${kind}${index}`);
const optionalIdArb = (kind: string, count: number) => fc.oneof(fc.constant(''), idArb(kind, count));

const COUNTS = { customers: 6, orders: 12, quotes: 10, work_orders: 8, appointments: 14, problems: 8, payments: 12 } as const;
const KINDS = { customers: 'c', orders: 'o', quotes: 'q', work_orders: 'w', appointments: 'a', problems: 'p', payments: 'y' } as const;
type Name = keyof typeof COUNTS;

const CUSTOMER_ID = idArb(KINDS.customers, COUNTS.customers);
const OPTIONAL_CUSTOMER_ID = optionalIdArb(KINDS.customers, COUNTS.customers);
const CHANGES = { created_at: timestampArb, updated_at: timestampArb };
const TOTALS = { currency: currencyArb, total_once_minor: amountArb, total_monthly_minor: amountArb, total_yearly_minor: amountArb };

type Columns = Readonly<Record<string, fc.Arbitrary<string | number | null>>>;

const RANDOM: Readonly<Record<Name, Columns>> = {
  customers: {
    title: titleArb,
    contact_id: optionalIdArb('k', 2),
    journey_status_id: optionalIdArb('j', 2),
    expected_close_date: optionalTimestampArb,
    ...CHANGES,
  },
  orders: { customer_id: CUSTOMER_ID, status: wordArb(PublicOrderStatusSchema), ...TOTALS, ...CHANGES, cancelled_at: optionalTimestampArb },
  quotes: {
    customer_id: CUSTOMER_ID,
    status: wordArb(PublicQuoteStatusSchema),
    version: fc.integer({ min: 1, max: 4 }),
    pricing_country: fc.constantFrom('NL', 'DE'),
    order_id: optionalIdArb(KINDS.orders, COUNTS.orders),
    ...TOTALS,
    ...CHANGES,
  },
  work_orders: {
    customer_id: CUSTOMER_ID,
    work_order_template_id: optionalIdArb('t', 2),
    status: wordArb(PublicWorkOrderStatusSchema),
    title: titleArb,
    ...CHANGES,
    completed_at: optionalTimestampArb,
    cancelled_at: optionalTimestampArb,
  },
  appointments: {
    status: wordArb(PublicAppointmentStatusSchema),
    source: wordArb(PublicAppointmentSourceSchema),
    agenda_id: fc.constantFrom(demoId('agenda visits'), demoId('agenda support')),
    appointment_type_id: fc.constantFrom(demoId('appointment type survey'), demoId('appointment type call')),
    member_id: memberIdArb,
    customer_id: OPTIONAL_CUSTOMER_ID,
    work_order_id: optionalIdArb(KINDS.work_orders, COUNTS.work_orders),
    starts_at: timestampArb,
    length: fc.oneof(fc.constantFrom(0, 1800, 3600, 3600), fc.nat(20_000)),
    ...CHANGES,
    cancelled_at: optionalTimestampArb,
    recorder_id: memberIdArb,
    recorded_at: timestampArb,
    result: fc.constantFrom(null, 0, 1, 2),
  },
  problems: {
    title: titleArb,
    status: wordArb(PublicProblemStatusSchema),
    portfolio_id: CUSTOMER_ID,
    customer_id: OPTIONAL_CUSTOMER_ID,
    problem_template_id: optionalIdArb('m', 2),
    manual_solving_disabled: fc.constantFrom(0, 1),
    ...CHANGES,
    resolved_at: optionalTimestampArb,
  },
  payments: {
    order_id: fc.nat(COUNTS.orders - 1).map((index) => `${KINDS.orders}${index}`),
    customer_id: CUSTOMER_ID,
    provider: wordArb(PublicPaymentProviderSchema),
    status: wordArb(PublicPaymentStatusSchema),
    currency: currencyArb,
    amount_minor: amountArb,
    received_minor: amountArb,
    ...CHANGES,
    paid_at: optionalTimestampArb,
  },
};

/** Values of the columns that no catalog field uses. */
const SILENT: Readonly<Record<Name, Bindings>> = {
  customers: { customer_name: '', email: '', phone: '', custom_fields: '{}' },
  orders: { version: 1, cancellation_reason: '' },
  quotes: { title: '' },
  work_orders: { description: '', location_data_field_id: '' },
  appointments: { description: '' },
  problems: { description: '' },
  payments: { external_operation_id: '', description: '' },
};

const NUMBERED: Readonly<Record<string, string>> = { customers: 'C', orders: 'O', quotes: 'Q' };

/** A generated row, and whether it belongs to another workspace. */
type Drawn = Readonly<Record<string, string | number | null>> & { readonly isElsewhere: number };

export interface DrawnWorld {
  readonly now: number;
  readonly tables: Readonly<Record<Name, readonly Drawn[]>>;
  /** Number of tasks of each work order. */
  readonly tasks: readonly number[];
  readonly unresolved: readonly (readonly ['order' | 'offer', string])[];
}

const NAMES = Object.keys(COUNTS) as Name[];

const tableArb = (name: Name): fc.Arbitrary<Drawn[]> =>
  fc.array(fc.record({ ...RANDOM[name], isElsewhere: fc.constantFrom(0, 0, 0, 0, 0, 1) }) as fc.Arbitrary<Drawn>, {
    minLength: COUNTS[name],
    maxLength: COUNTS[name],
    size: 'max',
  });

const unresolvedArb = fc.oneof(
  fc.nat(COUNTS.orders).map((index) => ['order', `${KINDS.orders}${index}`] as const),
  fc.nat(COUNTS.quotes).map((index) => ['offer', `${KINDS.quotes}${index}`] as const),
);

/** Current times of worlds, including days with a missing or repeated hour, and the last day of a month. */
const nowArb = fc.oneof(
  { weight: 2, arbitrary: fc.constant(seconds('2026-03-02T09:00:00Z')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(seconds('2026-03-29T12:00:00Z'), seconds('2025-10-26T00:30:00Z'), seconds('2024-02-29T23:30:00Z')),
  },
  { weight: 1, arbitrary: fc.constantFrom(seconds('2025-12-31T23:30:00Z'), seconds('2026-05-31T10:00:00Z')) },
);

/** Records of a workspace with equal and missing values, several currencies, unresolved snapshots, and timestamps at clock changes. */
export const worldArb: fc.Arbitrary<DrawnWorld> = fc.record({
  now: nowArb,
  tables: fc.record(Object.fromEntries(NAMES.map((name) => [name, tableArb(name)]))) as fc.Arbitrary<DrawnWorld['tables']>,
  tasks: fc.array(fc.nat(3), { minLength: COUNTS.work_orders, maxLength: COUNTS.work_orders }),
  unresolved: fc.uniqueArray(unresolvedArb, { maxLength: 4, selector: (pair) => pair.join() }),
});

/** Columns that depend on other columns. */
function deriveColumns(name: Name, row: Drawn, index: number, results: readonly string[]): Bindings {
  if (name === 'orders') return { quote_id: `${KINDS.quotes}${index}` };
  if (name !== 'appointments') return {};
  const result = row.result === null ? null : (results[Number(row.result)] ?? null);
  return {
    ends_at: Number(row.starts_at) + Number(row.length),
    result_code_id: result,
    result_notes: null,
    recorder_id: result && (row.recorder_id ?? null),
    recorded_at: result && (row.recorded_at ?? null),
  };
}

/** Replaces the records of a store with a generated world. */
export function putWorld(store: Store, workspaceId: string, { tables, tasks, unresolved }: DrawnWorld): void {
  const results = store.all<{ id: string }>('SELECT id FROM main.appointment_result_codes WHERE workspace_id = :workspaceId ORDER BY id', {
    workspaceId,
  });
  // Other tables refer to deleted records, but no query reads them.
  store.exec('PRAGMA foreign_keys = OFF');
  store.transaction(() => {
    for (const name of ['work_order_tasks', 'unresolved_snapshots', ...NAMES]) store.run(`DELETE FROM ${name} WHERE TRUE`);
    for (const name of NAMES)
      for (const [index, row] of tables[name].entries()) {
        const { isElsewhere, length: _, result: __, ...columns } = row;
        const id = `${KINDS[name]}${index}`;
        const number = NUMBERED[name] ? { reference_number: `${NUMBERED[name]}-${index}` } : {};
        const own = { id, workspace_id: isElsewhere ? 'elsewhere' : workspaceId };
        store.insert(name, {
          ...SILENT[name],
          ...columns,
          ...number,
          ...deriveColumns(
            name,
            row,
            index,
            results.map((each) => each.id),
          ),
          ...own,
        });
      }
    for (const [index, count] of tasks.entries())
      for (let position = 0; position < count; position += 1)
        store.insert('work_order_tasks', {
          id: `task ${index} ${position}`,
          body: 'Do',
          is_completed: 0,
          completed_at: null,
          work_order_id: `${KINDS.work_orders}${index}`,
          position,
        });
    for (const [kind, record_id] of unresolved) unresolvedSnapshotTable.insert(store, { workspace_id: workspaceId, kind, record_id });
  });
}
