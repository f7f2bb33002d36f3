import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { type SubmitEvent, useState } from 'react';
import { CustomerView } from './CustomerView.tsx';
import { createClient } from './client.ts';

interface Look {
  /** A new client for each look, so that its cache shows nothing that was read before. */
  readonly client: ApolloClient;
  readonly referenceNumber: string;
  readonly count: number;
}

/** The whole page. The API key is nowhere but in its memory. */
export function App() {
  const [look, setLook] = useState<Look | null>(null);
  const show = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim();
    setLook({ client: createClient(text('apiKey')), referenceNumber: text('referenceNumber'), count: (look?.count ?? 0) + 1 });
  };
  return (
    <>
      <header className="top">
        <h1>Customer desk</h1>
        <form onSubmit={show}>
          <label>
            Customer number
            <input name="referenceNumber" defaultValue="C-000001" required spellCheck={false} autoComplete="off" />
          </label>
          <label>
            API key
            <input name="apiKey" defaultValue="demo-owner" required spellCheck={false} autoComplete="off" />
          </label>
          <button type="submit">Show</button>
        </form>
      </header>
      <main>
        {look ? (
          <ApolloProvider client={look.client} key={look.count}>
            <CustomerView referenceNumber={look.referenceNumber} />
          </ApolloProvider>
        ) : (
          <p className="unknown">Type the number of a customer, and the API key that may read it. The key is kept in this page only.</p>
        )}
      </main>
    </>
  );
}
