import { type AdmitOptions, admit } from './admit.ts';
import { authorize } from './authorize.ts';
import type { RequestCall, Send } from './call.ts';
import { type ChargeOptions, charge } from './charge.ts';
import { type DeduplicateOptions, deduplicate } from './deduplicate.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { type InterpretOptions, interpret } from './interpret.ts';
import { rehearse } from './rehearse.ts';
import { type RetryOptions, retry } from './retry.ts';

export type ChainOptions = DeduplicateOptions & ChargeOptions & RetryOptions & InterpretOptions & AdmitOptions & ExchangeOptions;

export interface Chain {
  /** Sends a call of a request. */
  readonly send: Send<RequestCall>;
  /** Sends a call of the graph itself, which needs no scopes and is shared with no other. */
  readonly sendOwn: Send;
}

/**
 * The path of a call. Each step is in the file of its name, and passes the call on to the next:
 *
 * 1. `authorize`: the request follows the contract's rules, and the key has the scopes
 * 2. `rehearse`: a write of a rehearsal ends here
 * 3. `deduplicate`: a read joins an identical one of the same key that is in flight, or gets a cached response
 * 4. `charge`: the call is counted against its request's limit, and covered by the request's admission
 * 5. `retry`: repeats the following steps after a temporary failure, if repeating the call is safe and time is left
 * 6. `interpret`: turns the HTTP response into the decoded response or an error class, and learns the quota from its headers
 * 7. `admit`: waits until the key's quota, the circuit breakers and the connections allow an attempt
 * 8. `exchange`: sends one HTTP request
 */
export function createChain(options: ChainOptions): Chain {
  const sendOwn = charge(options, retry(options, interpret(options, admit(options, exchange(options)))));
  return { send: authorize(rehearse(deduplicate(options, sendOwn))), sendOwn };
}
