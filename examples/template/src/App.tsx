import { ApolloProvider } from '@apollo/client/react';
import { Alert, Button, Center, PasswordInput, Stack, Title } from '@mantine/core';
import { type RouterHistory, RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { createClient } from './client.ts';
import { createAppRouter } from './routes.tsx';

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

interface SignInProps {
  /** Why the last key was rejected. */
  problem: string;
  onSignIn: (key: string) => void;
}

const SignIn = ({ problem, onSignIn }: SignInProps) => (
  <Center mih="100vh" component="main">
    <title>Sign in</title>
    <form action={(form) => onSignIn(String(form.get('key')).trim())}>
      <Stack w={320}>
        <Title>Sign in</Title>
        <div role="status">{problem && <Alert color="red">{problem}</Alert>}</div>
        <PasswordInput label="API key" name="key" autoComplete="off" required withAsterisk={false} />
        <Button type="submit">Sign in</Button>
      </Stack>
    </form>
  </Center>
);

interface AppProps {
  graphUrl: string;
  /** Where the app is. Default: the URL of the page. */
  history?: RouterHistory;
}

interface SignedInProps extends AppProps {
  apiKey: string;
  onSignOut: (reason: string) => void;
}

function SignedIn({ graphUrl, history, apiKey, onSignOut }: SignedInProps) {
  const [client] = useState(() => createClient(graphUrl, apiKey, onSignOut));
  const [router] = useState(() => createAppRouter(() => onSignOut(''), history));
  return (
    <ApolloProvider client={client}>
      <RouterProvider router={router} />
    </ApolloProvider>
  );
}

export function App(props: AppProps) {
  const [key, setKey] = useState(() => getStorage()?.getItem(STORED_KEY) ?? '');
  const [problem, setProblem] = useState('');
  const signIn = (next: string, reason = '') => {
    getStorage()?.setItem(STORED_KEY, next);
    setKey(next);
    setProblem(reason);
  };
  if (key === '') return <SignIn problem={problem} onSignIn={signIn} />;
  // Another key gets another client, and so an empty cache.
  return <SignedIn {...props} key={key} apiKey={key} onSignOut={(reason) => signIn('', reason)} />;
}
