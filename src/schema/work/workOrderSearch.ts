import { decodeWorkOrderRecord } from '../../upstream/contract/generated/decoders.ts';
import { defineSearch, describeQuery, searchCustomer } from '../search/searches.ts';
import { WorkOrder, WorkOrderStatus } from './workOrders.ts';

export const WorkOrderSearch = defineSearch(WorkOrder, 'work orders', {
  root: 'workorders',
  decode: decodeWorkOrderRecord,
  query: {
    description: describeQuery('title'),
    texts: ['title', searchCustomer()],
    customers: ['customer_id'],
  },
  filter: (f) => ({
    statuses: f.enumValues('status', WorkOrderStatus, 'Work orders with any of these statuses.'),
    customerIds: f.ids('customerId', 'Work orders of any of these customers.'),
    workOrderTemplateIds: f.ids('workOrderTemplateId', 'Work orders created from any of these templates.'),
    title: f.text('title', 'Title of the work order.'),
    createdAt: f.time('createdAt', 'When the work order was created.'),
    updatedAt: f.time('updatedAt', 'When the work order was last updated.'),
    completedAt: f.time('completedAt', 'When the work order was completed.'),
    cancelledAt: f.time('cancelledAt', 'When the work order was canceled.'),
    customer: f.related('customer', 'The customer of the work order matches.'),
    appointments: f.related('appointments', 'At least one appointment of the work order matches.'),
  }),
  orderBy: {
    createdAt: 'When the work order was created.',
    updatedAt: 'When the work order was last updated.',
    completedAt: 'When the work order was completed. Work orders that aren’t completed come last.',
    cancelledAt: 'When the work order was canceled. Work orders that weren’t canceled come last.',
    status: 'Status, in the order of `WorkOrderStatus`.',
  },
  facets: { byStatus: { member: 'status', enum: WorkOrderStatus, description: 'By status.' } },
});
