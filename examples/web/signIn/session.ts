import type { ApolloClient } from '@apollo/client';
import { type Credentials, createClient } from '../client.ts';

/** What a signed-in account uses. */
export interface Session {
  /** Unique, so that components of an earlier session aren't reused. */
  readonly id: string;
  /** Name of the account, for people. */
  readonly name: string;
  /** A client of its own, so that its cache contains nothing that was read for another account. */
  readonly client: ApolloClient;
}

let sessions = 0;

export const createSession = (name: string, credentials: Credentials): Session => ({
  id: String(++sessions),
  name,
  client: createClient(credentials),
});

/** Stops the requests of a session and empties its cache. */
export function discardSession({ client }: Session): void {
  client.stop();
  // Rejects the queries that are in flight, which no component waits for anymore.
  client.clearStore().catch(() => undefined);
}
