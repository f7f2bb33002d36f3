import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../sandbox/analytics/limits.ts';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { printSql } from '../../../sandbox/analytics/sql/print.ts';
import { SandboxError } from '../../../sandbox/kernel/errors.ts';
import { mutatedSql, tokenSoup } from '../../sandbox/analytics/sqlMutations.ts';
import { anyCharacter, fc, scaleCases } from '../../support/seeded.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const STATEMENTS = scaleCases(1_000);
/** CPU time in milliseconds: ten times the maximum for SQL of 32 KiB. */
const MAX_MS = 250;
/** How often to measure a time above the limit, because the compiler and the garbage collector run in the same thread. */
const MEASUREMENTS = 4;
/** Maximum length of a message. The catalog's longest list of names fits in it. */
const MAX_MESSAGE = 1_000;

function findRejection(sql: string): string | undefined {
  try {
    printSql(parseSql(sql).query);
    return undefined;
  } catch (error) {
    if (error instanceof SandboxError && error.code === 'invalid_argument') return error.message;
    throw error;
  }
}

function measureCpuMs(sql: string): number {
  const before = process.threadCpuUsage();
  findRejection(sql);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Describes a slow parse, or an error message without position or with the wrong form. Undefined if there's no problem. */
function findProblem(sql: string): string | undefined {
  let fastest = measureCpuMs(sql);
  for (let measurement = 1; fastest > MAX_MS && measurement < MEASUREMENTS; measurement += 1)
    fastest = Math.min(fastest, measureCpuMs(sql));
  if (fastest > MAX_MS) return `takes ${fastest} ms`;
  const message = findRejection(sql);
  if (message === undefined) return undefined;
  if (!/^line \d+, column \d+: .*expected .*\.$/s.test(message)) return `is rejected with: ${message}`;
  return message.length > MAX_MESSAGE ? `is rejected with a message of ${message.length} characters` : undefined;
}

const PREFIX = "SELECT count(*) FROM customers WHERE svc.timezone('UTC') AND ";
const EXISTS_ORDER = 'EXISTS (SELECT 1 FROM orders WHERE orders.customer_id = customers.id AND ';
const EXISTS_CUSTOMER = 'EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id AND ';

/** Repeats the unit up to the maximum length of SQL. */
const fill = (start: string, unit: string, end = '') =>
  start + unit.repeat(Math.floor((LIMITS.maxSqlBytes - start.length - end.length) / unit.length)) + end;

const HOSTILE_SQL: Readonly<Record<string, string>> = {
  'open parentheses': fill(PREFIX, '('),
  'parentheses around nothing': fill(PREFIX, '()'),
  'parentheses around a condition': `${PREFIX}${'('.repeat(16_000)}title = 'x'${')'.repeat(16_000)} LIMIT 1`,
  'nested EXISTS conditions': fill(PREFIX, EXISTS_ORDER + EXISTS_CUSTOMER),
  'many EXISTS conditions': fill(PREFIX, `${EXISTS_ORDER}status = 'x') AND `, "title = 'x' LIMIT 1"),
  'a list of texts': fill(`${PREFIX}title IN (`, "'x',", "'x') LIMIT 1"),
  'a list of numbers': fill("SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_minutes IN (", '1,', '1) LIMIT 1'),
  'a number with many digits': fill("SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_minutes = ", '9', ' LIMIT 1'),
  'a fraction with many digits': fill(
    "SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_hours = 0.",
    '9',
    ' LIMIT 1',
  ),
  'a limit with many digits': fill("SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT ", '0', '1'),
  'many conditions': fill(PREFIX, "title='x' AND ", "title='x' LIMIT 1"),
  'many alternatives': fill(`${PREFIX}(`, "title='x' OR ", "title='x') LIMIT 1"),
  'many selected fields': fill('SELECT id', ',id', " FROM orders WHERE svc.timezone('UTC') LIMIT 1"),
  'many dimensions without GROUP BY': fill('SELECT id', ',id', ",count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1"),
  'many dimensions': `SELECT ${'id,'.repeat(5_000)}count(*) FROM orders WHERE svc.timezone('UTC') GROUP BY ${'id,'.repeat(5_000)}id LIMIT 1`,
  'many named dimensions': `SELECT ${Array.from({ length: 1_200 }, (_, index) => `id AS n${index}`)},count(*) FROM orders WHERE svc.timezone('UTC') GROUP BY ${Array.from({ length: 1_200 }, (_, index) => `n${index}`)} LIMIT 1`,
  'many columns to sort by': fill("SELECT id FROM orders WHERE svc.timezone('UTC') ORDER BY id", ',id', ' LIMIT 1'),
  quotes: fill(`${PREFIX}title = `, "'"),
  'doubled quotes': fill(`${PREFIX}title = '`, "''", "' LIMIT 1"),
  'unterminated doubled quotes': fill(`${PREFIX}title = '`, "''"),
  spaces: fill('SELECT', ' ', 'x'),
  lines: fill('', '\n', 'x'),
  'a long name': fill('SELECT ', 'a'),
  operators: fill(PREFIX, '<'),
  'minus signs': fill(`${PREFIX}title = `, '- '),
  dots: fill('SELECT ', '.'),
  commas: fill('SELECT ', ','),
  'four-byte characters': fill(`${PREFIX}title = '`, '💥'.repeat(1), '').slice(0, 8_192),
  'zero bytes': fill('', '\0'),
  'lone surrogates': fill(`${PREFIX}title = '`, '\ud800', "' LIMIT 1"),
  keywords: fill('', 'SELECT '),
};

describe('hostile SQL', () => {
  it.each(Object.entries(HOSTILE_SQL))('finishes within the time limit: %s', (_name, sql) => {
    expect(findProblem(sql)).toBeUndefined();
  });

  it('parses, or fails with a position, within the time limit', { timeout: LONG_TEST_MS }, () => {
    const counts = { read: 0, rejected: 0 };
    const statement = fc.oneof(
      { weight: 8, arbitrary: mutatedSql },
      { weight: 2, arbitrary: tokenSoup },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(...Object.values(HOSTILE_SQL)), fc.nat(LIMITS.maxSqlBytes))
          .map(([sql, length]) => sql.slice(0, length)),
      },
    );
    fc.assert(
      fc.property(statement, (sql) => {
        expect(findProblem(sql)).toBeUndefined();
        counts[findRejection(sql) === undefined ? 'read' : 'rejected'] += 1;
      }),
      { numRuns: STATEMENTS },
    );
    // Both outcomes occurred.
    expect(Math.min(counts.read, counts.rejected)).toBeGreaterThan(STATEMENTS / 50);
  });
});
