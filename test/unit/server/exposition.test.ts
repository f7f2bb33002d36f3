import { expect, it } from 'vitest';
import { Histogram } from '../../../src/lib/exposition.ts';

const listSeries = (histogram: Histogram): string[] => histogram.format().match(/^\w+(\{.*\})?(?= )/gm) ?? [];

it('returns the series of a histogram without labels before its first observation', () => {
  const histogram = new Histogram({ name: 'lag_seconds', help: 'Lag.' });
  const before = listSeries(histogram);
  histogram.observe(0.002);
  expect(listSeries(histogram)).toEqual(before);
  expect(histogram.format()).toContain('lag_seconds_count 1\n');
});

it('returns no series of a histogram with labels before its first observation', () => {
  expect(listSeries(new Histogram({ name: 'call_seconds', help: 'Calls.', labels: ['status'] }))).toEqual([]);
});
