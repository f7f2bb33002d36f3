import { describe, expect, it } from 'vitest';
import { Keys } from '../../../src/upstream/calls/key.ts';
import { GetContact, ListContacts, Me } from '../../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { BREAKER, type BreakerCall, Breakers, type CallEnd } from '../../../src/upstream/traffic/breakers.ts';
import { TransportError } from '../../../src/upstream/transport/transport.ts';
import { TestClock } from '../../support/clock.ts';

const TIMEOUT_MS = 5_000;
const TIMEOUT = new TransportError(true, true);
const TIMEOUTS = [
  ['of a response', TIMEOUT],
  ['of a connection', new TransportError(false, true)],
] as const;

function open() {
  const clock = new TestClock();
  const breakers = new Breakers(BREAKER, clock);
  const keys = new Keys();
  const createCall = (keyHash: string, operation: AnyOperation): BreakerCall => ({
    key: keys.get(keyHash),
    operation,
    breakers: null,
    timeoutMs: TIMEOUT_MS,
  });
  /** Sends a call unless it's rejected. `ms` is its duration, or its timeout if it times out. */
  const send = (keyHash: string, end: CallEnd, { operation = GetContact, ms = 0 }: { operation?: AnyOperation; ms?: number } = {}) => {
    const call = createCall(keyHash, operation);
    if (breakers.isRejecting(call)) return false;
    breakers.begin(call);
    clock.now += ms;
    breakers.end(call, end, ms);
    return true;
  };
  const sendMany = (count: number, ...call: Parameters<typeof send>) =>
    Array.from({ length: count }, () => send(...call)).filter(Boolean).length;
  return { clock, breakers, callOf: createCall, send, sendMany };
}

describe('timeout', () => {
  it.each(TIMEOUTS)('%s counts if the call had its full timeout', (_name, timeout) => {
    const { sendMany } = open();
    expect(sendMany(100, 'key', timeout, { ms: TIMEOUT_MS })).toBe(BREAKER.minCalls);
  });

  it.each(TIMEOUTS)('%s doesn’t count if the call waited in a queue before, and others get responses', (_name, timeout) => {
    const { send } = open();
    for (let round = 0; round < 100; round += 1) {
      expect(send('key', timeout, { ms: TIMEOUT_MS / 10 })).toBe(true);
      if (round % 5 === 0) expect(send('other', 200)).toBe(true);
    }
  });

  it('counts, however short, if the service didn’t respond to any call for the configured timeout', () => {
    const { breakers, callOf: createCall, sendMany, clock } = open();
    // A call is always in flight, as in an overload.
    breakers.begin(createCall('other', GetContact));
    expect(sendMany(9, 'key', TIMEOUT, { ms: TIMEOUT_MS / 10 })).toBe(9);
    clock.now += TIMEOUT_MS;
    expect(sendMany(100, 'key', TIMEOUT, { ms: 1 })).toBe(BREAKER.minCalls);
  });
});

describe('circuit breaker of a service', () => {
  it('stays closed for an operation that succeeds while another one fails', () => {
    const { send } = open();
    for (let round = 0; round < 100; round += 1) {
      for (const key of ['first', 'second']) send(key, 500);
      if (round % 20 === 0) expect(send('first', 200, { operation: ListContacts })).toBe(true);
    }
  });

  it('opens for the only key if most of the operations fail', () => {
    const { send, sendMany } = open();
    let sent = 0;
    for (let round = 0; round < 100; round += 1)
      for (const operation of [GetContact, ListContacts]) sent += Number(send('key', 500, { operation }));
    expect(sent).toBe(BREAKER.minCalls);
    // Calls with another key might succeed.
    expect(sendMany(3, 'other', 200)).toBe(3);
  });

  it('opens for all keys if each of many sends a single call that fails', () => {
    const { send } = open();
    let sent = 0;
    for (let key = 0; key < 1_000; key += 1) sent += Number(send(`key ${key}`, 500));
    expect(sent).toBe(BREAKER.minCalls);
  });

  it('opens even if the upstream rejects some API keys', () => {
    const { send } = open();
    for (let key = 0; key < 50; key += 1) send(`unknown ${key}`, 401, { operation: Me });
    for (let round = 0; round < BREAKER.minCalls; round += 1) send(`key ${round % 2}`, 500, { operation: Me });
    expect(send('next', 200, { operation: Me })).toBe(false);
  });

  it('ignores keys that haven’t used the service recently', () => {
    const { clock, send } = open();
    for (let key = 0; key < 10; key += 1) send(`idle ${key}`, 200);
    clock.now += 10_000;
    for (let round = 0; round < BREAKER.minCalls; round += 1) send(`key ${round % 2}`, 500);
    expect(send('idle 0', 200)).toBe(false);
  });

  it('reports that it’s open until it closes, or until no trial call was sent for a minute', () => {
    const { breakers, clock, sendMany } = open();
    const isOpen = () => new Map(breakers.getStates()).get('Contact');
    sendMany(3, 'other', 200);
    expect(isOpen()).toBe(false);
    sendMany(BREAKER.minCalls, 'key', 500);
    expect(isOpen()).toBe(true);
    clock.now += BREAKER.halfOpenAfterMs + 59_000;
    expect(isOpen()).toBe(true);
    clock.now += 1_000;
    expect(isOpen()).toBe(false);
    sendMany(1, 'key', 500);
    expect(isOpen()).toBe(true);
    clock.now += BREAKER.halfOpenAfterMs;
    sendMany(1, 'key', 200);
    expect(isOpen()).toBe(false);
  });
});
