import { invalid } from '../../kernel/errors.ts';
import { shorten } from '../../kernel/texts.ts';

/** `name` covers keywords too, in lower case; `text` is a literal without its quotes; `symbol` is an operator or a sign such as a comma. */
type TokenKind = 'name' | 'text' | 'number' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly value: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** How much of a token an error message repeats, in characters. Ours. */
const MAX_SHOWN = 40;

// Each of them is a class of characters, so that none can backtrack.
const SPACE = /[ \t\r\n\f]+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const DIGITS = /[0-9]+/y;
/** PostgreSQL takes the longest run of these for one operator. */
const OPERATOR = /[-+*/<>=~!@#%^&|`?:]+/y;
const LETTER = /[A-Za-z0-9_]/;

const SIGNS = new Set(['(', ')', ',', '.']);
const OPERATORS = new Set(['=', '<>', '!=', '<', '<=', '>', '>=', '*', '-']);
/** Operators after which the minus of a number may stand without a space. PostgreSQL reads `!=-` as an operator of its own. */
const BEFORE_MINUS = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Reasons for characters and operators that SQL has and this language has not. */
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

function reasonOf(run: string): string {
  if (run.includes('--') || run.includes('/*')) return 'comments are not supported; expected only the statement';
  const known = UNKNOWN[run];
  return known ?? `unknown operator ${JSON.stringify(shorten(run, MAX_SHOWN).text)}; expected one of =, <>, !=, <, <=, >, and >=`;
}

/** Reads a text token by token, so that the first mistake is told first. */
export class Tokens {
  readonly #sql: string;
  #end = 0;
  #next: Token | undefined;

  constructor(sql: string) {
    this.#sql = sql;
  }

  /** The token that comes next. */
  get next(): Token {
    this.#next ??= this.#read(this.#end);
    return this.#next;
  }

  /** Takes the next token. */
  take(): Token {
    const token = this.next;
    this.#end = token.end;
    this.#next = undefined;
    return token;
  }

  /** The token as it stands in the text, for messages. */
  shown({ kind, start, end }: Token): string {
    return kind === 'end' ? 'end of query' : JSON.stringify(shorten(this.#sql.slice(start, end), MAX_SHOWN).text);
  }

  /** A refusal that begins with the place of an offset. Columns count characters. */
  refusal(start: number, problem: string) {
    const before = this.#sql.slice(0, start);
    const lineStart = before.lastIndexOf('\n') + 1;
    const line = before.split('\n').length;
    const column = Array.from(before.slice(lineStart)).length + 1;
    return invalid(`line ${line}, column ${column}: ${problem}`);
  }

  #read(from: number): Token {
    const sql = this.#sql;
    const start = from + this.#run(SPACE, from).length;
    const token = (kind: TokenKind, value: string, end: number): Token => ({ kind, value, start, end });
    const character = sql[start];
    if (character === undefined) return token('end', '', start);
    if (SIGNS.has(character)) return token('symbol', character, start + 1);
    if (character === "'") return this.#text(start);
    const name = this.#run(NAME, start);
    if (name !== '') return token('name', name.toLowerCase(), start + name.length);
    const digits = this.#run(DIGITS, start);
    if (digits !== '') return this.#number(start, digits);
    const operator = this.#operator(start, this.#run(OPERATOR, start));
    if (operator !== undefined) return token('symbol', operator, start + operator.length);
    throw this.refusal(start, `${this.#unknown(start)}.`);
  }

  #run(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.test(this.#sql) ? this.#sql.slice(at, pattern.lastIndex) : '';
  }

  #text(start: number): Token {
    const sql = this.#sql;
    let end = sql.indexOf("'", start + 1);
    while (end !== -1 && sql[end + 1] === "'") end = sql.indexOf("'", end + 2);
    if (end === -1)
      throw this.refusal(start, 'unterminated string; expected a closing single quote, and two quotes for each one inside the string.');
    return { kind: 'text', value: sql.slice(start + 1, end).replaceAll("''", "'"), start, end: end + 1 };
  }

  #number(start: number, whole: string): Token {
    const dot = start + whole.length;
    const fraction = this.#sql[dot] === '.' ? this.#run(DIGITS, dot + 1) : '';
    const value = fraction === '' ? whole : `${whole}.${fraction}`;
    const end = start + value.length;
    const follower = this.#sql[end];
    if (follower !== undefined && LETTER.test(follower))
      throw this.refusal(start, 'letters within a number are not supported; expected digits, with an optional decimal point.');
    return { kind: 'number', value, start, end };
  }

  #operator(start: number, run: string): string | undefined {
    if (run === '') return undefined;
    if (OPERATORS.has(run)) return run;
    const withoutMinus = run.slice(0, -1);
    if (run.endsWith('-') && BEFORE_MINUS.has(withoutMinus)) return withoutMinus;
    throw this.refusal(start, `${reasonOf(run)}.`);
  }

  #unknown(start: number): string {
    const character = String.fromCodePoint(this.#sql.codePointAt(start) ?? 0);
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return UNKNOWN[character] ?? `U+${code} is not supported outside strings; expected ASCII letters, digits, and symbols`;
  }
}
