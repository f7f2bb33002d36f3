import { Key } from '../../src/upstream/calls/key.ts';
import type { Upstream } from '../../src/upstream/client.ts';
import { Contract } from '../../src/upstream/contract/contract.ts';
import type { Session } from '../../src/upstream/session.ts';

/** Text of the upstream's errors, which clients must never see. */
export const SECRET = 'secret of 10.0.0.1';

/** An upstream that accepts every request and then fails with an unexpected error. */
export function createBrokenUpstream(): Upstream {
  const session = {
    admit: async () => {},
    finish: () => {},
    forget: () => {},
    permitAbandonment: () => {},
    abandon: () => {},
    sent: 0,
    savedCalls: 0,
    quota: null,
    stop: null,
    rehearsed: null,
    get requireScopes(): never {
      throw new TypeError(SECRET);
    },
  };
  return {
    contract: new Contract(),
    drifts: new Map(),
    load: () => ({ queueLength: 0, lowestRemaining: null, breakers: [] }),
    openSession: () => session as unknown as Session,
    getSender: () => new Key(''),
    waitToWork: () => undefined,
    probe: async () => {},
    close: async () => {},
  };
}
