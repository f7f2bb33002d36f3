import { ProForma } from '../../schema/billing/proFormas.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { Order } from '../../schema/sales/orders.ts';
import { CreateProForma, ListProFormas } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

const proFormas = { order: 'Newest first.', node: ProForma };

builder.objectField(Customer.ref, 'proFormas', (t) =>
  t.field(
    list(ListProFormas, {
      ...proFormas,
      on: Customer,
      description: 'The pro-forma documents of this customer.',
    }),
  ),
);

builder.objectField(Order.ref, 'proFormas', (t) =>
  t.field(
    list(ListProFormas, {
      ...proFormas,
      on: Order,
      description: 'The pro-forma documents of this order.',
      request: (request, { customerId = '' }) => ({ ...request, customerId }),
    }),
  ),
);

mutation('proFormaCreate', CreateProForma, {
  description: 'Makes the pro-forma document of an order. A version of the order has one: it is answered again.',
  on: Order,
  input: (f) => ({
    orderId: f.orderId('The order.'),
    expectedOrderVersion: f.expectedOrderVersion(
      'The `version` of the order to make it of: another one is refused. The version of now when absent.',
    ),
  }),
  returns: { proForma: 'The document.' },
  leadsTo: { order: [Order, 'The order.', ({ proForma }) => proForma?.orderId] },
});
