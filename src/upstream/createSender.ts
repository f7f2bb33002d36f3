import { systemClock } from '../lib/clock.ts';
import { Pauses, ResendBudget } from './calls/resend.ts';
import { Sender, type SenderOptions } from './calls/send.ts';
import type { UpstreamOptions } from './options.ts';

/** The sender of all calls of an upstream. */
export function createSender(
  options: UpstreamOptions,
  { quota, permits, breakers, onRefusedKey, drift }: Pick<SenderOptions, 'quota' | 'permits' | 'breakers' | 'onRefusedKey' | 'drift'>,
): Sender {
  const { transport, clock = systemClock, onDeprecated, meter } = options;
  const pauses = new Pauses(options);
  const resendBudget = new ResendBudget(options.resendBudget);
  return new Sender({
    transport,
    quota,
    permits,
    breakers,
    resendBudget,
    pauses,
    clock,
    onRefusedKey,
    drift,
    ...(onDeprecated && { onDeprecated }),
    ...(meter && { meter }),
  });
}
