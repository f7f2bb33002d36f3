import type { Ledger } from './ledger/ledger.ts';
import { createLoaders, type Loaders } from './loaders/loaders.ts';
import type { Session } from './upstream/client.ts';

/** What every resolver receives, made once per GraphQL request. */
export interface Context {
  readonly upstream: Session;
  readonly loaders: Loaders;
  readonly ledger: Ledger;
}

export const createContext = (upstream: Session, ledger: Ledger): Context => ({ upstream, loaders: createLoaders(upstream), ledger });
