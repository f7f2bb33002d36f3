import { printSql } from '../../../sandbox/analytics/sql/print.ts';
import { fc } from '../../support/seeded.ts';
import { sqlQuery } from './sqlQueries.ts';

const TOKEN = /'(?:[^']|'')*'|\w+|[<>!=]+|\s+|[^\w\s]/g;

/** SQL tokens, both supported and unsupported ones. */
const VOCABULARY = [
  ...'select from where and or not in is null exists group by order limit asc desc nulls last first as distinct all with join on union having'.split(
    ' ',
  ),
  ...'offset between like case when then end cast within filter over true false any array row values current_date count sum avg min max'.split(
    ' ',
  ),
  ...'percentile_disc contains current_member svc timezone calendar_range timestamp_range bucket orders payments customers id status'.split(
    ' ',
  ),
  ...'currency created_at member_id duration_hours duration_minutes paid_at order_id customer_id total_once'.split(' '),
  ...[
    '(',
    ')',
    ',',
    '.',
    ';',
    '*',
    '-',
    '+',
    '=',
    '<>',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    '::',
    '--',
    '/*',
    '*/',
    '$1',
    '?',
    ':x',
    '"',
    "'",
    '||',
    '!',
  ],
  ...[
    "''",
    "'x'",
    "'UTC'",
    "'month'",
    "'2026-01-01'",
    '0',
    '1',
    '7',
    '100',
    '101',
    '0.5',
    '-1',
    '1e5',
    '0x1',
    '.',
    ' ',
    '\n',
    '\t',
    '\u00a0',
    'é',
    '💥',
  ],
];

type Edit = readonly [kind: 'delete' | 'repeat' | 'swap' | 'replace' | 'insert' | 'upper', at: number, token: string];

const edit = fc.tuple(
  fc.constantFrom<Edit[0]>('delete', 'repeat', 'swap', 'replace', 'insert', 'upper'),
  fc.nat(10_000),
  fc.constantFrom(...VOCABULARY),
);

function applyEdit(tokens: readonly string[], [kind, at, token]: Edit): string[] {
  const index = at % Math.max(1, tokens.length);
  const old = tokens[index] ?? '';
  const next = tokens[index + 2] ?? '';
  const replacements: Readonly<Record<Edit[0], readonly string[]>> = {
    delete: [],
    repeat: [old, ' ', old],
    swap: [next, tokens[index + 1] ?? '', old],
    replace: [token],
    insert: [old, ' ', token, ' '],
    upper: [old.startsWith("'") ? old : old.toUpperCase()],
  };
  return tokens.toSpliced(index, kind === 'swap' ? 3 : 1, ...replacements[kind]);
}

/** Valid SQL with some of its tokens changed. */
export const mutatedSql = fc
  .tuple(sqlQuery.map(printSql), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([sql, edits]) => edits.reduce(applyEdit, sql.match(TOKEN) ?? []).join(''));

/** Tokens in random order. */
export const tokenSoup = fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 60 }).map((tokens) => tokens.join(' '));
