import { useQuery } from '@apollo/client/react';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { useState } from 'react';
import type { AgendaDayQuery, AgendaPartsFragment, AppointmentPartsFragment } from '../gql/graphql.ts';
import { LoadMore, loadPage } from '../LoadMore.tsx';
import { Notice } from '../Notice.tsx';
import { ReadStatus } from '../ReadStatus.tsx';
import { AppointmentCard } from './AppointmentCard.tsx';
import { type Booking, bookAppointment } from './appointmentMutations.ts';
import { BookingDialog } from './BookingDialog.tsx';
import { DEFAULT_TIME_ZONE, formatTime, toTimeRange } from './clock.ts';
import { AgendaDay } from './documents.ts';

export type Slot = NonNullable<NonNullable<AgendaDayQuery['agenda']>['availableSlots']>[number];
export type SlotType = NonNullable<AgendaPartsFragment['allowedTypes']>[number];

type Entry =
  | { readonly at: string; readonly appointment: AppointmentPartsFragment }
  | { readonly at: string; readonly slots: readonly Slot[] };

/** Appointments by start, each with the available slots after it. Slots before the first appointment come first. */
function createEntries(appointments: readonly AppointmentPartsFragment[], slots: readonly Slot[]): Entry[] {
  const getStart = ({ startsAt }: { readonly startsAt: string | null }) => Date.parse(startsAt ?? '');
  const sorted = [...appointments].sort((one, other) => getStart(one) - getStart(other));
  const createSlotEntries = (from: number, to: number): Entry[] => {
    const between = slots.filter((slot) => getStart(slot) >= from && getStart(slot) < to);
    return between.length > 0 ? [{ at: `free ${between[0]?.startsAt}`, slots: between }] : [];
  };
  return [
    ...createSlotEntries(-Infinity, sorted[0] ? getStart(sorted[0]) : Infinity),
    ...sorted.flatMap((appointment, index): Entry[] => {
      const next = sorted[index + 1];
      return [{ at: appointment.id, appointment }, ...createSlotEntries(getStart(appointment), next ? getStart(next) : Infinity)];
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
        {agenda.timeZone ?? DEFAULT_TIME_ZONE} · {state}
      </small>
    </header>
  );
}

interface SlotsProps {
  readonly slots: readonly Slot[];
  readonly timeZone: string;
  readonly onSelect: (slot: Slot) => void;
}

function Slots({ slots, timeZone, onSelect }: SlotsProps) {
  return (
    <ul className="slots" aria-label="Available times">
      {slots.map((slot) => {
        const time = formatTime(slot.startsAt ?? '', timeZone);
        const free = slot.members?.map(({ displayName }) => displayName).join(', ');
        return (
          <li key={slot.startsAt}>
            <button
              type="button"
              className="quiet"
              onClick={() => onSelect(slot)}
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

/** An agenda on a day in its own time zone: appointments and bookable slots, in order. */
export function AgendaColumn({ agenda, day }: { readonly agenda: AgendaPartsFragment; readonly day: string }) {
  const timeZone = agenda.timeZone ?? DEFAULT_TIME_ZONE;
  const types = agenda.allowedTypes ?? [];
  const [typeId, setTypeId] = useState(types[0]?.id ?? '');
  const [selected, setSelected] = useState<Slot | null>(null);
  const variables = {
    agendaId: agenda.id,
    day,
    scheduledBetween: toTimeRange(day, timeZone),
    appointmentTypeId: typeId,
    isBookable: agenda.isBookable && typeId !== '',
  };
  const read = useQuery(AgendaDay, { variables, errorPolicy: 'all' });
  const { data, previousData, error, refetch, client } = read;
  const booking = useIdempotentMutation((input: Booking, intent) =>
    // Also after a failure, because the displayed slots are then outdated.
    bookAppointment(client, input, intent, variables).finally(reload),
  );
  const displayed = data ?? previousData;
  const page = displayed?.appointments;
  // Excludes the slots of the previous type while new ones are loading.
  const slots = data?.agenda?.availableSlots ?? [];
  const entries = createEntries(page?.edges.map(({ node }) => node) ?? [], slots);
  const type = types.find(({ id }) => id === typeId);

  const reload = () =>
    refetch().then(
      ({ error: problem }) => !problem,
      () => false,
    );
  const book = (input: Booking) => {
    setSelected(null);
    void booking.run(input);
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
      <Notice mutation={booking} subject="agenda" onReload={reload} />
      <ReadStatus read={read}>
        {displayed && entries.length === 0 && !error && <p className="unknown">No appointments and no available times.</p>}
      </ReadStatus>
      {entries.map((entry) =>
        'slots' in entry ? (
          <Slots key={entry.at} slots={entry.slots} timeZone={timeZone} onSelect={setSelected} />
        ) : (
          <AppointmentCard
            key={entry.at}
            appointment={entry.appointment}
            timeZone={timeZone}
            isEditable={entry.appointment.source === 'LOCAL' && agenda.strategy !== 'MANUAL_ROUTING'}
            reload={reload}
          />
        ),
      )}
      {page?.pageInfo.hasNextPage && (
        <LoadMore items="appointments" onLoad={() => loadPage(client, AgendaDay, { ...variables, after: page.pageInfo.endCursor })} />
      )}
      {selected && type && (
        <BookingDialog agenda={agenda} type={type} slot={selected} timeZone={timeZone} onBook={book} onClose={() => setSelected(null)} />
      )}
    </section>
  );
}
