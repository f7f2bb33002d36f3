import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../sandbox/analytics/limits.ts';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { textOf } from '../../../sandbox/analytics/sql/print.ts';
import { SandboxError } from '../../../sandbox/kernel/errors.ts';
import { mutatedSql, tokenSoup } from '../../sandbox/analytics/sqlMutations.ts';
import { anyCharacter, cases, fc } from '../../support/seeded.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const TEXTS = cases(1_000);
/** CPU time in milliseconds: ten times what a text of 32 KiB takes at worst. */
const MAX_MS = 250;
/** A time above the bound is measured again: the compiler and the collector run in the same thread. */
const MEASUREMENTS = 4;
/** The catalog's longest list of names fits in it. */
const MAX_MESSAGE = 1_000;

function refusalOf(sql: string): string | undefined {
  try {
    textOf(parseSql(sql).query);
    return undefined;
  } catch (error) {
    if (error instanceof SandboxError && error.code === 'invalid_argument') return error.message;
    throw error;
  }
}

function cpuMs(sql: string): number {
  const before = process.threadCpuUsage();
  refusalOf(sql);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** What is wrong with how a text is met. */
function problemOf(sql: string): string | undefined {
  let fastest = cpuMs(sql);
  for (let again = 1; fastest > MAX_MS && again < MEASUREMENTS; again += 1) fastest = Math.min(fastest, cpuMs(sql));
  if (fastest > MAX_MS) return `takes ${fastest} ms`;
  const message = refusalOf(sql);
  if (message === undefined) return undefined;
  if (!/^line \d+, column \d+: .*expected .*\.$/s.test(message)) return `is refused by: ${message}`;
  return message.length > MAX_MESSAGE ? `is refused by a message of ${message.length} characters` : undefined;
}

const START = "SELECT count(*) FROM customers WHERE svc.timezone('UTC') AND ";
const NESTED = 'EXISTS (SELECT 1 FROM orders WHERE orders.customer_id = customers.id AND ';
const BACK = 'EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id AND ';

/** As often as fits in the longest text that the contract lets through. */
const filled = (start: string, unit: string, end = '') =>
  start + unit.repeat(Math.floor((LIMITS.maxSqlBytes - start.length - end.length) / unit.length)) + end;

const BOMBS: Readonly<Record<string, string>> = {
  'open parentheses': filled(START, '('),
  'parentheses around nothing': filled(START, '()'),
  'parentheses around a condition': `${START}${'('.repeat(16_000)}title = 'x'${')'.repeat(16_000)} LIMIT 1`,
  'existence tests within each other': filled(START, NESTED + BACK),
  'existence tests beside each other': filled(START, `${NESTED}status = 'x') AND `, "title = 'x' LIMIT 1"),
  'a list of texts': filled(`${START}title IN (`, "'x',", "'x') LIMIT 1"),
  'a list of numbers': filled("SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_minutes IN (", '1,', '1) LIMIT 1'),
  'a number of many digits': filled("SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_minutes = ", '9', ' LIMIT 1'),
  'a fraction of many digits': filled(
    "SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_hours = 0.",
    '9',
    ' LIMIT 1',
  ),
  'a limit of many digits': filled("SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT ", '0', '1'),
  'many conditions': filled(START, "title='x' AND ", "title='x' LIMIT 1"),
  'many alternatives': filled(`${START}(`, "title='x' OR ", "title='x') LIMIT 1"),
  'many items': filled('SELECT id', ',id', " FROM orders WHERE svc.timezone('UTC') LIMIT 1"),
  'many dimensions that are not grouped by': filled('SELECT id', ',id', ",count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1"),
  'many dimensions': `SELECT ${'id,'.repeat(5_000)}count(*) FROM orders WHERE svc.timezone('UTC') GROUP BY ${'id,'.repeat(5_000)}id LIMIT 1`,
  'dimensions, each named and grouped by': `SELECT ${Array.from({ length: 1_200 }, (_, index) => `id AS n${index}`)},count(*) FROM orders WHERE svc.timezone('UTC') GROUP BY ${Array.from({ length: 1_200 }, (_, index) => `n${index}`)} LIMIT 1`,
  'many columns to sort by': filled("SELECT id FROM orders WHERE svc.timezone('UTC') ORDER BY id", ',id', ' LIMIT 1'),
  quotes: filled(`${START}title = `, "'"),
  'doubled quotes': filled(`${START}title = '`, "''", "' LIMIT 1"),
  'doubled quotes without an end': filled(`${START}title = '`, "''"),
  spaces: filled('SELECT', ' ', 'x'),
  lines: filled('', '\n', 'x'),
  'a name': filled('SELECT ', 'a'),
  operators: filled(START, '<'),
  minuses: filled(`${START}title = `, '- '),
  dots: filled('SELECT ', '.'),
  commas: filled('SELECT ', ','),
  'characters of four bytes': filled(`${START}title = '`, '💥'.repeat(1), '').slice(0, 8_192),
  'zero bytes': filled('', '\0'),
  'half characters': filled(`${START}title = '`, '\ud800', "' LIMIT 1"),
  keywords: filled('', 'SELECT '),
};

describe('hostile texts', () => {
  it.each(Object.entries(BOMBS))('are met in time: %s', (_name, sql) => {
    expect(problemOf(sql)).toBeUndefined();
  });

  it('are read or refused with a place, and in time', { timeout: LONG_TEST_MS }, () => {
    const counts = { read: 0, refused: 0 };
    const text = fc.oneof(
      { weight: 8, arbitrary: mutatedSql },
      { weight: 2, arbitrary: tokenSoup },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(...Object.values(BOMBS)), fc.nat(LIMITS.maxSqlBytes))
          .map(([bomb, length]) => bomb.slice(0, length)),
      },
    );
    fc.assert(
      fc.property(text, (sql) => {
        expect(problemOf(sql)).toBeUndefined();
        counts[refusalOf(sql) === undefined ? 'read' : 'refused'] += 1;
      }),
      { numRuns: TEXTS },
    );
    // Neither end of the road is missed.
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(TEXTS / 50);
  });
});
