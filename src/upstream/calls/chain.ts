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
  /** Sends a call on behalf of a request. */
  readonly send: Send<RequestCall>;
  /** Sends one of the graph's own calls. It needs no scopes and is never coalesced. */
  readonly sendOwn: Send;
}

/**
 * The steps of a call. Each is in the file of the same name and passes the call to the next:
 *
 * 1. `authorize`: rejects requests that break the contract's rules, or for which the key lacks a scope
 * 2. `rehearse`: rejects the writes of a rehearsal
 * 3. `deduplicate`: resolves a read from an identical one of the same key that is in flight, or from the cache
 * 4. `charge`: charges the call to its request's call budget, and waits until the request's admission covers it
 * 5. `retry`: repeats the following steps after a retryable failure, if that is safe and time is left
 * 6. `interpret`: decodes the HTTP response or throws its error, and updates the key's quota from its headers
 * 7. `admit`: waits until the key's quota, the circuit breakers, and the connection limits allow an attempt
 * 8. `exchange`: sends one HTTP request
 */
export function createChain(options: ChainOptions): Chain {
  const sendOwn = charge(options, retry(options, interpret(options, admit(options, exchange(options)))));
  return { send: authorize(rehearse(deduplicate(options, sendOwn))), sendOwn };
}
