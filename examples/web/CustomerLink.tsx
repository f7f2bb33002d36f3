import { createHref } from './route.ts';

interface NamedCustomer {
  readonly title: string | null;
  readonly referenceNumber: string | null;
}

/** The title of a customer. Its number if it has none. */
export const getCustomerTitle = (customer: NamedCustomer | null | undefined): string =>
  customer?.title || customer?.referenceNumber || 'Unknown customer';

/** Link to a customer. */
export function CustomerLink({ customer }: { readonly customer: NamedCustomer | null }) {
  const title = getCustomerTitle(customer);
  return customer?.referenceNumber ? <a href={createHref('customer', customer.referenceNumber)}>{title}</a> : title;
}
