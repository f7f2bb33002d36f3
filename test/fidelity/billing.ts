import type { Sentence } from './sentence.ts';

/** Of payments, refunds, invoices and pro-formas (3, 4.7). */
export const BILLING: readonly Sentence[] = [
  {
    line: 167,
    says: 'The state of a payment by hand follows from its sum',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/payments.test.ts > Payment/RecordManualPayment > sets the total that was received, from which the state follows',
    ],
  },
  {
    line: 167,
    says: 'Payments of a provider are not recorded by hand',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/graph/billing/payments.test.ts > Mutation.paymentReceivedTotalSet > is refused for a payment of provider %s, which writes the sums itself',
    ],
  },
  {
    line: 268,
    says: 'A repeated payment request answers the first one',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/payments.test.ts > Payment/CreatePayment > answers a repeat with the original as it is by now, and makes no second one',
    ],
  },
  {
    line: 268,
    says: 'A known operation id with other input is refused',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/reusedKeys.test.ts > a key of billing that was used with other input > is refused for a payment, and makes none',
    ],
  },
  {
    line: 269,
    says: 'A payment is read by its id',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/payments.test.ts > Payment/CreatePayment > answers a repeat with the original as it is by now, and makes no second one',
    ],
  },
  {
    line: 269,
    says: 'Payments are listed by pages',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/payments.test.ts > Payment/ListPayments > reads those of the whole workspace without a filter, and none of another',
    ],
  },
  {
    line: 270,
    says: 'The recorded sum is the new total, nothing is added',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/graph/billing/payments.test.ts > Mutation.paymentReceivedTotalSet > sets the total, which is not added, and which a lower one takes the place of',
    ],
  },
  {
    line: 271,
    says: 'A refund moves money once for its request id',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/refunds.test.ts > Payment/CreateRefund > answers a repeat with the refund as it was, and the payment as it is by now',
    ],
  },
  {
    line: 271,
    says: 'Refunds are made by hand or by the one provider that can',
    services: ['Payment'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/refunds.test.ts > Payment/CreateRefund > gives money back of a payment of the provider %s',
      'test/graph/billing/payments.test.ts > Mutation.refundCreate > is refused where the provider makes none, as its payment says beforehand',
    ],
  },
  {
    line: 272,
    says: 'Refunds are listed',
    services: ['Payment'],
    verdict: 'held',
    tests: ['test/sandbox/billing/refunds.test.ts > Payment/ListRefunds > has the refunds of the demo cancellations'],
  },
  {
    line: 273,
    says: 'An invoice is a draft of one version of the order',
    services: ['Invoice'],
    verdict: 'held',
    tests: [
      'test/graph/billing/invoices.test.ts > Mutation.invoiceCreate > makes a draft of the order as it is, which sends nothing',
      'test/graph/billing/invoices.test.ts > Mutation.invoiceCreate > answers the same draft to another key while the order is the same, and another one once it has changed',
    ],
  },
  {
    line: 273,
    says: 'A known key with other input is refused for invoices',
    services: ['Invoice'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/reusedKeys.test.ts > a key of billing that was used with other input > is refused for an invoice, and makes none',
    ],
  },
  {
    line: 273,
    says: 'A repeated creation answers the same draft',
    services: ['Invoice'],
    verdict: 'held',
    tests: [
      'test/sandbox/billing/invoices.test.ts > Invoice/CreateInvoice > makes one draft of requests that race',
      'test/sandbox/billing/invoices.test.ts > Invoice/CreateInvoice > answers a repeat of the key with the first invoice as it is by now, though the order changed',
    ],
  },
  {
    line: 274,
    says: 'An invoice is known by its order and accounting system',
    services: ['Invoice'],
    verdict: 'held',
    tests: ['test/graph/billing/invoices.test.ts > Order.invoice > answers the invoice in an accounting system, by one call'],
  },
  {
    line: 275,
    says: 'Invoices are listed by customer',
    services: ['Invoice'],
    verdict: 'held',
    tests: ['test/graph/billing/invoices.test.ts > Customer.invoices > lists those of all versions and systems, newest first, by one call'],
  },
  {
    line: 276,
    says: 'Accounting systems tell what they can do for a customer',
    services: ['Invoice'],
    verdict: 'held',
    tests: [
      'test/graph/billing/invoices.test.ts > Customer.accountingIntegrations > tells what each can do for this customer, by one call',
    ],
  },
  {
    line: 277,
    says: 'Sending reaches the customer for real',
    services: ['Invoice'],
    verdict: 'held',
    tests: ['test/sandbox/billing/invoices.test.ts > Invoice/SendInvoice > gives the draft its number, and mails it to the customer'],
  },
  {
    line: 277,
    says: 'A repeated sending mails once for its key',
    services: ['Invoice'],
    verdict: 'held',
    tests: ['test/sandbox/billing/invoices.test.ts > Invoice/SendInvoice > sends once for each key, also when repeats race'],
  },
  {
    line: 490,
    says: 'Sending an invoice is done by the provider',
    services: ['Invoice'],
    verdict: 'held',
    tests: [
      'test/graph/billing/invoices.test.ts > Mutation.invoiceSend > sends once by one key, as the outbox proves, and again by another',
    ],
  },
  {
    line: 278,
    says: 'A pro-forma is of one version of the order',
    services: ['ProForma'],
    verdict: 'held',
    tests: [
      'test/graph/billing/proFormas.test.ts > Mutation.proFormaCreate > answers the same document to another key while the order is the same, and another one once it has changed',
      'test/sandbox/billing/proFormas.test.ts > ProForma/CreateProForma > makes the document of the order as it is, once',
    ],
  },
  {
    line: 278,
    says: 'A repeated creation answers the same pro-forma',
    services: ['ProForma'],
    verdict: 'held',
    tests: ['test/sandbox/billing/proFormas.test.ts > ProForma/CreateProForma > makes the document of the order as it is, once'],
  },
  {
    line: 279,
    says: 'Pro-formas are listed by customer',
    services: ['ProForma'],
    verdict: 'held',
    tests: ['test/graph/billing/proFormas.test.ts > the pro-formas > of a customer take one call, also with the keys of what they lead to'],
  },
  {
    line: 279,
    says: 'A pro-forma is read by its id',
    services: ['ProForma'],
    verdict: 'held',
    tests: ['test/sandbox/billing/proFormas.test.ts > ProForma/CreateProForma > makes the document of the order as it is, once'],
  },
];
