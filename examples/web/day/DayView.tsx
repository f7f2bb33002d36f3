import { useQuery } from '@apollo/client/react';
import type { SubmitEvent } from 'react';
import { UnknownView } from '../ProblemView.tsx';
import { ReadStatus } from '../ReadStatus.tsx';
import { createHref, goTo } from '../route.ts';
import { useTitle } from '../useTitle.ts';
import { AgendaColumn } from './AgendaColumn.tsx';
import { addDays, formatDay, getToday, isDay } from './clock.ts';
import { Agendas } from './documents.ts';

function Toolbar({ day }: { readonly day: string }) {
  const go = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    goTo('day', String(new FormData(event.currentTarget).get('day')));
  };
  return (
    <div className="toolbar">
      <h2>{formatDay(day)}</h2>
      <nav aria-label="Days">
        <a href={createHref('day', addDays(day, -1))}>Previous day</a>
        <a href={createHref('day', getToday())}>Today</a>
        <a href={createHref('day', addDays(day, 1))}>Next day</a>
      </nav>
      <form onSubmit={go}>
        <label>
          Day
          <input type="date" name="day" key={day} defaultValue={day} required />
        </label>
        <button type="submit" className="quiet">
          Go
        </button>
      </form>
    </div>
  );
}

function Day({ day }: { readonly day: string }) {
  useTitle(formatDay(day));
  const read = useQuery(Agendas, { errorPolicy: 'all' });
  const agendas = read.data?.agendas;
  return (
    <>
      <Toolbar day={day} />
      <ReadStatus read={read}>{agendas?.length === 0 && <p className="unknown">No agendas.</p>}</ReadStatus>
      <div className="columns">
        {agendas?.map((agenda) => (
          <AgendaColumn key={`${agenda.id} ${day}`} agenda={agenda} day={day} />
        ))}
      </div>
    </>
  );
}

/** A planner's day, with a column for each agenda. Defaults to today. */
export const DayView = ({ day }: { readonly day: string }) => (!day || isDay(day) ? <Day day={day || getToday()} /> : <UnknownView />);
