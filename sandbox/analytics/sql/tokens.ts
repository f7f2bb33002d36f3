import { invalidArgument } from '../../kernel/errors.ts';
import { truncate } from '../../kernel/truncate.ts';

/** `name` includes keywords, in lower case. `text` is a literal without quotes. `symbol` is an operator or punctuation. */
type TokenKind = 'name' | 'text' | 'number' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly value: string;
  /** Start offset in the SQL, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Maximum number of characters of a token that an error message contains. Chosen. */
const MAX_QUOTED = 40;

// Each pattern is one character class, so none can backtrack.
const SPACE = /[ \t\r\n\f]+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const DIGITS = /[0-9]+/y;
/** PostgreSQL tokenizes the longest sequence of these characters as one operator. */
const OPERATOR = /[-+*/<>=~!@#%^&|`?:]+/y;
const LETTER = /[A-Za-z0-9_]/;

const SIGNS = new Set(['(', ')', ',', '.']);
const OPERATORS = new Set(['=', '<>', '!=', '<', '<=', '>', '>=', '*', '-']);
/** Operators that can be followed directly by the minus of a number. PostgreSQL tokenizes `!=-` as one operator. */
const BEFORE_MINUS = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Errors for SQL characters and operators that aren't supported. */
const UNKNOWN: Readonly<Record<string, string>> = {
  ';': 'a query is a single statement; expected no semicolon',
  '"': 'quoted names are not supported; expected an unquoted name of the catalog, or a string in single quotes',
  '`': 'quoted names are not supported; expected an unquoted name of the catalog',
  '[': 'arrays are not supported; expected a list in parentheses',
  $: 'parameters and dollar quotes are not supported; expected the value itself',
  '?': 'parameters are not supported; expected the value itself',
  ':': 'parameters are not supported; expected the value itself',
  '@': 'parameters are not supported; expected the value itself',
  '::': 'casts are not supported; expected a plain value',
};

function unsupportedReason(run: string): string {
  if (run.includes('--') || run.includes('/*')) return 'comments are not supported; expected only the statement';
  const known = UNKNOWN[run];
  return known ?? `unknown operator ${JSON.stringify(truncate(run, MAX_QUOTED).text)}; expected one of =, <>, !=, <, <=, >, and >=`;
}

/** Tokenizes lazily, so that the first error in the SQL is reported first. */
export class Tokens {
  readonly #sql: string;
  #end = 0;
  #next: Token | undefined;

  constructor(sql: string) {
    this.#sql = sql;
  }

  /** The next token. */
  get next(): Token {
    this.#next ??= this.#read(this.#end);
    return this.#next;
  }

  /** Consumes the next token. */
  consume(): Token {
    const token = this.next;
    this.#end = token.end;
    this.#next = undefined;
    return token;
  }

  /** The token as it's written in the SQL, for messages. */
  formatToken({ kind, start, end }: Token): string {
    return kind === 'end' ? 'end of query' : JSON.stringify(truncate(this.#sql.slice(start, end), MAX_QUOTED).text);
  }

  /** Creates an error that starts with the position of an offset. Columns are counted in characters. */
  createErrorAt(start: number, problem: string) {
    const before = this.#sql.slice(0, start);
    const lineStart = before.lastIndexOf('\n') + 1;
    const line = before.split('\n').length;
    const column = Array.from(before.slice(lineStart)).length + 1;
    return invalidArgument(`line ${line}, column ${column}: ${problem}`);
  }

  #read(from: number): Token {
    const sql = this.#sql;
    const start = from + this.#match(SPACE, from).length;
    const token = (kind: TokenKind, value: string, end: number): Token => ({ kind, value, start, end });
    const character = sql[start];
    if (character === undefined) return token('end', '', start);
    if (SIGNS.has(character)) return token('symbol', character, start + 1);
    if (character === "'") return this.#text(start);
    const name = this.#match(NAME, start);
    if (name !== '') return token('name', name.toLowerCase(), start + name.length);
    const digits = this.#match(DIGITS, start);
    if (digits !== '') return this.#number(start, digits);
    const operator = this.#operator(start, this.#match(OPERATOR, start));
    if (operator !== undefined) return token('symbol', operator, start + operator.length);
    throw this.createErrorAt(start, `${this.#unknown(start)}.`);
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.test(this.#sql) ? this.#sql.slice(at, pattern.lastIndex) : '';
  }

  #text(start: number): Token {
    const sql = this.#sql;
    let end = sql.indexOf("'", start + 1);
    while (end !== -1 && sql[end + 1] === "'") end = sql.indexOf("'", end + 2);
    if (end === -1)
      throw this.createErrorAt(
        start,
        'unterminated string; expected a closing single quote, and two quotes for each one inside the string.',
      );
    return { kind: 'text', value: sql.slice(start + 1, end).replaceAll("''", "'"), start, end: end + 1 };
  }

  #number(start: number, whole: string): Token {
    const dot = start + whole.length;
    const fraction = this.#sql[dot] === '.' ? this.#match(DIGITS, dot + 1) : '';
    const value = fraction === '' ? whole : `${whole}.${fraction}`;
    const end = start + value.length;
    const follower = this.#sql[end];
    if (follower !== undefined && LETTER.test(follower))
      throw this.createErrorAt(start, 'letters within a number are not supported; expected digits, with an optional decimal point.');
    return { kind: 'number', value, start, end };
  }

  #operator(start: number, run: string): string | undefined {
    if (run === '') return undefined;
    if (OPERATORS.has(run)) return run;
    const withoutMinus = run.slice(0, -1);
    if (run.endsWith('-') && BEFORE_MINUS.has(withoutMinus)) return withoutMinus;
    throw this.createErrorAt(start, `${unsupportedReason(run)}.`);
  }

  #unknown(start: number): string {
    const character = String.fromCodePoint(this.#sql.codePointAt(start) ?? 0);
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return UNKNOWN[character] ?? `U+${code} is not supported outside strings; expected ASCII letters, digits, and symbols`;
  }
}
