import { toGlobalId } from '../../src/schema/kit/globalIds.ts';
import { demoId } from '../sandbox/sandbox.ts';

/** Arguments with which each read-only tool returns records. */
export const READS: Readonly<Record<string, object>> = {
  agenda_list: {},
  analytics_catalog: {},
  analytics_query: { sql: "SELECT count(*) FROM orders WHERE svc.timezone('Europe/Amsterdam') LIMIT 100" },
  appointment_search: { statuses: ['SCHEDULED'] },
  customer_overview: { customerId: demoId('customer 0') },
  customer_search: {},
  find_customer: { query: 'C-00000' },
  find_product: { query: 'a' },
  free_times: {
    agendaId: toGlobalId('Agenda', demoId('agenda visits')),
    appointmentTypeId: toGlobalId('AppointmentType', demoId('appointment type survey')),
    day: '2026-03-10',
  },
  member_list: {},
  open_quotes: { customerId: demoId('customer 0') },
  open_work_orders: {},
  order_search: { statuses: ['OPEN', 'FULFILLED'] },
  order_status: { orderId: demoId('order 0') },
  payment_search: {},
  payments_of_order: { orderId: demoId('order 0') },
  planner_day: { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' },
  problem_list: { customerId: demoId('customer 0') },
  problem_search: {},
  quote_search: { query: 'Q-' },
  stock_of_product: { productId: demoId('product 1') },
  unpaid_invoices: { customerId: demoId('customer 0') },
  work_order_search: {},
};
