import { integer, oneOf } from './settingKinds.ts';
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
  // Chosen: an hour is longer than a subscription lasts.
  LIVE_POLL_SECONDS: {
    group: 'Live updates',
    kind: integer(0, 3_600),
    default: '0',
    description:
      'Seconds between two polls of an analytics index for [changes that were made elsewhere](live.md#changes-made-elsewhere). Each costs one upstream call per type and workspace while there are subscriptions. 0 disables polling.',
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
