import type { SubmitEvent } from 'react';
import { useTitle } from '../useTitle.ts';
import type { AccountState } from './account.ts';

interface SignInProps {
  readonly state: Exclude<AccountState, { status: 'signedIn' }>;
  readonly onSignIn: () => void;
}

/** Offers to sign in with the provider. */
export function SignIn({ state, onSignIn }: SignInProps) {
  useTitle('Sign in');
  if (state.status === 'loading') return <p role="status">Signing in…</p>;
  return (
    <section className="card sign-in" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in</h2>
      <div role="status">{state.problem && <p className="notice failed">{state.problem}</p>}</div>
      <p>You sign in on the page of your organization’s sign-in service, and return here.</p>
      <p className="buttons">
        <button type="button" onClick={onSignIn}>
          Sign in
        </button>
      </p>
    </section>
  );
}

interface KeySignInProps {
  /** Why the last key wasn't accepted. Empty if there was no problem. */
  readonly problem: string;
  readonly onSignIn: (apiKey: string) => void;
}

/** The form for pages without a provider. The key is only stored in the page's memory, unless it's one of the demo data. */
export function KeySignIn({ problem, onSignIn }: KeySignInProps) {
  useTitle('Sign in');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSignIn(String(new FormData(event.currentTarget).get('apiKey')).trim());
  };
  return (
    <section className="card sign-in" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in</h2>
      <div role="status">{problem && <p className="notice failed">{problem}</p>}</div>
      <form onSubmit={submit}>
        <label>
          API key
          <input
            type="password"
            name="apiKey"
            defaultValue={import.meta.env.VITE_API_KEY}
            required
            autoComplete="off"
            spellCheck={false}
            aria-describedby="api-key-note"
          />
        </label>
        <button type="submit">Sign in</button>
      </form>
      <p id="api-key-note" className="unknown">
        This page isn’t connected to a sign-in service, so it needs an API key. It’s only stored until you sign out or reload the page. Keys
        of the demo data are stored until you sign out or close this tab.
      </p>
    </section>
  );
}
