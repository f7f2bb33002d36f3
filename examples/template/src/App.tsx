import { ApolloProvider } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import { createClient } from './client.ts';
import { QuoteList } from './QuoteList.tsx';

/** The API key of this tab. To sign in without API keys in browsers, see docs/sign-in.md of the package workspace-graph. */
const STORED_KEY = 'apiKey';

/** The storage of this tab. Undefined if the browser blocks it, where every access throws: a reload then signs out. */
function getStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

const SignIn = ({ onSignIn }: { onSignIn: (key: string) => void }) => (
  <main>
    <title>Sign in</title>
    <h1>Sign in</h1>
    <form action={(form) => onSignIn(String(form.get('key')))}>
      <label>
        API key <input type="password" name="key" autoComplete="off" required />
      </label>{' '}
      <button type="submit">Sign in</button>
    </form>
  </main>
);

export function App({ graphUrl }: { graphUrl: string }) {
  const [key, setKey] = useState(() => getStorage()?.getItem(STORED_KEY) ?? '');
  // Another key gets another client, and so an empty cache.
  const client = useMemo(() => createClient(graphUrl, key), [graphUrl, key]);
  const signIn = (next: string) => {
    getStorage()?.setItem(STORED_KEY, next);
    setKey(next);
  };
  if (key === '') return <SignIn onSignIn={signIn} />;
  return (
    <ApolloProvider client={client}>
      <title>Draft quotes</title>
      <header>
        <h1>Draft quotes</h1>
        <button type="button" onClick={() => signIn('')}>
          Sign out
        </button>
      </header>
      <QuoteList />
    </ApolloProvider>
  );
}
