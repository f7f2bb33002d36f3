import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import type { AgendaDayQuery, AgendaPartsFragment, AppointmentPartsFragment } from '../gql/graphql.ts';
import { Notice } from '../Notice.tsx';
import { type ActState, useAct } from '../useAct.ts';
import { AppointmentCard } from './AppointmentCard.tsx';
import { type Booking, bookAppointment } from './appointmentActs.ts';
import { BookingDialog } from './BookingDialog.tsx';
import { NO_ZONE, rangeOf, timeAt } from './clock.ts';
import { AgendaDay } from './documents.ts';

export type Slot = NonNullable<NonNullable<AgendaDayQuery['agenda']>['availableSlots']>[number];
export type SlotType = NonNullable<AgendaPartsFragment['allowedTypes']>[number];

type Entry =
  | { readonly at: string; readonly appointment: AppointmentPartsFragment }
  | { readonly at: string; readonly slots: readonly Slot[] };

/** Appointments by their start, each with the free times after it; those before the first come first. */
function entriesOf(appointments: readonly AppointmentPartsFragment[], slots: readonly Slot[]): Entry[] {
  const startOf = ({ startsAt }: { readonly startsAt: string | null }) => Date.parse(startsAt ?? '');
  const sorted = [...appointments].sort((one, other) => startOf(one) - startOf(other));
  const free = (from: number, to: number): Entry[] => {
    const between = slots.filter((slot) => startOf(slot) >= from && startOf(slot) < to);
    return between.length > 0 ? [{ at: `free ${between[0]?.startsAt}`, slots: between }] : [];
  };
  return [
    ...free(-Infinity, sorted[0] ? startOf(sorted[0]) : Infinity),
    ...sorted.flatMap((appointment, index): Entry[] => {
      const next = sorted[index + 1];
      return [{ at: appointment.id, appointment }, ...free(startOf(appointment), next ? startOf(next) : Infinity)];
    }),
  ];
}

const STRATEGIES: Readonly<Record<AgendaPartsFragment['strategy'], string>> = {
  ROUND_ROBIN: 'members assigned in turn',
  CHOOSE_USER: 'member chosen when booking',
  MANUAL_ROUTING: 'assigned by planners, can’t be booked here',
  OTHER: 'can’t be booked here',
};

function ColumnHead({ agenda }: { readonly agenda: AgendaPartsFragment }) {
  const state = agenda.isActive ? STRATEGIES[agenda.strategy] : 'inactive, can’t be booked';
  return (
    <header>
      <h3 id={agenda.id}>{agenda.name}</h3>
      <small>
        {agenda.timeZone ?? NO_ZONE} · {state}
      </small>
    </header>
  );
}

interface SlotsProps {
  readonly slots: readonly Slot[];
  readonly timeZone: string;
  readonly onChoose: (slot: Slot) => void;
}

function Slots({ slots, timeZone, onChoose }: SlotsProps) {
  return (
    <ul className="slots" aria-label="Available times">
      {slots.map((slot) => {
        const time = timeAt(slot.startsAt ?? '', timeZone);
        const free = slot.members?.map(({ displayName }) => displayName).join(', ');
        return (
          <li key={slot.startsAt}>
            <button
              type="button"
              className="quiet"
              onClick={() => onChoose(slot)}
              aria-label={`Book ${time}`}
              title={free && `Available: ${free}`}
            >
              {time}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Whether the page shows anew what stood in the way, so that there is nothing to look at again. */
const isBlocked = (state: ActState) => state.at === 'failed' && state.failure.__typename === 'TransitionBlockedError';

/** An agenda on a day of its own zone: appointments and free times in their order, which can be booked. */
export function AgendaColumn({ agenda, day }: { readonly agenda: AgendaPartsFragment; readonly day: string }) {
  const timeZone = agenda.timeZone ?? NO_ZONE;
  const types = agenda.allowedTypes ?? [];
  const [typeId, setTypeId] = useState(types[0]?.id ?? '');
  const [chosen, setChosen] = useState<Slot | null>(null);
  const variables = {
    agendaId: agenda.id,
    day,
    scheduledBetween: rangeOf(day, timeZone),
    appointmentTypeId: typeId,
    isBookable: agenda.isBookable && typeId !== '',
  };
  const { data, previousData, error, loading, refetch, fetchMore, client } = useQuery(AgendaDay, { variables, errorPolicy: 'all' });
  const { state, run, close } = useAct();
  const shown = data ?? previousData;
  const page = shown?.appointments;
  // Not those of another type, while these are read.
  const slots = data?.agenda?.availableSlots ?? [];
  const entries = entriesOf(page?.edges.map(({ node }) => node) ?? [], slots);
  const type = types.find(({ id }) => id === typeId);

  const book = (booking: Booking) => {
    setChosen(null);
    void run(async () => {
      const result = await bookAppointment(client, booking, variables);
      // Also after a failure: then the times shown are not those that are free.
      await refetch().catch(() => undefined);
      return result;
    });
  };
  const lookAgain = async () => {
    await refetch();
    return 'Reloaded.';
  };
  return (
    <section className="column" aria-labelledby={agenda.id}>
      <ColumnHead agenda={agenda} />
      {variables.isBookable && (
        <label>
          Available times for
          <select value={typeId} onChange={(event) => setTypeId(event.target.value)}>
            {types.map(({ id, name, defaultDurationMinutes }) => (
              <option key={id} value={id}>
                {name} ({defaultDurationMinutes} min)
              </option>
            ))}
          </select>
        </label>
      )}
      <Notice state={state} subject="agenda" onLookAgain={isBlocked(state) ? undefined : () => void run(lookAgain)} onClose={close} />
      <div role="status">
        {loading && !shown && <p>Loading…</p>}
        {error && <p className="notice failed">{error.message}</p>}
        {shown && entries.length === 0 && !error && <p className="unknown">No appointments and no available times.</p>}
      </div>
      {entries.map((entry) =>
        'slots' in entry ? (
          <Slots key={entry.at} slots={entry.slots} timeZone={timeZone} onChoose={setChosen} />
        ) : (
          <AppointmentCard
            key={entry.at}
            appointment={entry.appointment}
            timeZone={timeZone}
            isOurs={entry.appointment.source === 'LOCAL' && agenda.strategy !== 'MANUAL_ROUTING'}
            onChanged={() => void refetch().catch(() => undefined)}
          />
        ),
      )}
      {page?.pageInfo.hasNextPage && (
        <button type="button" className="quiet" onClick={() => void fetchMore({ variables: { after: page.pageInfo.endCursor } })}>
          More appointments
        </button>
      )}
      {chosen && type && (
        <BookingDialog agenda={agenda} type={type} slot={chosen} timeZone={timeZone} onBook={book} onClose={() => setChosen(null)} />
      )}
    </section>
  );
}
