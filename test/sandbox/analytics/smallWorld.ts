import { beforeAll } from 'vitest';
import { PublicAppointmentStatus } from '../../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { PublicOrderStatus } from '../../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';
import { all, compare, createQuery, measure, sendQuery, sortBy } from './queryHelpers.ts';
import { addRow } from './rows.ts';

const { OPEN, FULFILLED, CANCELLED } = PublicOrderStatus;
const toUnixSeconds = (text: string) => Date.parse(text) / 1_000;
/** The value of an order status. */
export const createEnumValue = (status: 'OPEN' | 'CANCELLED') => ({ text: `PUBLIC_ORDER_STATUS_${status}` });

/** Five orders that tests identify by their reference numbers. */
const ORDERS = [
  {
    reference_number: 'small 1',
    status: OPEN,
    currency: 'EUR',
    total_once_minor: 1_000,
    created_at: toUnixSeconds('2026-01-05T10:00:00Z'),
  },
  {
    reference_number: 'small 2',
    status: OPEN,
    currency: 'EUR',
    total_once_minor: 2_001,
    created_at: toUnixSeconds('2026-01-20T10:00:00Z'),
  },
  {
    reference_number: 'small 3',
    status: FULFILLED,
    currency: 'EUR',
    total_once_minor: 3_001,
    created_at: toUnixSeconds('2026-02-10T10:00:00Z'),
  },
  { reference_number: 'small 4', status: OPEN, currency: 'USD', total_once_minor: 500, created_at: toUnixSeconds('2026-02-11T10:00:00Z') },
  {
    reference_number: 'small 5',
    status: CANCELLED,
    currency: 'JPY',
    total_once_minor: 700,
    created_at: toUnixSeconds('2026-02-12T10:00:00Z'),
  },
];

/** Durations in minutes of four appointments of a customer that has no others. */
const MINUTES = [30, 60, 90, 120];

/** The customer of the appointments. */
export const CUSTOMER = 'analytics customer';

/** Matches only these orders. */
export const SMALL = compare('reference_number', 'CONTAINS', { text: 'small ' });
/** Matches only these appointments. */
export const OWN = compare('customer_id', 'EQ', { text: CUSTOMER });
export const COUNT = measure('COUNT');

/** A sandbox for the tests of one file with these orders and appointments, and helpers for querying them. */
export function useSmallWorld() {
  const opened = useSandbox();
  const ids: string[] = [];
  beforeAll(() => {
    const { world } = opened.sandbox;
    for (const [index, order] of ORDERS.entries()) {
      const rest = { quote_id: `small quote ${index}`, customer_id: demoId(`customer ${index === 4 ? 51 : 50}`) };
      const totals = { total_monthly_minor: 100, total_yearly_minor: 0 };
      const cancelled = order.status === CANCELLED ? toUnixSeconds('2026-03-01T00:00:00Z') : null;
      ids.push(addRow(world, 'orders', { ...order, ...rest, ...totals, cancelled_at: cancelled }));
    }
    for (const [index, minutes] of MINUTES.entries()) {
      const starts = START + index * 86_400;
      const member = ['', demoId('member owner'), demoId('member planner'), demoId('member planner')][index] ?? '';
      const status = index === 0 ? PublicAppointmentStatus.CANCELLED : PublicAppointmentStatus.SCHEDULED;
      const times = { starts_at: starts, ends_at: starts + minutes * 60, status };
      addRow(world, 'appointments', {
        ...times,
        customer_id: CUSTOMER,
        member_id: member,
        result_code_id: null,
        recorded_at: null,
        recorder_id: null,
      });
    }
  });
  const orders = (more: object, filter?: object) =>
    sendQuery(opened.call, createQuery('orders', { filter: filter ? all(SMALL, filter) : SMALL, ...more }));
  return {
    opened,
    /** IDs of the orders. */
    ids,
    orders,
    /** Numbers of the orders that match a filter. */
    numbersOf: async (filter: object) =>
      (await orders({ records: { fields: ['reference_number'] }, sort: [sortBy('reference_number')] }, filter)).rows.map(([number]) =>
        String(number).replace('small ', ''),
      ),
    visits: (measures: readonly object[], filter: object = OWN) =>
      sendQuery(opened.call, createQuery('appointments', { filter, aggregate: { measures } })),
  };
}
