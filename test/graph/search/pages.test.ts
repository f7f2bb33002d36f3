import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** Fields of each search's records that the index has, and fields that only the record has. */
const SEARCHES = {
  orderSearch: {
    table: 'orders',
    orderBy: ['CREATED_AT', 'UPDATED_AT', 'CANCELLED_AT', 'STATUS'],
    covered:
      'status statusText referenceNumber currencyCode totalOnce { minorUnits } totalMonthly { minorUnits } totalYearly { minorUnits } createdAt updatedAt cancelledAt customer { id } quote { id }',
    record: 'paid { minorUnits } lines { id }',
  },
  quoteSearch: {
    table: 'quotes',
    orderBy: ['CREATED_AT', 'UPDATED_AT', 'STATUS'],
    covered:
      'status statusText referenceNumber version currencyCode totalOnce { minorUnits } createdAt updatedAt customer { id } order { id }',
    record: 'title',
  },
  paymentSearch: {
    table: 'payments',
    orderBy: ['CREATED_AT', 'UPDATED_AT', 'PAID_AT', 'STATUS'],
    covered:
      'status provider currencyCode amount { minorUnits } received { minorUnits } createdAt updatedAt paidAt customer { id } order { id }',
    record: 'description',
  },
  workOrderSearch: {
    table: 'work_orders',
    orderBy: ['CREATED_AT', 'UPDATED_AT', 'COMPLETED_AT', 'CANCELLED_AT', 'STATUS'],
    covered: 'status title createdAt updatedAt completedAt cancelledAt customer { id } template { id }',
    record: 'description',
  },
  problemSearch: {
    table: 'problems',
    orderBy: ['CREATED_AT', 'UPDATED_AT', 'RESOLVED_AT', 'STATUS'],
    covered: 'status title createdAt updatedAt resolvedAt portfolio { id } customer { id }',
    record: 'description',
  },
  appointmentSearch: {
    table: 'appointments',
    orderBy: ['CREATED_AT', 'UPDATED_AT', 'STARTS_AT', 'ENDS_AT', 'CANCELLED_AT', 'STATUS'],
    covered: 'status source startsAt endsAt createdAt updatedAt cancelledAt agenda { id } member { id } customer { id } workOrder { id }',
    record: 'description',
  },
  customerSearch: {
    table: 'customers',
    orderBy: ['CREATED_AT', 'UPDATED_AT', 'EXPECTED_CLOSE_AT'],
    covered: 'title referenceNumber expectedCloseAt createdAt updatedAt contact { id }',
    record: 'email',
  },
} as const;

describe.each(Object.entries(SEARCHES))('%s', (name, { covered, record }) => {
  it('returns from the index what the record returns', async () => {
    const [page, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${name}(first: 50) { nodes { id ${covered} } } }`));
    const [whole, readCalls] = await testGraph.recordCalls(() =>
      testGraph.execute(`{ ${name}(first: 50) { nodes { id ${record} ${covered} } } }`),
    );
    expect(page.errors).toBeUndefined();
    expect(whole.data[name].nodes).toMatchObject(page.data[name].nodes);
  });
});
