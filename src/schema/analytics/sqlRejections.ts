import type { IssueCode } from '../../failures/errorCodes.ts';
import type { ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { Aggregation } from './enums.ts';
import type { SqlToken } from './sqlTokens.ts';
import { getOffset, type SqlPosition, type WireSql } from './wireSql.ts';

/** SQL keywords that no accepted statement contains, or only in another position, such as NOT before IN. */
const UNSUPPORTED_KEYWORDS: ReadonlySet<string> = new Set(
  `all alter any array as between case cast coalesce collate create cross delete distinct drop except explain fetch filter full having ilike inner insert intersect
  interval into join lateral left like merge natural not nullif offset on or outer over partition recursive returning right row select similar some tablesample
  union update using values window with`.split(/\s+/),
);

/** SQL characters and operators that no accepted statement contains. */
const UNSUPPORTED_SYMBOLS: ReadonlySet<string> = new Set([';', '"', '`', '[', '$', '?', ':', '::', '@', '--', '/*', '*', '||', '~']);

/** Other keywords of the subset. At a rejected position, the grammar doesn't allow them. */
const GRAMMAR_KEYWORDS: ReadonlySet<string> = new Set(
  `and asc by desc exists false first from group in is last limit null nulls order true where within`.split(' '),
);

/** Maximum nesting depth of parentheses. Source: docs/analytics-sql.md. */
const MAX_DEPTH = 32;

/** Returns the names that are valid at a position: entities, functions, aliases in the SQL, fields of the entity, and after a dot the fields of any entity. */
function getVisibleNames(index: number, tokens: readonly SqlToken[], { entities, sqlSupport }: ListCatalogResponse): ReadonlySet<string> {
  const entity = tokens[index]?.entity;
  const isQualified = tokens[index - 1]?.value === '.';
  const visible = isQualified ? entities : entities.filter(({ name }) => name === entity);
  return new Set([
    ...entities.map(({ name }) => name),
    ...visible.flatMap(({ fields }) => fields.map(({ name }) => name)),
    ...(sqlSupport?.functions ?? []),
    ...(sqlSupport?.aggregations ?? []).map((each) => String(Aggregation.fromWire(each)).toLowerCase()),
    ...tokens.flatMap(({ value }, each) => (tokens[each - 1]?.value === 'as' ? [value] : [])),
  ]);
}

/** Tokens that can precede a function such as `svc.timezone`. */
const TOKENS_BEFORE_FUNCTION: ReadonlySet<string> = new Set(['and', 'by', 'select', 'where', ',']);

/** Functions whose arguments have a format: a time zone, dates or timestamps. */
const FORMATTED_FUNCTIONS: ReadonlySet<string> = new Set(['svc.timezone', 'svc.calendar_range', 'svc.timestamp_range']);

/** Returns the code of a rejected function with a schema, such as `svc.timezone`. Null for names that aren't one. */
function getFunctionCode(index: number, tokens: readonly SqlToken[], { sqlSupport }: ListCatalogResponse): IssueCode | null {
  const functions = sqlSupport?.functions ?? [];
  const schema = tokens[index]?.value;
  if (!functions.some((each) => each.startsWith(`${schema}.`))) return null;
  const name = `${schema}.${tokens[index + 2]?.value}`;
  if (!functions.includes(name)) return 'UNKNOWN_NAME';
  if (!TOKENS_BEFORE_FUNCTION.has(tokens[index - 1]?.value ?? '')) return 'INVALID_SYNTAX';
  return FORMATTED_FUNCTIONS.has(name) ? 'INVALID_FORMAT' : 'NOT_ALLOWED';
}

function getNameCode(
  { value: name }: SqlToken,
  index: number,
  tokens: readonly SqlToken[],
  catalog: ListCatalogResponse | null,
): IssueCode {
  if (!catalog) return 'OTHER';
  return getFunctionCode(index, tokens, catalog) ?? (getVisibleNames(index, tokens, catalog).has(name) ? 'NOT_ALLOWED' : 'UNKNOWN_NAME');
}

/** Types whose values are strings with a format: an invalid string doesn't have the wrong type. */
const FORMATTED_TYPES: ReadonlySet<string> = new Set(['ANALYTICS_FIELD_TYPE_TIMESTAMP', 'ANALYTICS_FIELD_TYPE_DATE']);

/** Returns the code of a rejected string: a time zone, a bucket, a date, or a value of the wrong type. */
function getStringCode(index: number, tokens: readonly SqlToken[], catalog: ListCatalogResponse | null): IssueCode {
  const parenthesis = tokens.findLastIndex(({ kind, value }, each) => each < index && kind === 'symbol' && value === '(');
  const functionName = tokens[parenthesis - 1]?.value;
  if (functionName === 'timezone' || functionName === 'calendar_range' || functionName === 'timestamp_range') return 'INVALID_FORMAT';
  if (functionName === 'bucket') return 'UNKNOWN_NAME';
  const field = tokens[index - 2];
  const { type } = catalog?.entities.find(({ name }) => name === field?.entity)?.fields.find(({ name }) => name === field?.value) ?? {};
  return FORMATTED_TYPES.has(String(type)) ? 'INVALID_FORMAT' : 'NOT_ALLOWED';
}

/**
 * Returns the code of rejected SQL, based on the token at the position in the original SQL and not on the upstream's message, whose wording can change. The catalog, null if it
 * can't be read, is only fetched to distinguish known names from unknown ones.
 */
export async function getRejectionCode(
  { original, tokens }: WireSql,
  position: SqlPosition,
  readCatalog: () => Promise<ListCatalogResponse | null>,
): Promise<IssueCode> {
  const offset = getOffset(original, position);
  if (offset === undefined) return 'OTHER';
  const index = tokens.findIndex(({ end }) => offset < end);
  const token = tokens[index];
  // The end of the SQL: a required part is missing.
  if (!token) return 'REQUIRED';
  const { kind, value } = token;
  if (kind === 'name' && UNSUPPORTED_KEYWORDS.has(value)) return 'UNSUPPORTED';
  if (kind === 'symbol' && UNSUPPORTED_SYMBOLS.has(value)) return 'UNSUPPORTED';
  if (kind === 'number') return tokens[index - 1]?.value === 'limit' ? 'OUT_OF_RANGE' : 'NOT_ALLOWED';
  if (kind === 'symbol') return value === '(' && token.depth > MAX_DEPTH ? 'TOO_LONG' : 'INVALID_SYNTAX';
  if (kind === 'name' && (GRAMMAR_KEYWORDS.has(value) || index === 0)) return 'INVALID_SYNTAX';
  const catalog = await readCatalog();
  return kind === 'name' ? getNameCode(token, index, tokens, catalog) : getStringCode(index, tokens, catalog);
}
