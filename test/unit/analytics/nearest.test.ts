import { expect, it } from 'vitest';
import { findNearest } from '../../../src/schema/analytics/nearest.ts';

it.each([
  ['statuz', 'status'],
  ['Currency', 'currency'],
  ['custmer_id', 'customer_id'],
  ['zzzzzz', undefined],
  ['x'.repeat(65), undefined],
])('finds %s’s closest name: %s', (name, meant) => {
  expect(findNearest(name, ['id', 'status', 'currency', 'customer_id'])).toBe(meant);
});
