import { describe, expect, it } from 'vitest';
import { ceilToSeconds, countDecimals, floorSeconds, formatInstant, isBefore, parseInstant } from '../../../src/lib/instant.ts';
import { fc } from '../../support/seeded.ts';

const parseAndFormat = (text: string): string => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`${text} is no timestamp.`);
  return instant;
};

describe('parseInstant', () => {
  it.each([
    ['2026-03-31T09:30:00Z', '1774949400'],
    ['2026-03-31T09:30:00.000Z', '1774949400'],
    ['2026-03-31T11:30:00.25+02:00', '1774949400.25'],
    ['2026-03-31t09:30:00.250z', '1774949400.25'],
    ['2026-03-31T09:30:00.123456789012Z', '1774949400.123456789012'],
    ['1969-12-31T23:59:59.75Z', '-1.75'],
    ['1970-01-01T00:00:00.5Z', '0.5'],
    ['0000-01-01T00:00:00Z', '-62167219200'],
  ])('parses %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-03-31T24:00:00Z',
    '2026-03-31T09:30:60Z',
    '2026-03-31T09:30:00',
    '2026-03-31T09:30:00.Z',
    '2026-03-31T09:30:00,5Z',
    '2026-03-31T09:30:00+24:00',
    '2026-03-31T09:30:00+02:60',
    '2026-03-31',
    '1774949400',
    '',
  ])('rejects %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('accepts every timestamp of Date', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
        (date) => {
          const instant = parseAndFormat(date.toISOString());
          expect([floorSeconds(instant), ceilToSeconds(instant)]).toEqual([
            Math.floor(date.getTime() / 1000),
            Math.ceil(date.getTime() / 1000) + 0,
          ]);
          expect(new Date(formatInstant(instant))).toEqual(date);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('instant', () => {
  /** Nanoseconds around 1970, where the sign of the seconds changes. */
  const nanoseconds = fc.bigInt({ min: -5_000_000_000n, max: 5_000_000_000n });
  const formatTimestamp = (nanosecond: bigint): string => {
    const second = nanosecond >= 0n ? nanosecond / 1_000_000_000n : -((-nanosecond + 999_999_999n) / 1_000_000_000n);
    const fraction = String(nanosecond - second * 1_000_000_000n).padStart(9, '0');
    return new Date(Number(second) * 1000).toISOString().replace('.000Z', `.${fraction}Z`);
  };

  it('can be ordered by time', () => {
    fc.assert(
      fc.property(nanoseconds, nanoseconds, (one, other) => {
        expect(isBefore(parseAndFormat(formatTimestamp(one)), parseAndFormat(formatTimestamp(other)))).toBe(one < other);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lies between the seconds before and after it', () => {
    fc.assert(
      fc.property(nanoseconds, (nanosecond) => {
        const instant = parseAndFormat(formatTimestamp(nanosecond));
        const [floor, ceil] = [floorSeconds(instant), ceilToSeconds(instant)].map((second) => BigInt(second) * 1_000_000_000n) as [
          bigint,
          bigint,
        ];
        expect(floor <= nanosecond && nanosecond <= ceil).toBe(true);
        expect(ceil - floor).toBe(countDecimals(instant) === 0 ? 0n : 1_000_000_000n);
      }),
      { numRuns: 2_000 },
    );
  });

  it('prints in UTC without trailing zeros', () => {
    expect(formatInstant(parseAndFormat('2026-03-31T11:30:00.1200+02:00'))).toBe('2026-03-31T09:30:00.12Z');
    expect(formatInstant(parseAndFormat('1969-12-31T23:59:59.75Z'))).toBe('1969-12-31T23:59:59.75Z');
  });
});
