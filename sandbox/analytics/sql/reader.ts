import type { CatalogEntity, CatalogField } from '../catalog.ts';
import { RESERVED, UNSUPPORTED } from './keywords.ts';
import { TokenPositions } from './tokenPositions.ts';
import { type Token, Tokens } from './tokens.ts';

/** Maximum nesting depth of parentheses. Chosen: more than the allowed levels of filters require. */
const MAX_DEPTH = 32;

/** A recursive-descent reader of tokens. */
export class Reader {
  /** Positions of the query's parts in the SQL. */
  readonly places = new TokenPositions();
  readonly #tokens: Tokens;
  #depth = 0;

  constructor(sql: string) {
    this.#tokens = new Tokens(sql);
  }

  get next(): Token {
    return this.#tokens.next;
  }

  take(): Token {
    return this.#tokens.consume();
  }

  isWord(word: string): boolean {
    return this.next.kind === 'name' && this.next.value === word;
  }

  isSymbol(symbol: string): boolean {
    return this.next.kind === 'symbol' && this.next.value === symbol;
  }

  /** Consumes the next token if it's this word. */
  takeWord(word: string): boolean {
    const isNext = this.isWord(word);
    if (isNext) this.take();
    return isNext;
  }

  /** Consumes the next token if it's this symbol. */
  takeSymbol(symbol: string): boolean {
    const isNext = this.isSymbol(symbol);
    if (isNext) this.take();
    return isNext;
  }

  /** Consumes the words. If the next tokens are different, throws an error that names `expected`, which defaults to the words. */
  expectWords(words: readonly string[], expected = words.join(' ').toUpperCase()): Token {
    const first = this.next;
    for (const word of words) if (!this.takeWord(word)) throw this.createUnexpectedError(expected);
    return first;
  }

  expectSymbol(symbol: string, expected = JSON.stringify(symbol)): void {
    if (!this.takeSymbol(symbol)) throw this.createUnexpectedError(expected);
  }

  expectText(expected: string): Token {
    if (this.next.kind !== 'text') throw this.createUnexpectedError(expected);
    return this.take();
  }

  expectName(expected: string): Token {
    if (this.next.kind !== 'name' || RESERVED.has(this.next.value)) throw this.createUnexpectedError(expected);
    return this.take();
  }

  /** A column name, as in AS and ORDER BY. */
  expectColumnName(): Token {
    const expected = 'the name of a column';
    if (RESERVED.has(this.next.value) && this.next.kind === 'name')
      throw this.createError(this.next, `${this.formatToken(this.next)} is a keyword; expected ${expected}`);
    return this.expectName(expected);
  }

  /** Looks up a field of a root by name. */
  expectField(name: Token, { name: entity, fields }: CatalogEntity): CatalogField {
    const field = fields.find(({ name: other }) => other === name.value);
    if (!field)
      throw this.createError(
        name,
        `${entity} has no field ${this.formatToken(name)}; expected one of ${fields.map((each) => each.name).join(', ')}`,
      );
    return field;
  }

  /** Items separated by commas. */
  parseList<Item>(item: () => Item): readonly [Item, ...Item[]] {
    const items: [Item, ...Item[]] = [item()];
    while (this.takeSymbol(',')) items.push(item());
    return items;
  }

  /** Parses the contents of parentheses, which can be nested. */
  parseNested<Inner>(inner: () => Inner): Inner {
    const open = this.next;
    this.expectSymbol('(');
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.createError(open, `parentheses are nested too deeply; expected at most ${MAX_DEPTH} levels`);
    const found = inner();
    this.expectSymbol(')');
    this.#depth -= 1;
    return found;
  }

  formatToken(token: Token): string {
    return this.#tokens.formatToken(token);
  }

  /** Creates the error for an unexpected token, from the problem and the expectation, both without a final period. */
  createError(token: Token, problem: string) {
    return this.createErrorAt(token, `${problem}.`);
  }

  /** Creates the error for a token from a complete sentence. */
  createErrorAt({ start }: Token, sentence: string) {
    return this.#tokens.createErrorAt(start, sentence);
  }

  /** Creates the error for the next token if something else is expected. */
  createUnexpectedError(expected: string) {
    const feature = this.next.kind === 'name' ? UNSUPPORTED.get(this.next.value) : undefined;
    const reason = feature ? `: ${feature} are not supported` : '';
    return this.createError(this.next, `unexpected ${this.formatToken(this.next)}${reason}; expected ${expected}`);
  }
}
