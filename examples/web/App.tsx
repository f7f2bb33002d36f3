import { ApolloProvider } from '@apollo/client/react';
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { CustomersView } from './CustomersView.tsx';
import { CustomerView } from './CustomerView.tsx';
import { DayView } from './day/DayView.tsx';
import { OrdersView } from './orders/OrdersView.tsx';
import { BrokenView, UnknownView } from './ProblemView.tsx';
import { Skeleton } from './ReadStatus.tsx';
import { createHref, type Route, useRoute, type View } from './route.ts';
import { type Account, openAccount } from './signIn/account.ts';
import { readDemoKey, storeDemoKey } from './signIn/demoKey.ts';
import { KeySignIn, SignIn } from './signIn/SignIn.tsx';
import { createSession, discardSession, type Session } from './signIn/session.ts';
import { StockView } from './stock/StockView.tsx';
import { WorkView } from './work/WorkView.tsx';

/** Loaded on demand, because the other views need no charts. */
const NumbersView = lazy(() => import('./numbers/NumbersView.tsx').then(({ NumbersView }) => ({ default: NumbersView })));

/** Loaded on demand, because it includes the schema. */
const ImportView = lazy(() => import('./import/ImportView.tsx').then(({ ImportView }) => ({ default: ImportView })));

const VIEWS: readonly { readonly view: View; readonly name: string }[] = [
  { view: 'customer', name: 'Customers' },
  { view: 'day', name: 'Schedule' },
  { view: 'work', name: 'Work orders' },
  { view: 'orders', name: 'Orders' },
  { view: 'stock', name: 'Stock' },
  { view: 'numbers', name: 'Dashboard' },
  { view: 'import', name: 'Import' },
];

function CurrentView({ view, id, parameters }: Route) {
  const { q = '', currency = '', code = '' } = parameters;
  if (view === 'day') return <DayView day={id} />;
  if (view === 'work') return <WorkView id={id} />;
  if (view === 'orders') return <OrdersView id={id} text={q} currency={currency} />;
  if (view === 'stock') return <StockView productId={id} code={code} text={q} />;
  if (view === 'numbers')
    return (
      <Suspense fallback={<Skeleton />}>
        <NumbersView />
      </Suspense>
    );
  if (view === 'import')
    return (
      <Suspense fallback={<Skeleton />}>
        <ImportView name={id} />
      </Suspense>
    );
  if (view === 'customer') return id ? <CustomerView key={id} referenceNumber={id} /> : <CustomersView text={q} />;
  return <UnknownView />;
}

function Navigation({ view }: Pick<Route, 'view'>) {
  const links = useRef<HTMLElement>(null);
  // A narrow screen only has room for some of the links.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link depends on the view
  useEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [view]);
  return (
    <nav aria-label="Views" ref={links}>
      {VIEWS.map((each) => (
        <a key={each.view} href={createHref(each.view)} aria-current={each.view === view ? 'page' : undefined}>
          {each.name}
        </a>
      ))}
    </nav>
  );
}

interface PageProps {
  readonly session: Session | null;
  readonly onSignOut: () => void;
  /** What the page shows without a session. */
  readonly children: ReactNode;
}

function Page({ session, onSignOut, children }: PageProps) {
  const route = useRoute();
  const { view, id } = route;
  const main = useRef<HTMLElement>(null);
  const sessionId = session?.id;
  const lastId = useRef(sessionId);
  useLayoutEffect(() => {
    // The button that was clicked no longer exists, so the focus would be lost.
    if (sessionId !== lastId.current) main.current?.focus();
    lastId.current = sessionId;
  }, [sessionId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link that was clicked may no longer exist in the next view
  useLayoutEffect(() => {
    if (sessionId && document.activeElement === document.body) main.current?.focus();
  }, [view, id]);
  return (
    <>
      <header className="top">
        <h1>Desk</h1>
        {session && (
          <>
            <Navigation view={view} />
            <p className="account">
              <span>{session.name}</span>
              <button type="button" className="quiet" onClick={onSignOut}>
                Sign out
              </button>
            </p>
          </>
        )}
      </header>
      <main tabIndex={-1} ref={main}>
        {session ? (
          <ApolloProvider client={session.client} key={session.id}>
            <ErrorBoundary fallback={<BrokenView />} resetKeys={[view, id]}>
              <CurrentView {...route} />
            </ErrorBoundary>
          </ApolloProvider>
        ) : (
          children
        )}
      </main>
    </>
  );
}

function PageWithAccount({ account }: { readonly account: Account }) {
  const state = useSyncExternalStore(account.subscribe, account.getState);
  const isSignedIn = state.status === 'signedIn';
  return (
    <Page session={isSignedIn ? state.session : null} onSignOut={() => void account.signOut()}>
      {!isSignedIn && <SignIn state={state} onSignIn={() => void account.signIn()} />}
    </Page>
  );
}

function PageWithKey() {
  const [session, setSession] = useState<Session | null>(() => {
    const stored = readDemoKey();
    return stored ? start(stored) : null;
  });
  const [problem, setProblem] = useState('');

  function end(ended: Session, reason: string): void {
    discardSession(ended);
    storeDemoKey('');
    setSession((current) => (current === ended ? null : current));
    setProblem(reason);
  }

  function start(apiKey: string): Session {
    const created = createSession('API key', { getToken: () => apiKey, onRejected: ({ message }) => end(created, message) });
    return created;
  }

  const signIn = (apiKey: string) => {
    storeDemoKey(apiKey);
    setSession(start(apiKey));
  };
  return (
    <Page session={session} onSignOut={() => session && end(session, '')}>
      <KeySignIn problem={problem} onSignIn={signIn} />
    </Page>
  );
}

const { VITE_AUTH_ISSUER: issuer, VITE_AUTH_CLIENT_ID: clientId = '', VITE_AUTH_AUDIENCE: audience } = import.meta.env;
/** Null if the page has no provider. Opened once, because the provider's redirect can be processed once. */
const account = issuer ? openAccount({ issuer, clientId, audience }) : null;

/** The whole page. */
export const App = () => (account ? <PageWithAccount account={account} /> : <PageWithKey />);
