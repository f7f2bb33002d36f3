import { ErrorResponse, InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { createSession, discardSession, type Session } from './session.ts';
import { getTabStorage } from './tabStorage.ts';

/** An account with its current tokens. */
interface SignedIn {
  readonly session: Session;
  user: User;
}

/** The OpenID Connect provider of the accounts. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Audience of the access tokens, which is that of the graph. */
  readonly audience: string | undefined;
}

export type AccountState =
  | { readonly status: 'loading' }
  | { readonly status: 'signedIn'; readonly session: Session }
  /** `problem` is empty if there was none. */
  | { readonly status: 'signedOut'; readonly problem: string };

/** The account that the page is signed in with. */
export interface Account {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => AccountState;
  readonly signIn: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

const PAGE = new URL(import.meta.env.BASE_URL, location.origin).href;
const EXPIRED = 'Your session has expired. Sign in again.';
const UNREACHABLE = 'Can’t reach the sign-in service. Try again.';
const INSECURE = 'Sign-in needs HTTPS. Open this page by an https URL, or on its own computer by http://localhost.';
const NO_STORAGE =
  'This browser blocks storage, which sign-in needs until you return from the sign-in service. Allow this page to store data, and try again.';
/** Reasons for which the graph rejects a token that can't be renewed. */
const SIGN_IN_AGAIN: ReadonlySet<string | undefined> = new Set(['TOKEN_INVALID', 'TOKEN_REVOKED']);

/**
 * Signs in with the authorization code flow and PKCE. Tokens are only stored in the page's memory, where neither other pages nor a later visit find them. Only
 * the redirect's state, which includes the code verifier, is stored in `sessionStorage`, and deleted when the page has returned from the provider.
 */
function createManager({ issuer, clientId, audience }: ProviderSettings): UserManager {
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: PAGE,
    post_logout_redirect_uri: PAGE,
    scope: 'openid profile offline_access',
    ...(audience && { resource: audience }),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: getTabStorage() ?? new InMemoryWebStorage() }),
    // Renewals share one request, because providers reject a refresh token that is used twice.
    automaticSilentRenew: false,
  });
}

/** Errors of a provider that would have to ask the user something. */
const NEEDS_USER: ReadonlySet<string | null> = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);

/** Says that this tab is signed in, for a reload. Contains no token. */
const SIGNED_IN = 'signed-in';

/** Returns to the view from which the user was sent to the provider. */
function showView(hash: unknown): void {
  if (typeof hash === 'string') history.replaceState(null, '', PAGE + hash);
}

/** Whether the page was opened by the provider's redirect. */
const isRedirect = ({ searchParams }: URL) => searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'));

export function openAccount(settings: ProviderSettings): Account {
  const manager = createManager(settings);
  const listeners = new Set<() => void>();
  let state: AccountState = { status: 'loading' };
  let current: SignedIn | undefined;
  let renewal: Promise<void> | undefined;

  const setState = (next: AccountState) => {
    state = next;
    for (const listener of listeners) listener();
  };

  function discard(): void {
    if (current) discardSession(current.session);
    current = undefined;
  }

  function start(user: User): void {
    discard();
    const { name, email, sub } = user.profile;
    // Requests of a session never get the tokens of a later one.
    const session = createSession(name ?? email ?? sub, {
      getToken: () => signedIn.user.access_token,
      renew,
      onRejected: ({ reason, message }) => {
        if (current === signedIn && SIGN_IN_AGAIN.has(reason)) end(message);
      },
    });
    const signedIn: SignedIn = { session, user };
    current = signedIn;
    getTabStorage()?.setItem(SIGNED_IN, 'yes');
    setState({ status: 'signedIn', session });
  }

  /** Stores new tokens. Those of another subject start another session. */
  function accept(user: User): void {
    if (current?.user.profile.sub === user.profile.sub) current.user = user;
    else start(user);
  }

  function end(problem: string): void {
    discard();
    getTabStorage()?.removeItem(SIGNED_IN);
    setState({ status: 'signedOut', problem });
  }

  async function refresh(): Promise<void> {
    const before = current;
    // Without a refresh token, the library would use a frame, which the policy of the page forbids.
    const renewed = before?.user.refresh_token
      ? await manager.signinSilent(settings.audience ? { resource: settings.audience } : {})
      : null;
    if (!renewed) throw new ErrorResponse({ error: 'invalid_grant' });
    // Otherwise, the user has signed out in the meantime.
    if (current === before) accept(renewed);
  }

  function renew(): Promise<void> {
    renewal ??= refresh()
      .catch(async (error: unknown) => {
        // The provider no longer accepts the refresh token. After other errors, it may.
        if (error instanceof ErrorResponse && error.error === 'invalid_grant') {
          await manager.removeUser();
          end(EXPIRED);
        }
        throw error;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  /** Signs in after a reload, if the provider still knows the user. With a redirect, because browsers don't send the provider's cookies in a frame. */
  async function signInAgain(): Promise<void> {
    // A provider that fails isn't asked again.
    getTabStorage()?.removeItem(SIGNED_IN);
    await manager.signinRedirect({ state: location.hash, prompt: 'none' }).catch(() => end(UNREACHABLE));
  }

  async function finishSignIn(): Promise<void> {
    const url = new URL(location.href);
    if (!isRedirect(url)) return getTabStorage()?.getItem(SIGNED_IN) ? signInAgain() : end('');
    // The code doesn't remain in the history.
    history.replaceState(null, '', PAGE);
    try {
      const signedIn = await manager.signinCallback(url.href);
      showView(signedIn?.state);
      if (signedIn) accept(signedIn);
    } catch (error) {
      if (error instanceof ErrorResponse) showView(error.state);
      if (error instanceof ErrorResponse && NEEDS_USER.has(error.error)) return end('');
      const reason = error instanceof ErrorResponse ? error.error_description || error.error : '';
      end(reason ? `Sign-in failed: ${reason}` : 'Sign-in failed. Try again.');
    }
  }

  // Requests renew an expired token, too. This is earlier, so that they don't have to wait.
  manager.events.addAccessTokenExpiring(() => {
    if (current?.user.refresh_token) renew().catch(() => undefined);
  });
  void finishSignIn();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
    signIn: async () => {
      // PKCE needs a digest, which other pages can't compute.
      if (!isSecureContext) return end(INSECURE);
      if (!getTabStorage()) return end(NO_STORAGE);
      // The state is the view to return to.
      await manager.signinRedirect({ state: location.hash }).catch(() => end(UNREACHABLE));
    },
    signOut: async () => {
      end('');
      // A provider without sign-out keeps its own session. The tokens are gone in any case.
      await manager.signoutRedirect().catch(() => manager.removeUser());
    },
  };
}
