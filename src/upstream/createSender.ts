import { systemClock } from '../lib/clock.ts';
import { Pauses, RetryBudget } from './calls/retry.ts';
import { Sender, type SenderOptions } from './calls/send.ts';
import type { UpstreamOptions } from './options.ts';

/** The sender of all calls of an upstream. */
export function createSender(
  options: UpstreamOptions,
  { quota, permits, breakers, onInvalidKey, drift }: Pick<SenderOptions, 'quota' | 'permits' | 'breakers' | 'onInvalidKey' | 'drift'>,
): Sender {
  const { transport, clock = systemClock, onDeprecated, meter, keepsRaw = false } = options;
  const pauses = new Pauses(options);
  const retryBudget = new RetryBudget(options.retryBudget);
  return new Sender({
    transport,
    quota,
    permits,
    breakers,
    retryBudget,
    pauses,
    clock,
    onInvalidKey,
    drift,
    keepsRaw,
    ...(onDeprecated && { onDeprecated }),
    ...(meter && { meter }),
  });
}
