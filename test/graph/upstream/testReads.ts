import type { Clock } from '../../../src/lib/clock.ts';
import { type Call, createCall } from '../../../src/upstream/calls/call.ts';
import type { Key } from '../../../src/upstream/calls/key.ts';
import { ReadCoalescer } from '../../../src/upstream/calls/readCoalescer.ts';
import { Requester } from '../../../src/upstream/calls/requester.ts';
import { GetContact } from '../../../src/upstream/contract/generated/operations.ts';
import { derivePermitLimits, Permits } from '../../../src/upstream/traffic/permits.ts';
import { MemoryQuota } from '../../../src/upstream/traffic/quota.ts';

/** Creates a request of a key. */
export const createRequester = (key: Key): Requester =>
  new Requester({ key, apiKey: key.hash, requestId: 'a request', traceparent: null, trace: null, maxCalls: 100, quota: new MemoryQuota() });

/** Creates a read of a request. Its response has ten characters. */
export function createRead(requester: Requester, requestKey: string): Call {
  const call = createCall({ operation: GetContact, request: {}, body: '{}', requestKey, timeoutMs: 60_000 }, requester);
  call.responseLength = 10;
  return call;
}

export const createReads = (clock: Clock, cacheMs = 0): ReadCoalescer =>
  new ReadCoalescer({ permits: new Permits(derivePermitLimits(100)), turns: { resume: (value) => value }, cacheMs, clock });
