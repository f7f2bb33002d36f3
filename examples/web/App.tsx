import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { lazy, type SubmitEvent, Suspense, useState } from 'react';
import { CustomerView } from './CustomerView.tsx';
import { createClient } from './client.ts';
import { DayView } from './day/DayView.tsx';
import { OrdersView } from './orders/OrdersView.tsx';
import { createHref, goTo, useRoute, type View } from './route.ts';
import { WorkView } from './work/WorkView.tsx';

/** Loaded on demand, because the other views need no charts. */
const NumbersView = lazy(() => import('./numbers/NumbersView.tsx').then(({ NumbersView }) => ({ default: NumbersView })));

interface Session {
  /** A new client for each visit, so that its cache contains nothing that was read earlier. */
  readonly client: ApolloClient;
  readonly count: number;
}

const VIEWS: readonly { readonly view: View; readonly name: string }[] = [
  { view: 'customer', name: 'Customer' },
  { view: 'day', name: 'Day' },
  { view: 'work', name: 'Work orders' },
  { view: 'orders', name: 'Orders' },
  { view: 'numbers', name: 'Numbers' },
];

const WELCOME: Readonly<Record<View, string>> = {
  customer: 'Enter a customer number and an API key that can read the customer. The key is only stored in this page’s memory.',
  day: 'Enter an API key that can read agendas and appointments. The key is only stored in this page’s memory.',
  work: 'Enter an API key that can read work orders. The key is only stored in this page’s memory.',
  orders: 'Enter an API key of an account with full access. The key is only stored in this page’s memory.',
  numbers: 'Enter an API key that can read analytics. The key is only stored in this page’s memory.',
};

function CurrentView({ view, id }: { readonly view: View; readonly id: string }) {
  if (view === 'day') return <DayView day={id} />;
  if (view === 'work') return <WorkView id={id} />;
  if (view === 'orders') return <OrdersView />;
  if (view === 'numbers')
    return (
      <Suspense fallback={<p role="status">Loading…</p>}>
        <NumbersView />
      </Suspense>
    );
  if (id) return <CustomerView key={id} referenceNumber={id} />;
  return <p className="unknown">{WELCOME.customer}</p>;
}

/** The whole page. Stores the API key only in memory. */
export function App() {
  const [session, setSession] = useState<Session | null>(null);
  const { view, id } = useRoute();
  const show = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const getText = (name: string) => String(form.get(name)).trim();
    const apiKey = getText('apiKey');
    setSession({ client: createClient({ getToken: () => apiKey }), count: (session?.count ?? 0) + 1 });
    if (view === 'customer') goTo('customer', getText('referenceNumber'));
  };
  return (
    <>
      <header className="top">
        <h1>Desk</h1>
        <nav aria-label="Views">
          {VIEWS.map((each) => (
            <a key={each.view} href={createHref(each.view)} aria-current={each.view === view ? 'page' : undefined}>
              {each.name}
            </a>
          ))}
        </nav>
        <form onSubmit={show}>
          {view === 'customer' && (
            <label>
              Customer number
              <input name="referenceNumber" key={id} defaultValue={id || 'C-000001'} required spellCheck={false} autoComplete="off" />
            </label>
          )}
          <label>
            API key
            <input name="apiKey" defaultValue="demo-owner" required spellCheck={false} autoComplete="off" />
          </label>
          <button type="submit">Show</button>
        </form>
      </header>
      <main>
        {session ? (
          <ApolloProvider client={session.client} key={session.count}>
            <CurrentView view={view} id={id} />
          </ApolloProvider>
        ) : (
          <p className="unknown">{WELCOME[view]}</p>
        )}
      </main>
    </>
  );
}
