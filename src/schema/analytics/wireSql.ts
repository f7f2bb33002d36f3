import type { ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { getFieldEnum, toMember, toWireText } from './fieldEnums.ts';
import { type SqlToken, tokenizeSql } from './sqlTokens.ts';

/** A position in SQL: the line, and the character in that line, both from 1. */
export interface SqlPosition {
  readonly line: number;
  readonly column: number;
}

/** A replaced literal. Offsets are in UTF-16 units of the original SQL. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '!=']);

const isKeyword = (token: SqlToken | undefined, word: string) => token?.kind === 'name' && token.value === word;

const isInList = (token: SqlToken | undefined) => token?.kind === 'text' || token?.kind === 'number' || token?.value === ',';

/** Returns the string literals that a field is compared with: `field = 'A'`, `field [NOT] IN ('A', 'B')`. */
export function getComparedLiterals(tokens: readonly SqlToken[], index: number): readonly SqlToken[] {
  const next = tokens[index + 1];
  const value = tokens[index + 2];
  if (next?.kind === 'symbol' && COMPARISONS.has(next.value)) return value?.kind === 'text' ? [value] : [];
  const at = isKeyword(next, 'not') ? index + 2 : index + 1;
  const open = tokens[at + 1];
  if (!isKeyword(tokens[at], 'in') || open?.value !== '(') return [];
  // Stops at the first token that isn't part of a list, so that each token is visited once: a list can contain no other.
  const literals: SqlToken[] = [];
  for (let each = at + 2; isInList(tokens[each]); each += 1) if (tokens[each]?.kind === 'text') literals.push(tokens[each] as SqlToken);
  return literals;
}

function createEdits(tokens: readonly SqlToken[], translate: (entity: string, field: string, text: string) => string): readonly Edit[] {
  return tokens.flatMap(({ kind, value: field, entity }, index) => {
    if (kind !== 'name' || entity === null || !getFieldEnum(entity, field)) return [];
    return getComparedLiterals(tokens, index).flatMap(({ start, end, value }) => {
      const text = translate(entity, field, value);
      return text === value ? [] : [{ start, end, text: `'${text.replaceAll("'", "''")}'` }];
    });
  });
}

function applyEdits(sql: string, edits: readonly Edit[]): string {
  let at = 0;
  const parts = edits.map(({ start, end, text }) => {
    const part = sql.slice(at, start) + text;
    at = end;
    return part;
  });
  return parts.join('') + sql.slice(at);
}

/** Converts a position to a UTF-16 offset. Columns count characters. Undefined past the end. */
export function getOffset(sql: string, { line, column }: SqlPosition): number | undefined {
  const lines = sql.split('\n');
  const text = lines[line - 1];
  if (text === undefined) return undefined;
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  return (
    before +
    Array.from(text)
      .slice(0, column - 1)
      .join('').length
  );
}

function getPosition(sql: string, offset: number): SqlPosition {
  const before = sql.slice(0, offset).split('\n');
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 };
}

/** SQL with enum values in the upstream's spelling. Maps positions back to the original SQL. */
export class WireSql {
  readonly sql: string;
  readonly original: string;
  /** Tokens of the original SQL. */
  readonly tokens: readonly SqlToken[];
  readonly #edits: readonly Edit[];

  /** `catalog` contains the upstream's spelling. Without it, the contract's is used. */
  constructor(original: string, tokens: readonly SqlToken[], catalog: ListCatalogResponse | null) {
    this.original = original;
    this.tokens = tokens;
    this.#edits = createEdits(tokens, (entity, field, text) => {
      const { words: catalogValues = [] } =
        catalog?.entities.find(({ name }) => name === entity)?.fields.find(({ name }) => name === field) ?? {};
      return toWireText(getFieldEnum(entity, field), text, catalogValues);
    });
    this.sql = applyEdits(original, this.#edits);
  }

  /** Whether the SQL contains enum values in this schema's spelling. */
  get isConverted(): boolean {
    return this.#edits.length > 0;
  }

  /** Converts a position in the sent SQL to one in the original SQL. A position inside a replaced literal becomes the start of the literal. */
  toOriginalPosition(position: SqlPosition): SqlPosition {
    const offset = getOffset(this.sql, position);
    if (offset === undefined) return position;
    let shift = 0;
    for (const { start, end, text } of this.#edits) {
      if (offset < start + shift) break;
      if (offset < start + shift + text.length) return getPosition(this.original, start);
      shift += text.length - (end - start);
    }
    return getPosition(this.original, offset - shift);
  }
}

/** Converts the enum values in SQL of the upstream to this schema's spelling. */
export const translateSqlEnumValues = (sql: string): string =>
  applyEdits(
    sql,
    createEdits(tokenizeSql(sql), (entity, field, text) => toMember(getFieldEnum(entity, field), text)),
  );

/** Returns the entity that SQL selects from. Undefined without a FROM. */
export const getSqlEntity = (tokens: readonly SqlToken[]): string | undefined =>
  tokens.find(({ depth }) => depth === 0)?.entity ?? undefined;
