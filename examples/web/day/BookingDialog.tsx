import { useApolloClient } from '@apollo/client/react';
import { type SubmitEvent, useState } from 'react';
import { getCustomerTitle } from '../CustomerLink.tsx';
import { Dialog } from '../Dialog.tsx';
import type { AgendaPartsFragment, CustomerToVisitQuery } from '../gql/graphql.ts';
import { getMessages } from '../problems.ts';
import type { Slot, SlotType } from './AgendaColumn.tsx';
import { type Booking, createExpectedId } from './appointmentMutations.ts';
import { formatTime } from './clock.ts';
import { CustomerToVisit } from './documents.ts';

type Customer = NonNullable<CustomerToVisitQuery['customersByIdentifier']>[number];

interface BookingDialogProps {
  readonly agenda: AgendaPartsFragment;
  readonly type: SlotType;
  readonly slot: Slot;
  readonly timeZone: string;
  readonly onBook: (booking: Booking) => void;
  readonly onClose: () => void;
}

/** The booking from the form's values. */
function createBooking({ agenda, type, slot }: BookingDialogProps, customer: Customer, form: FormData): Booking {
  const getText = (name: string) => String(form.get(name) ?? '').trim();
  const startsAt = slot.startsAt ?? '';
  const minutes = Number(getText('minutes'));
  const member = slot.members?.find(({ id }) => id === getText('memberId')) ?? null;
  const workOrder = customer.workOrders?.edges.find(({ node }) => node.id === getText('workOrderId'))?.node ?? null;
  const description = getText('description') || null;
  return {
    input: {
      agendaId: agenda.id,
      appointmentTypeId: type.id,
      customerId: customer.id,
      startsAt,
      durationMinutes: minutes === type.defaultDurationMinutes ? null : minutes,
      memberId: member?.id ?? null,
      workOrderId: workOrder?.id ?? null,
      description,
    },
    expected: {
      __typename: 'Appointment',
      id: createExpectedId(startsAt),
      status: 'SCHEDULED',
      source: 'LOCAL',
      startsAt,
      endsAt: new Date(Date.parse(startsAt) + minutes * 60_000).toISOString(),
      description,
      appointmentType: type,
      member,
      customer,
      workOrder,
      result: null,
    },
  };
}

function Choices({ type, slot, agenda, customer }: BookingDialogProps & { readonly customer: Customer | null }) {
  return (
    <>
      <label>
        Work order
        <select name="workOrderId">
          <option value="">None</option>
          {customer?.workOrders?.edges.map(({ node }) => (
            <option key={node.id} value={node.id}>
              {node.title}
            </option>
          ))}
        </select>
      </label>
      {agenda.strategy === 'CHOOSE_USER' && (
        <label>
          Member
          <select name="memberId" required>
            {slot.members?.map(({ id, displayName }) => (
              <option key={id} value={id}>
                {displayName}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Duration
        <select name="minutes" defaultValue={type.defaultDurationMinutes}>
          {type.allowedDurationMinutes.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes} minutes
            </option>
          ))}
        </select>
      </label>
      <label>
        Note for the assigned member
        <textarea name="description" rows={2} maxLength={20_000} />
      </label>
    </>
  );
}

/** The form to book a slot. Looks the customer up when its number is entered, or when the form is submitted. */
export function BookingDialog(props: BookingDialogProps) {
  const { type, slot, timeZone, onBook, onClose } = props;
  const client = useApolloClient();
  const [customer, setCustomer] = useState<Customer | null>(null);
  const [problem, setProblem] = useState('');

  const lookUp = async (referenceNumber: string): Promise<Customer | null> => {
    if (customer?.referenceNumber === referenceNumber) return customer;
    const { data, error } = await client.query({ query: CustomerToVisit, variables: { referenceNumber }, errorPolicy: 'all' });
    const found = data?.customersByIdentifier?.[0] ?? null;
    setCustomer(found);
    setProblem(found ? '' : error ? getMessages(error).join(' ') : `No customer found with number ${referenceNumber}.`);
    return found;
  };
  const readNumber = (form: HTMLFormElement) => String(new FormData(form).get('referenceNumber')).trim();
  const book = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = await lookUp(readNumber(form)).catch(() => null);
    if (found) onBook(createBooking(props, found, new FormData(form)));
  };
  return (
    <Dialog title={`Book ${formatTime(slot.startsAt ?? '', timeZone)}, ${type.name}`} onClose={onClose}>
      <form onSubmit={(event) => void book(event)}>
        <label>
          Customer number
          <input
            name="referenceNumber"
            required
            spellCheck={false}
            autoComplete="off"
            onBlur={({ currentTarget }) => currentTarget.value.trim() && void lookUp(currentTarget.value.trim()).catch(() => null)}
          />
        </label>
        <div role="status">
          {customer && <p>{getCustomerTitle(customer)}</p>}
          {problem && <p className="notice failed">{problem}</p>}
        </div>
        <Choices {...props} customer={customer} />
        <p className="buttons">
          <button type="submit">Book</button>
          <button type="button" className="quiet" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
