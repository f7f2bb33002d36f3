import { ProForma } from '../../schema/billing/proFormas.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { Order } from '../../schema/sales/orders.ts';
import { CreateProForma, ListProFormas } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

const proFormas = { order: 'Newest first.', sortedBy: rankDescendingBy('createdAt'), node: ProForma };

builder.objectField(Customer.ref, 'proFormas', (t) =>
  t.field(
    list(ListProFormas, {
      ...proFormas,
      on: Customer,
      description: 'The customer’s pro-forma documents.',
    }),
  ),
);

builder.objectField(Order.ref, 'proFormas', (t) =>
  t.field(
    list(ListProFormas, {
      ...proFormas,
      on: Order,
      description: 'The order’s pro-forma documents.',
      request: (request, { customerId }) => ({ ...request, customerId }),
    }),
  ),
);

mutation('proFormaCreate', CreateProForma, {
  description: 'Creates the pro-forma document of an order. If the version of the order already has one, returns that one.',
  on: Order,
  input: (f) => ({
    orderId: f.orderId('Order to create the document for.'),
    expectedOrderVersion: f.expectedOrderVersion(
      'Expected `version` of the order. The mutation fails if the order has another version. Defaults to the current version.',
    ),
  }),
  returns: { proForma: 'The pro-forma document, new or existing.' },
  affects: { order: [Order, 'Order that the document is for.', ({ proForma }) => proForma?.orderId] },
});
