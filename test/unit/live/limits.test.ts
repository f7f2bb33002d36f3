import { PassThrough } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { OverloadedError } from '../../../src/failures/failures.ts';
import { Live } from '../../../src/live/live.ts';

const live = new Live();
afterAll(() => live.close());

it('leaves the last 100 of 500 subscriptions to callers without one', () => {
  const open = (callerId: string) => live.subscribe(callerId, 'a workspace', { types: new Set(), ids: null }, new PassThrough(), new Map());
  const callers = Array.from({ length: 40 }, (_, index) => `caller ${index}`);
  for (const caller of callers) for (let count = 0; count < 10; count += 1) open(caller);
  open('caller 40');
  expect(() => open('caller 40')).toThrow('the last 100 of 500 are for API keys and accounts without one');
  for (let index = 41; index < 140; index += 1) open(`caller ${index}`);
  expect(() => open('caller 140')).toThrow(OverloadedError);
});
