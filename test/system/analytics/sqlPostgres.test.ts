import { readFileSync } from 'node:fs';
import { loadModule, parseSync, scanSync } from 'libpg-query';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { textOf } from '../../../sandbox/analytics/sql/print.ts';
import { RESERVED } from '../../../sandbox/analytics/sql/words.ts';
import { SandboxError } from '../../../sandbox/kernel/errors.ts';
import { mutatedSql } from '../../sandbox/analytics/sqlMutations.ts';
import { sqlQuery } from '../../sandbox/analytics/sqlQueries.ts';
import { fc } from '../../support/seeded.ts';

// PostgreSQL's own grammar reads the texts too: all that is accepted must be SQL, and must mean there what it means here.
beforeAll(loadModule);

/** Not compared: places, and groups, which may be named by their expressions or their aliases. */
const LEFT_OUT = new Set(['location', 'rexpr_list_start', 'rexpr_list_end', 'groupClause', 'sortby_nulls']);

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
interface BoolExpr {
  readonly boolop: string;
  readonly args: readonly { readonly BoolExpr?: BoolExpr }[];
}

/** The arguments of a conjunction within a conjunction are its own, as far as the meaning goes. */
const flat = ({ boolop, args }: BoolExpr): readonly object[] =>
  args.flatMap((arg) => (arg.BoolExpr?.boolop === boolop ? flat(arg.BoolExpr) : [arg]));

function meaning(tree: Json): Json {
  if (Array.isArray(tree)) return tree.map(meaning);
  if (typeof tree !== 'object' || tree === null) return tree;
  const entries = Object.entries(tree).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const expression = name === 'BoolExpr' ? (value as unknown as BoolExpr) : undefined;
      const part = expression ? ({ boolop: expression.boolop, args: flat(expression) } as unknown as Json) : value;
      return [name, meaning(part as Json)];
    }),
  );
}

const inPostgres = (sql: string): Json => meaning(parseSync(sql) as unknown as Json);

/** Whether a text is accepted here. */
function accepts(sql: string): boolean {
  try {
    parseSql(sql);
    return true;
  } catch (error) {
    if (error instanceof SandboxError) return false;
    throw error;
  }
}

/** The keywords of PostgreSQL's grammar. It lists none, but its program holds their names. */
function keywords(): readonly string[] {
  const program = readFileSync(new URL(import.meta.resolve('libpg-query/wasm/libpg-query.wasm')), 'latin1');
  const words = new Set(program.match(/[a-z_]{2,}/g));
  return scanSync([...words].join(' '))
    .tokens.filter(({ keywordName }) => keywordName !== 'NO_KEYWORD')
    .map(({ text }) => text);
}

describe('in PostgreSQL', () => {
  it('each text that is printed is a statement', () => {
    fc.assert(
      fc.property(sqlQuery, (query) => {
        expect(() => parseSync(textOf(query))).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('each changed text that is accepted is a statement, and means what its query means', () => {
    let accepted = 0;
    fc.assert(
      fc.property(mutatedSql, (sql) => {
        if (!accepts(sql)) return;
        accepted += 1;
        expect(inPostgres(sql)).toEqual(inPostgres(textOf(parseSql(sql).query)));
      }),
      { numRuns: 2_000 },
    );
    // Enough of them are left for the test to mean something.
    expect(accepted).toBeGreaterThan(200);
  });

  it('a minus behind an operator means what it means here', () => {
    for (const operator of ['=', '<>', '!=', '<', '<=', '>', '>=']) {
      for (const space of ['', ' ']) {
        const sql = `SELECT count(*) FROM appointments WHERE svc.timezone('UTC') AND duration_minutes ${operator}${space}-5 LIMIT 1`;
        if (accepts(sql)) expect(inPostgres(sql)).toEqual(inPostgres(textOf(parseSql(sql).query)));
        else expect(`${operator}${space}`).toBe('!=');
      }
    }
  });

  it('a keyword is the name of a column where it is one here', () => {
    const known = keywords();
    expect(known.length).toBeGreaterThan(450);
    const named = (name: string) => `SELECT count(*) AS ${name} FROM orders WHERE svc.timezone('UTC') ORDER BY ${name} LIMIT 1`;
    const inBoth = known.filter((word) => accepts(named(word)));
    for (const word of inBoth) expect(() => parseSync(named(word)), word).not.toThrow();
    expect(known.filter((word) => !inBoth.includes(word)).toSorted()).toEqual([...RESERVED].toSorted());
  });
});
