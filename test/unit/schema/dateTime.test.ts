import { describe, expect, it } from 'vitest';
import { toDateTime } from '../../../src/lib/dateTime.ts';
import { fc } from '../../support/seeded.ts';

describe('RFC 3339 formatting of a timestamp', () => {
  it('returns the same as Date, for every second of four-digit years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        expect(toDateTime(seconds)).toBe(new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'));
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59Z'],
    [951_782_399, '2000-02-28T23:59:59Z'],
    [951_782_400, '2000-02-29T00:00:00Z'],
    [1_700_000_000.25, '2023-11-14T22:13:20.250Z'],
    [253_402_300_799, '9999-12-31T23:59:59Z'],
    [253_402_300_800, '+010000-01-01T00:00:00Z'],
    [8.64e12, '+275760-09-13T00:00:00Z'],
    [8.64e12 + 1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('converts %d to %s', (seconds, text) => {
    expect(toDateTime(seconds)).toBe(text);
  });
});
