import { toGlobalId } from '../../src/schema/kit/globalIds.ts';
import { demoId } from '../sandbox/sandbox.ts';
import type { Records } from './contract/records.ts';

type Args = Readonly<Record<string, unknown>>;

/** A tool that performs a write. */
export interface PlannedChange {
  readonly tool: string;
  /** The upstream operation of the write. */
  readonly operation: string;
  /** Arguments for a valid call, with its own records. */
  readonly args: (records: Records) => Promise<Args>;
}

const PRODUCT = () => toGlobalId('Product', demoId('product 1'));
const createLocationId = (index: number) => toGlobalId('InventoryLocation', demoId(`location ${index}`));

/** All tools that perform writes. */
export const CHANGES: readonly PlannedChange[] = [
  {
    tool: 'appointment_book',
    operation: 'Appointment/CreateAppointment',
    args: async (records) => ({
      agendaId: demoId('agenda visits'),
      appointmentTypeId: demoId('appointment type survey'),
      customerId: await records.id('Customer'),
      startsAt: '2026-03-10T09:00:00Z',
    }),
  },
  {
    tool: 'appointment_cancel',
    operation: 'Appointment/CancelAppointment',
    args: async (records) => ({ appointmentId: await records.id('Appointment') }),
  },
  {
    tool: 'inventory_move',
    operation: 'Inventory/MoveInventory',
    args: async () => ({
      productId: PRODUCT(),
      sourceLocationId: createLocationId(0),
      destinationLocationId: createLocationId(1),
      quantity: 1,
    }),
  },
  {
    tool: 'invoice_send',
    operation: 'Invoice/SendInvoice',
    args: async (records) => ({ invoiceId: toGlobalId('Invoice', await records.id('Invoice')) }),
  },
  {
    tool: 'order_cancel',
    operation: 'Order/CancelOrder',
    args: async (records) => ({ orderId: await records.id('Order'), reason: 'Moved away.' }),
  },
  {
    tool: 'payment_refund',
    operation: 'Payment/CreateRefund',
    args: async (records) => ({ paymentId: await records.id('Payment'), minorUnits: '100', currencyCode: 'EUR' }),
  },
  {
    tool: 'problem_report',
    operation: 'Problem/CreateProblem',
    args: async (records) => ({ portfolioId: await records.id('Portfolio'), title: records.mark }),
  },
  { tool: 'quote_confirm', operation: 'Quote/ConfirmQuote', args: async (records) => ({ quoteId: await records.id('Quote') }) },
  {
    tool: 'quote_prepare',
    operation: 'Quote/CreateQuote',
    args: async (records) => ({ customerId: await records.id('Customer'), lines: [{ productId: PRODUCT(), quantity: 2 }] }),
  },
  {
    tool: 'stock_adjust',
    operation: 'Inventory/AdjustInventory',
    args: async () => ({ productId: PRODUCT(), locationId: createLocationId(0), quantityDelta: 1, reason: 'Counted.' }),
  },
  {
    tool: 'work_order_complete',
    operation: 'WorkOrder/CompleteWorkOrder',
    args: async (records) => {
      const id = await records.id('WorkOrder');
      await records.call('WorkOrder/UpdateWorkOrder', { id, tasks: [{ taskId: await records.id('WorkOrderTask'), isCompleted: true }] });
      return { workOrderId: id };
    },
  },
];
