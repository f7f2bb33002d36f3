import { describe, expect, it } from 'vitest';
import { parseQuotaHeaders, parseRetryAfter } from '../../../src/upstream/traffic/rateLimitHeaders.ts';

const NOW = 1_772_442_000_000;
const createResponse = (headers: Readonly<Record<string, string>>) => ({ status: 200, headers, body: '{}' });
const quota = (reset: string, limit = '100', remaining = '40') =>
  parseQuotaHeaders(createResponse({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }), NOW);

describe('RateLimit headers', () => {
  it.each([
    ['seconds from now', '60', 60_000],
    ['seconds with a fraction', '0.5', 500],
    ['now', '0', 0],
    ['an hour', '3600', 3_600_000],
    ['Unix seconds', String(NOW / 1000 + 60), 60_000],
    ['Unix seconds that have passed', String(NOW / 1000 - 60), 0],
  ])('can contain %s', (_name, reset, resetsInMs) => {
    expect(quota(reset)).toEqual({ limit: 100, remaining: 40, resetsInMs });
  });

  it.each([
    ['more than an hour', '3601'],
    ['Unix milliseconds', String(NOW)],
    ['Unix seconds of tomorrow', String(NOW / 1000 + 86_400)],
    ['a negative number', '-1'],
    ['text', 'soon'],
    ['nothing', ''],
  ])('have no effect if they contain %s', (_name, reset) => {
    expect(quota(reset)).toBeNull();
  });

  it('have no effect if they’re incomplete, or allow nothing', () => {
    expect(parseQuotaHeaders(createResponse({ 'ratelimit-limit': '100', 'ratelimit-reset': '60' }), NOW)).toBeNull();
    expect(quota('60', '0', '0')).toBeNull();
    expect(quota('60', '100', 'many')).toBeNull();
  });
});

describe('timestamps in headers', () => {
  const HOUR_MS = 3_600_000;
  const date = new Date(NOW).toUTCString();

  it.each([-HOUR_MS, -HOUR_MS / 2, HOUR_MS / 2, HOUR_MS])(
    'use the Date of their response, even if the local clock is %i ms off',
    (offMs) => {
      const window = { 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': String(NOW / 1000 + 60) };
      expect(parseQuotaHeaders(createResponse({ ...window, date }), NOW + offMs)?.resetsInMs).toBe(60_000);
      expect(parseRetryAfter(createResponse({ 'retry-after': new Date(NOW + 30_000).toUTCString(), date }), NOW + offMs)).toBe(30_000);
    },
  );

  it('use the local clock without a valid Date', () => {
    expect(parseRetryAfter(createResponse({ 'retry-after': new Date(NOW + 30_000).toUTCString(), date: 'today' }), NOW)).toBe(30_000);
  });
});

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    ['0', 0],
    [new Date(NOW + 30_000).toUTCString(), 30_000],
    [new Date(NOW - 30_000).toUTCString(), 0],
    ['3601', null],
    ['soon', null],
    ['', null],
  ])('converts %j to %s ms', (text, expected) => {
    expect(parseRetryAfter(createResponse({ 'retry-after': text }), NOW)).toBe(expected);
  });

  it('can be missing', () => {
    expect(parseRetryAfter(createResponse({}), NOW)).toBeNull();
  });
});
