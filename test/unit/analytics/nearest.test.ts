import { expect, it } from 'vitest';
import { nearest } from '../../../src/schema/analytics/nearest.ts';

it.each([
  ['statuz', 'status'],
  ['Currency', 'currency'],
  ['custmer_id', 'customer_id'],
  ['zzzzzz', undefined],
  ['x'.repeat(65), undefined],
])('the name that was meant by %s is %s', (name, meant) => {
  expect(nearest(name, ['id', 'status', 'currency', 'customer_id'])).toBe(meant);
});
