import { describe, expect, it } from 'vitest';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { SandboxError } from '../../../sandbox/kernel/errors.ts';
import { spec } from '../../support/spec.ts';
import { REJECTED_SQL } from './rejectedSql.ts';

function parseInvalid(sql: string): SandboxError {
  try {
    parseSql(sql);
  } catch (error) {
    if (error instanceof SandboxError) return error;
    throw error;
  }
  throw new Error(`This text is accepted: ${sql}`);
}

/** The SQL without its mark, and the expected position in the error, computed differently than in the sandbox. */
function parseMarked(marked: string): { readonly sql: string; readonly place: string } {
  const [before = '', after = ''] = marked.split('¦');
  const spaces = /^[ \t\r\n]*/.exec(after)?.[0] ?? '';
  let [line, column] = [1, 1];
  for (const character of before + spaces) [line, column] = character === '\n' ? [line + 1, 1] : [line, column + 1];
  return { sql: before + after, place: `line ${line}, column ${column}: ` };
}

describe.each(Object.entries(REJECTED_SQL))('%s', (_kind, statements) => {
  it.each(statements.map(([marked, message]) => [marked, message]))(
    'fail with their position: %s',
    spec('4.12.71', '4.12.78', '4.12.79', '4.12.82'),
    (marked, message) => {
      const { sql, place } = parseMarked(marked);
      const error = parseInvalid(sql);
      expect(error.code).toBe('invalid_argument');
      expect(error.message.slice(0, place.length)).toBe(place);
      expect(error.message).toContain(message);
      expect(error.message).toMatch(/expected .*\.$/s);
    },
  );
});

it('contains at least 200 invalid queries', () => {
  expect(Object.values(REJECTED_SQL).flat().length).toBeGreaterThanOrEqual(200);
});
