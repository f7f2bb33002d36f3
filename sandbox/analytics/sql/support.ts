import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsSqlSupportSchema,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';

/** Part of the catalog: the functions, and an example query for each part of the language. */
export const SQL_SUPPORT: MessageInitShape<typeof AnalyticsSqlSupportSchema> = {
  functions: ['svc.timezone', 'svc.calendar_range', 'svc.timestamp_range', 'svc.bucket', 'contains', 'current_member'],
  aggregations: [
    Aggregation.COUNT,
    Aggregation.COUNT_DISTINCT,
    Aggregation.SUM,
    Aggregation.AVG,
    Aggregation.MIN,
    Aggregation.MAX,
    Aggregation.PERCENTILE_DISC,
  ],
  examples: [
    "SELECT status, count(*) FROM workorders WHERE svc.timezone('Europe/Amsterdam') GROUP BY status ORDER BY count DESC NULLS LAST LIMIT 20",
    "SELECT svc.bucket('month', created_at) AS month, currency, sum(total_once) AS revenue FROM orders WHERE svc.timezone('Europe/Amsterdam') AND svc.calendar_range(created_at, '2026-01-01', '2026-12-31') AND status <> 'PUBLIC_ORDER_STATUS_CANCELLED' GROUP BY month, currency ORDER BY month ASC NULLS LAST LIMIT 100",
    "SELECT id, title, created_at FROM customers WHERE svc.timezone('UTC') AND contains(title, 'Jansen') AND EXISTS (SELECT 1 FROM orders WHERE orders.customer_id = customers.id AND EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.id AND paid_at IS NULL)) ORDER BY created_at DESC NULLS LAST LIMIT 50",
    "SELECT count(*) FROM problems WHERE svc.timezone('UTC') AND EXISTS (SELECT 1 FROM customers WHERE customers.id = problems.portfolio_id AND title = 'North') LIMIT 1",
    "SELECT status, count(*), count(DISTINCT customer_id) AS customers, avg(duration_hours), percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_hours) AS longest FROM appointments WHERE svc.timezone('Europe/Amsterdam') AND svc.timestamp_range(starts_at, '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z') AND member_id = current_member() AND (duration_hours >= 0.5 OR work_order_id IS NOT NULL) GROUP BY status LIMIT 10",
  ],
};
