import { oneOf } from './settingKinds.ts';
import type { Setting } from './settingTypes.ts';

/** The settings of live updates. */
export const LIVE_SETTINGS = {
  LIVE: {
    group: 'Live updates',
    kind: oneOf(['on', 'off']),
    default: 'off',
    description:
      'Enables the subscription `recordsChanged`, which signals [changed records](live.md). If `LEDGER_URL` is in Redis, changes by other replicas are signaled, too.',
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
