import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/failures/errorCodes.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';

/** Codes that no request to these engines causes: their settings exclude them, or no request leads to them. */
const NOT_CAUSED = [
  'INTERNAL_SERVER_ERROR',
  'LEDGER_UNAVAILABLE',
  'LIVE_UPDATES_DISABLED',
  'OPERATION_IN_PROGRESS',
  'OVERLOADED',
  'PERSISTED_QUERY_ID_REQUIRED',
  'PERSISTED_QUERY_NOT_IN_LIST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'SIGN_IN_UNAVAILABLE',
  'UPSTREAM_UNSUPPORTED',
];

const folder = new URL('recorded/', import.meta.url);
const recorded = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));

/** The strings that a pattern captures in the recorded responses. */
const listCaptured = (pattern: RegExp) =>
  new Set(recorded.flatMap((text) => Array.from(text.matchAll(pattern), ([, match = '']) => match)));

describe('recorded corpus', () => {
  it('calls every operation', () => {
    const called = listCaptured(/^(?:->| {2}) (\w+\/\w+) /gm);
    expect(operations.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  });

  it('causes every error', () => {
    const codes = listCaptured(/"code": ?"(\w+)"/g);
    expect(
      Object.keys(ERROR_CODES)
        .filter((code) => !codes.has(code))
        .toSorted(),
    ).toEqual(NOT_CAUSED);
  });

  it('uses the fast path and compiled queries', () => {
    const titles = recorded.flatMap((text) => text.match(/^# .*$/gm) ?? []);
    const share = (ending: RegExp) => titles.filter((title) => ending.test(title)).length / titles.length;
    expect(share(/\((?:fast path)(?:, compiled)?\)$/)).toBeGreaterThan(0.5);
    expect(share(/\((?:fast path, )?compiled\)$/)).toBeGreaterThan(0.2);
  });
});
