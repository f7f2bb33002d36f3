import { readFileSync } from 'node:fs';
import { loadModule, parseSync, scanSync } from 'libpg-query';
import { beforeAll, describe, expect, it } from 'vitest';
import { RESERVED } from '../../../sandbox/analytics/sql/keywords.ts';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { printSql } from '../../../sandbox/analytics/sql/print.ts';
import { SandboxError } from '../../../sandbox/kernel/errors.ts';
import { mutatedSql } from '../../sandbox/analytics/sqlMutations.ts';
import { sqlQuery } from '../../sandbox/analytics/sqlQueries.ts';
import { fc } from '../../support/seeded.ts';

// Compares with PostgreSQL's own grammar: all accepted SQL must be valid there and have the same meaning.
beforeAll(loadModule);

/** Excluded from the comparison: positions, and groups, which can be named by their expressions or aliases. */
const EXCLUDED = new Set(['location', 'rexpr_list_start', 'rexpr_list_end', 'groupClause', 'sortby_nulls']);

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
interface BoolExpr {
  readonly boolop: string;
  readonly args: readonly { readonly BoolExpr?: BoolExpr }[];
}

/** Flattens nested conjunctions and disjunctions, which have the same meaning. */
const flatten = ({ boolop, args }: BoolExpr): readonly object[] =>
  args.flatMap((arg) => (arg.BoolExpr?.boolop === boolop ? flatten(arg.BoolExpr) : [arg]));

function normalizeTree(tree: Json): Json {
  if (Array.isArray(tree)) return tree.map(normalizeTree);
  if (typeof tree !== 'object' || tree === null) return tree;
  const entries = Object.entries(tree).filter(([name]) => !EXCLUDED.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const expression = name === 'BoolExpr' ? (value as unknown as BoolExpr) : undefined;
      const part = expression ? ({ boolop: expression.boolop, args: flatten(expression) } as unknown as Json) : value;
      return [name, normalizeTree(part as Json)];
    }),
  );
}

const parseInPostgres = (sql: string): Json => normalizeTree(parseSync(sql) as unknown as Json);

/** Whether the sandbox accepts the SQL. */
function accepts(sql: string): boolean {
  try {
    parseSql(sql);
    return true;
  } catch (error) {
    if (error instanceof SandboxError) return false;
    throw error;
  }
}

/** The keywords of PostgreSQL's grammar, which exports no list, but contains their names. */
function listKeywords(): readonly string[] {
  const program = readFileSync(new URL(import.meta.resolve('libpg-query/wasm/libpg-query.wasm')), 'latin1');
  const words = new Set(program.match(/[a-z_]{2,}/g));
  return scanSync([...words].join(' '))
    .tokens.filter(({ keywordName }) => keywordName !== 'NO_KEYWORD')
    .map(({ text }) => text);
}

describe('PostgreSQL grammar', () => {
  it('accepts all printed SQL', () => {
    fc.assert(
      fc.property(sqlQuery, (query) => {
        expect(() => parseSync(printSql(query))).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('accepts all mutated SQL that the sandbox accepts, with the same meaning', () => {
    let accepted = 0;
    fc.assert(
      fc.property(mutatedSql, (sql) => {
        if (!accepts(sql)) return;
        accepted += 1;
        expect(parseInPostgres(sql)).toEqual(parseInPostgres(printSql(parseSql(sql).query)));
      }),
      { numRuns: 2_000 },
    );
    // Enough accepted statements for a meaningful test.
    expect(accepted).toBeGreaterThan(200);
  });

  it('parses a minus after an operator with the same meaning', () => {
    for (const operator of ['=', '<>', '!=', '<', '<=', '>', '>=']) {
      for (const space of ['', ' ']) {
        const sql = `SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_minutes ${operator}${space}-5 LIMIT 1`;
        if (accepts(sql)) expect(parseInPostgres(sql)).toEqual(parseInPostgres(printSql(parseSql(sql).query)));
        else expect(`${operator}${space}`).toBe('!=');
      }
    }
  });

  it('accepts the same keywords as column names', () => {
    const known = listKeywords();
    expect(known.length).toBeGreaterThan(450);
    const named = (name: string) => `SELECT count(*) AS ${name} FROM orders WHERE svc.timezone('UTC') ORDER BY ${name} LIMIT 1`;
    const inBoth = known.filter((word) => accepts(named(word)));
    for (const word of inBoth) expect(() => parseSync(named(word)), word).not.toThrow();
    expect(known.filter((word) => !inBoth.includes(word)).toSorted()).toEqual([...RESERVED].toSorted());
  });
});
